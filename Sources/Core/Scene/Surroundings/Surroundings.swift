import Geometry

/// What is known of the ground around the wearer, and of what stands on it.
public struct Surroundings: Sendable {
    /// Terrain; nil where it is unknown, and counts as flat.
    public let ground: WearerGround?
    /// Buildings; nil where none are known.
    public let buildings: Buildings?

    /// Flat ground without buildings.
    public static let unknown = Surroundings(ground: nil, buildings: nil)

    /// Whether anything is known.
    var isKnown: Bool { ground != nil || buildings != nil }

    /// Height of the ground at a position above that under the wearer, both as it is seen; 0 where it is unknown.
    ///
    /// - Parameter distance: distance over ground from the wearer. Unit: metres.
    func rise(at position: GeodeticPosition, distance: Double) -> Double {
        ground?.rise(at: position, distance: distance) ?? 0
    }

    /// Height of the roof at a position above the ground there, metres; 0 where no building is known.
    ///
    /// - Parameter distance: distance over ground from the wearer. Unit: metres.
    func roof(at position: GeodeticPosition, distance: Double) -> Double {
        buildings?.roof(at: position, distance: distance) ?? 0
    }
}
