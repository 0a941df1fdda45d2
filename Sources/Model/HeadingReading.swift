import Geometry

/// What the comparisons of one kind say of the filter's yaw.
public struct HeadingPairs: Hashable, Sendable {
    public var count: Int
    /// What would have to be added to the filter's yaw, counter-clockwise; nil while that is not known. Unit: radians.
    public var correction: Double?
    /// Standard deviation. Unit: radians.
    public var deviation: Double

    public init(count: Int, correction: Double?, deviation: Double) {
        self.count = count
        self.correction = correction
        self.deviation = deviation
    }
}

/// What the monitor of the axes found: how far it would turn the filter, and how well it knows.
public struct HeadingReading: Hashable, Sendable {
    /// Time of the newest comparison.
    public var time: BootTime
    /// What would have to be added to the filter's yaw, counter-clockwise; nil while that is not known. Unit: radians.
    public var correction: Double?
    /// Standard deviation of the monitor's own yaw. Unit: radians.
    public var deviation: Double
    /// Number of comparisons of inertial sensors and steps with satellites within the window.
    public var pairs: Int
    /// What went in: changes of the velocity, and the way between fixes; nil where that kind tells nothing.
    public var velocities: HeadingPairs?
    public var positions: HeadingPairs?
    /// From the level frame that only the gyroscope turns to ENU, counter-clockwise. Unit: radians.
    package var yaw: Double
    /// Nothing but the way confirms it, which rests on a wearer who walks forwards by the board.
    package var isByPositionsAlone = false

    /// Deviations, and radians (4°), beyond which a filter's yaw is in doubt.
    package init(
        time: BootTime, correction: Double?, deviation: Double, pairs: Int, velocities: HeadingPairs? = nil,
        positions: HeadingPairs? = nil, yaw: Double, isByPositionsAlone: Bool = false
    ) {
        self.time = time
        self.correction = correction
        self.deviation = deviation
        self.pairs = pairs
        self.velocities = velocities
        self.positions = positions
        self.yaw = yaw
        self.isByPositionsAlone = isByPositionsAlone
    }

    private static let gate = 3.0
    /// A reading worse than this, 10°, puts nothing in doubt. Unit: radians.
    private static let neededDeviation = 0.175
    private static let leastContradiction = 0.07

    /// - Parameter other: the filter's, of the same frame. Unit: radians.
    package func contradicts(_ other: Double) -> Bool {
        guard deviation < Self.neededDeviation else { return false }
        return Angle.wrapped(yaw - other).magnitude > max(Self.leastContradiction, Self.gate * deviation)
    }
}
