#if canImport(Glibc)
    import Glibc
#endif

/// Label for which a slot is requested.
public struct LabelRequest: Hashable, Sendable {
    /// Identifier of the placement that it names.
    public var id: String
    /// Azimuth of the placement, clockwise from north of the scene (−Z), radians.
    public var azimuth: Double
    /// Horizontal distance of the placement. Unit: metres.
    public var distance: Double
    /// Priority when slots are scarce: the higher one first, and the nearer of equal ones.
    public var priority: Int
    /// Elevation of the middle of its own mark. Unit: radians.
    public var elevation: Double
    /// Visual radius of its own mark at its largest. Unit: radians.
    public var radius: Double

    /// Request with the given properties; angles in radians, distance in metres.
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

    /// Mark of the placement that it names.
    public var mark: LabelMark { LabelMark(azimuth: azimuth, elevation: elevation, radius: radius) }

    var isFinite: Bool { azimuth.isFinite && distance.isFinite && elevation.isFinite && radius.isFinite }
}

/// Slot of a label: an elevation at the azimuth of its placement; the slots of one direction are stacked in height.
public struct LabelSlot: Hashable, Sendable {
    /// Index of the slot; 0 is the lowest.
    public let index: Int
    /// Elevation of the middle of the label, radians.
    public let elevation: Double
    /// Visual width of the rectangle, facing the eye, that is reserved for the label. Unit: radians.
    public let width: Double
    /// Visual height of that rectangle. Unit: radians.
    public let height: Double
    let box: LabelBox

    /// Slot with the given index and angles. Unit: radians.
    public init(index: Int, elevation: Double, width: Double, height: Double) {
        self.index = index
        self.elevation = elevation
        self.width = width
        self.height = height
        box = LabelBox(elevation: elevation, width: width, height: height)
    }

    /// Height above the wearer's eyes of a label drawn at a horizontal distance: `y = d·tan(ε₀ + k·Δε)`. Unit: metres.
    public func height(at distance: Double) -> Double { distance * tan(elevation) }

    /// Whether the label would cover part of its own mark, which has the same azimuth.
    func covers(elevation: Double, radius: Double) -> Bool {
        box.lowest < elevation + radius && box.highest > elevation - radius
    }
}
