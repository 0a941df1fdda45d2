/// Numbers of measurements since the start, accepted and refused, by cause.
public struct MeasurementCounters: Hashable, Sendable {
    /// Number of accepted measurements.
    public var accepted: UInt64 = 0
    /// Number of measurements with a NaN or an infinity.
    public var notFinite: UInt64 = 0
    /// Number of measurements beyond the range of any sensor.
    public var outOfRange: UInt64 = 0
    /// Number of measurements with the time stamp of the one before.
    public var duplicate: UInt64 = 0
    /// Number of measurements older than one before.
    public var reordered: UInt64 = 0
    /// Number of fixes, magnetic and pressure samples too old to be applied at their time.
    public var tooLate: UInt64 = 0
    /// Number of time stamps far ahead of those before, or of the inertial sensors.
    public var fromTheFuture: UInt64 = 0
    /// Number of angular rates paired with the last force, because none came in time.
    public var heldForces: UInt64 = 0
    /// Number of gaps of the inertial stream.
    public var gaps: UInt64 = 0
    /// Number of times that the clock was set back.
    public var clockSteps: UInt64 = 0
    /// Number of restarts of a filter that was no longer finite.
    public var restarts: UInt64 = 0

    /// Makes counters of zero.
    public init() {}

    /// Number of refused measurements.
    public var refused: UInt64 { notFinite + outOfRange + duplicate + reordered + tooLate + fromTheFuture }
}
