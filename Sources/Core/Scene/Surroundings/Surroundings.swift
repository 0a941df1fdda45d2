import Geometry

/// Known terrain and buildings around the wearer.
public struct Surroundings: Sendable {
    /// Terrain; nil if unknown. It is then treated as flat.
    public let ground: WearerGround?
    /// Buildings; nil if unknown.
    public let buildings: Buildings?

    /// Flat ground without buildings.
    public static let unknown = Surroundings(ground: nil, buildings: nil)

    var isKnown: Bool { ground != nil || buildings != nil }

    /// Returns how high the ground at a position is above the ground under the wearer, as the wearer sees it; 0 if
    /// unknown.
    ///
    /// - Parameter distance: horizontal distance from the wearer. Unit: metres.
    func rise(at position: GeodeticPosition, distance: Double) -> Double {
        ground?.rise(at: position, distance: distance) ?? 0
    }

    /// Returns the height of the roof at a position above the ground there, in metres; 0 if no building is known.
    ///
    /// - Parameter distance: horizontal distance from the wearer. Unit: metres.
    func roof(at position: GeodeticPosition, distance: Double) -> Double {
        buildings?.roof(at: position, distance: distance) ?? 0
    }
}
