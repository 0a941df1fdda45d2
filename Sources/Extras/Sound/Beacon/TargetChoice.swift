import Geometry
import Messages
import WaymarkInterface

package enum TargetChoice: Hashable, Sendable {
    /// The next turn of the route or, after the last turn, the destination.
    case route
    case turn
    case destination
    /// The placement with this id: `place/…` or `anchor/…`.
    case placement(id: String)

    /// Distance within which a place or an anchor counts as reached. It is about the accuracy of a good fix. Unit:
    /// metres.
    package static let arrivalRadius = 5.0
    /// Maximum length of a choice's text; ids of the daemon are shorter. Unit: bytes.
    static let maximumTextLength = 300

    /// Parses a choice from the command line: `turn`, `destination`, `place ID` or `anchor ID`. A slash may replace the
    /// space, as in ids of placements. Nil for any other text.
    package init?(_ text: String) {
        switch text {
        case "turn": self = .turn
        case "destination": self = .destination
        default:
            let parts = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "/" })
            guard parts.count == 2, ["place", "anchor"].contains(parts[0]), text.utf8.count <= Self.maximumTextLength
            else {
                return nil
            }
            self = .placement(id: "\(parts[0])/\(parts[1])")
        }
    }

    /// Returns the chosen placement of a scene; nil if the scene does not have it.
    package func target(in scene: SceneInterface.Scene, _ placements: [String: SceneInterface.Placement])
        -> BeaconTarget?
    {
        placement(in: placements).flatMap { target($0, in: scene) }
    }

    private func placement(in placements: [String: SceneInterface.Placement]) -> SceneInterface.Placement? {
        switch self {
        case .route: Self.nextTurn(placements) ?? Self.destination(placements)
        case .turn: Self.nextTurn(placements)
        case .destination: Self.destination(placements)
        case .placement(let id):
            placements[id] ?? placements.values.first { $0.kind == .cluster && $0.members?.contains(id) == true }
        }
    }

    /// Returns the nearest turn along the route that is still ahead.
    private static func nextTurn(_ placements: [String: SceneInterface.Placement]) -> SceneInterface.Placement? {
        placements.values.filter { $0.kind == .turn && ($0.alongRoute ?? -1) >= 0 }
            .min { ($0.alongRoute ?? 0, $0.id) < ($1.alongRoute ?? 0, $1.id) }
    }

    private static func destination(_ placements: [String: SceneInterface.Placement]) -> SceneInterface.Placement? {
        placements.values.first { $0.kind == .destination }
    }

    /// Returns nil for a head-locked placement, which has no position in the scene.
    private func target(_ placement: SceneInterface.Placement, in scene: SceneInterface.Scene) -> BeaconTarget? {
        let position = Vector3(placement.position)
        guard placement.lock == .scene, position.isFinite else { return nil }
        var radius = 0.0
        if case .placement = self { radius = Self.arrivalRadius }
        return BeaconTarget(
            id: placement.id, generation: scene.generation, position: position,
            directionStandardDeviation: placement.sigma.map { $0 * .pi / 180 }, arrivalRadius: radius)
    }
}

extension TargetChoice: CustomStringConvertible {
    /// Description of the choice, which follows the word "no".
    package var description: String {
        switch self {
        case .route: "next turn and no destination"
        case .turn: "next turn"
        case .destination: "destination"
        case .placement(let id): id
        }
    }
}
