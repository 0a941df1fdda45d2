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
    /// Of the middle of its own mark above the horizon, and half the angle of that mark at its largest. Unit: radians.
    public var elevation: Double
    public var radius: Double

    public init(
        id: String, azimuth: Double, distance: Double, priority: Int = 0, elevation: Double = 0, radius: Double = 0
    ) {
        self.id = id
        self.azimuth = azimuth
        self.distance = distance
        self.priority = priority
        self.elevation = elevation
        self.radius = radius
    }

    /// The mark of what it names.
    public var mark: LabelMark { LabelMark(azimuth: azimuth, elevation: elevation, radius: radius) }

    var isFinite: Bool { azimuth.isFinite && distance.isFinite && elevation.isFinite && radius.isFinite }
}

/// Where a label is shown, at the azimuth of what it names: the slots of one direction are stacked in height.
public struct LabelSlot: Hashable, Sendable {
    /// 0 is the lowest.
    public let index: Int
    /// Of the middle of the label above the horizon, radians.
    public let elevation: Double
    /// Of the flat rectangle, facing the eye, that is kept free for it, as seen from the eye. Unit: radians.
    public let width: Double
    public let height: Double
    let box: LabelBox

    public init(index: Int, elevation: Double, width: Double, height: Double) {
        self.index = index
        self.elevation = elevation
        self.width = width
        self.height = height
        box = LabelBox(elevation: elevation, width: width, height: height)
    }

    /// Above the wearer's eyes for a label drawn at a horizontal distance: `y = d·tan(ε₀ + k·Δε)`. Unit: metres.
    public func height(at distance: Double) -> Double { distance * tan(elevation) }

    /// Whether the label would cover some of the mark that it names, which has the same azimuth.
    func covers(elevation: Double, radius: Double) -> Bool {
        box.lowest < elevation + radius && box.highest > elevation - radius
    }
}
