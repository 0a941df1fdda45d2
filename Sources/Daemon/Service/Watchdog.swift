/// Decides whether the filter makes progress, so that the service manager restarts a daemon that only looks alive.
///
/// The filter is alive if the reactor runs and, while inertial samples arrive, poses come out.
package struct Watchdog {
    package init() {}

    private var samplesBefore: UInt64 = 0
    private var posesBefore: UInt64 = 0
    private var barrenIntervals = 0

    /// Number of intervals without a pose that are still normal. Levelling and a gap in the data may delay poses for a
    /// while.
    private static let patience = 3

    /// Returns whether the service manager may be notified; to be called once per interval with the totals so far.
    package mutating func isHealthy(inertialSamples: UInt64, poses: UInt64) -> Bool {
        let barren = inertialSamples > samplesBefore && poses == posesBefore
        barrenIntervals = barren ? barrenIntervals + 1 : 0
        samplesBefore = inertialSamples
        posesBefore = poses
        return barrenIntervals <= Self.patience
    }
}
