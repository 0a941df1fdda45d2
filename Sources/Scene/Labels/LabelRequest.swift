#if canImport(Glibc)
    import Glibc
#endif

/// A label that wants a slot.
public struct LabelRequest: Hashable, Sendable {
    public var id: String
    /// Of what it names, clockwise from north of the scene (−Z), radians.
    public var azimuth: Double
    /// Of what it names. Unit: metres.
    public var distance: Double
    /// Where there are not slots for all, the higher one gets it; among equal ones the nearer.
    public var priority: Int

    public init(id: String, azimuth: Double, distance: Double, priority: Int = 0) {
        self.id = id
        self.azimuth = azimuth
        self.distance = distance
        self.priority = priority
    }
}

/// Where a label is shown: the slots of one direction are stacked in height.
public struct LabelSlot: Hashable, Sendable {
    /// 0 is the lowest.
    public var index: Int
    /// Of the middle of the label above the horizon, radians.
    public var elevation: Double

    public init(index: Int, elevation: Double) {
        self.index = index
        self.elevation = elevation
    }

    /// Above the wearer's eyes for a label drawn at a horizontal distance: `y = d·tan(ε₀ + k·Δε)`. Unit: metres.
    public func height(at distance: Double) -> Double { distance * tan(elevation) }
}
