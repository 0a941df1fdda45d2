/// How many measurements came, and how many were refused and why, since the start.
public struct MeasurementCounters: Hashable, Sendable {
    public var accepted: UInt64 = 0
    /// NaN or infinite somewhere.
    public var notFinite: UInt64 = 0
    /// Beyond what any sensor measures.
    public var outOfRange: UInt64 = 0
    public var duplicate: UInt64 = 0
    /// Older than one that came before it.
    public var reordered: UInt64 = 0
    /// Fixes, magnetic and pressure samples too old to be applied at their time.
    public var tooLate: UInt64 = 0
    /// Stamps far ahead of those before them, or of the inertial sensors.
    public var fromTheFuture: UInt64 = 0
    /// Angular rates that went on with the last force because none came in time.
    public var heldForces: UInt64 = 0
    /// Interruptions of the inertial stream.
    public var gaps: UInt64 = 0
    /// Times that the clock was set back.
    public var clockSteps: UInt64 = 0
    /// Times that the filter was started anew because its numbers were no longer finite.
    public var restarts: UInt64 = 0

    public init() {}

    /// All that were refused.
    public var refused: UInt64 { notFinite + outOfRange + duplicate + reordered + tooLate + fromTheFuture }
}
