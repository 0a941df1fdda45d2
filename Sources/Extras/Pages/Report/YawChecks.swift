import Model
import Scene

/// Yaw corrections over time that several comparisons suggest. Unit: degrees, counter-clockwise.
package struct YawChecks: Sendable {
    /// Correction that the heading monitor suggests.
    package private(set) var monitor = PeakSeries()
    /// Correction from changes of velocity only.
    package private(set) var byVelocities = PeakSeries()
    /// Correction from the displacement between fixes only.
    package private(set) var byPositions = PeakSeries()
    /// Correction that pairs of estimates suggest. It is the angle by which the track has to be rotated about up to
    /// agree with GNSS.
    package private(set) var axes = PeakSeries()
    private var last: Double?

    /// Interval of readings. The comparisons change only with fixes. Unit: seconds.
    private static let interval = 0.1

    init() {}

    /// Whether the next readings are due.
    func isDue(_ time: Double) -> Bool { last.map { !(0..<Self.interval).contains(time - $0) } ?? true }

    mutating func add(_ time: Double, monitor reading: HeadingReading?, axes axisReading: AxisReading?) {
        last = time
        func degrees(_ radians: Double?) -> Double? { radians.map { $0 * 180 / .pi } }
        monitor.add(
            time, degrees(reading?.correction), standardDeviation: degrees(reading?.standardDeviation))
        byVelocities.add(
            time, degrees(reading?.velocities?.correction),
            standardDeviation: degrees(reading?.velocities?.standardDeviation))
        byPositions.add(
            time, degrees(reading?.positions?.correction),
            standardDeviation: degrees(reading?.positions?.standardDeviation))
        axes.add(time, degrees(axisReading?.angle), standardDeviation: degrees(axisReading?.standardDeviation))
    }
}
