import Geometry

/// Error of the filter's yaw as one kind of comparison measures it.
public struct HeadingPairs: Hashable, Sendable, Codable {
    /// Number of pairs compared.
    public var count: Int
    /// Correction that the filter's yaw would need, counter-clockwise; nil while it is unknown. Unit: radians.
    public var correction: Double?
    /// Standard deviation of the correction. Unit: radians.
    public var standardDeviation: Double

    /// Makes the result of one kind of comparison.
    public init(count: Int, correction: Double?, standardDeviation: Double) {
        self.count = count
        self.correction = correction
        self.standardDeviation = standardDeviation
    }
}

/// Reading of the independent yaw monitor.
public struct HeadingReading: Hashable, Sendable, Codable {
    /// Time of the newest pair compared.
    public var time: BootTime
    /// Correction that the filter's yaw would need, counter-clockwise; nil while it is unknown. Unit: radians.
    public var correction: Double?
    /// Standard deviation of the monitor's own yaw. Unit: radians.
    public var standardDeviation: Double
    /// Number of pairs of inertial and GNSS motion within the window.
    public var pairs: Int
    /// Result of comparing inertial with GNSS velocity changes; nil if inconclusive.
    public var velocities: HeadingPairs?
    /// Result of comparing the track of the steps with GNSS positions; nil if inconclusive.
    public var positions: HeadingPairs?
    /// Counter-clockwise rotation from the gyro frame to ENU. The yaw of the gyro frame is integrated from the
    /// gyroscope alone. Unit: radians.
    package var yaw: Double
    /// Whether the reading comes from positions but not from velocities. Such a reading assumes that the wearer walks
    /// in the board's forward direction.
    package var isByPositionsAlone: Bool

    package init(
        time: BootTime, correction: Double?, standardDeviation: Double, pairs: Int, velocities: HeadingPairs? = nil,
        positions: HeadingPairs? = nil, yaw: Double, isByPositionsAlone: Bool = false
    ) {
        self.time = time
        self.correction = correction
        self.standardDeviation = standardDeviation
        self.pairs = pairs
        self.velocities = velocities
        self.positions = positions
        self.yaw = yaw
        self.isByPositionsAlone = isByPositionsAlone
    }

    /// Number of standard deviations above which a difference contradicts the filter's yaw.
    private static let gate = 3.0
    /// Standard deviation above which a reading cannot contradict a yaw, however large the difference: 10°. Unit:
    /// radians.
    private static let neededStandardDeviation = 0.175
    /// Minimum difference that contradicts a yaw: 4°. Unit: radians.
    private static let minimumContradiction = 0.07

    /// Whether the reading contradicts a yaw.
    ///
    /// - Parameter other: the yaw from the gyro frame to ENU according to the filter. Unit: radians.
    package func contradicts(_ other: Double) -> Bool {
        guard standardDeviation < Self.neededStandardDeviation else { return false }
        return Angle.wrapped(yaw - other).magnitude > max(Self.minimumContradiction, Self.gate * standardDeviation)
    }
}
