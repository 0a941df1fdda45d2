import Estimation
import Model

/// History of the difference between CLOCK_REALTIME and boot time over the last minutes, for converting past times
/// between the two clocks.
///
/// This type reads no clock: the caller provides the readings. Between two readings the offset is interpolated
/// linearly, as a clock is slewed. Across a step, the earlier offset holds until the later reading.
public struct RealtimeOffsets: Sendable {
    private struct Reading {
        var time: BootTime
        /// Nanoseconds to add to boot time.
        var offset: Int64

        /// Returns CLOCK_REALTIME at this reading's time for a given offset; nil for a time beyond its range.
        func realtime(_ offset: Int64) -> Int64? {
            let (realtime, overflow) = time.nanoseconds.addingReportingOverflow(offset)
            return overflow ? nil : realtime
        }

        /// Returns the magnitude of the offset's change. Unit: nanoseconds.
        func change(since other: Reading) -> UInt64 {
            let (change, isHuge) = offset.subtractingReportingOverflow(other.offset)
            return isHuge ? .max : change.magnitude
        }
    }

    /// Readings between which the offset is interpolated. The capacity is enough for ten minutes of continuous slewing.
    private var knots = Ring<Reading>(capacity: 2560)
    /// Newest reading, whether it is a knot or not.
    private var latest: Reading?

    /// Minimum interval between two knots other than steps, however often clients ask. Unit: seconds.
    private static let spacing = 0.24
    /// Change of the offset below which the change counts as a reading error. Unit: nanoseconds.
    private static let minimumChange: UInt64 = 20_000
    /// The clock was stepped if the offset changed by more than `minimumStep` and the slewing since the last reading.
    /// Linux slews a clock by at most a tenth (`maximumSlew`), and chronyd makes use of it. Slewing counts for at most
    /// `maximumSlewDuration`, because a step is more likely if the readings are farther apart, for example after the
    /// daemon was held up. Units: nanoseconds, 1, seconds.
    private static let minimumStep = 1e7
    private static let maximumSlew = 0.1
    private static let maximumSlewDuration = 1.0

    /// Makes a history without readings.
    public init() {}

    /// Adds the offset that was read at `time`. Does nothing if `time` is not later than the previous reading.
    public mutating func note(_ offset: Int64, at time: BootTime) {
        let reading = Reading(time: time, offset: offset)
        guard let last = latest, let knot = knots.last else {
            knots.append(reading)
            latest = reading
            return
        }
        guard time > last.time else { return }
        let isStep = Self.isStep(from: last, to: reading)
        let isBend =
            reading.change(since: knot) >= Self.minimumChange && last.time.seconds(since: knot.time) >= Self.spacing
        if last.time > knot.time, isStep || isBend { knots.append(last) }
        if isStep { knots.append(reading) }
        latest = reading
    }

    /// Returns the boot time at which CLOCK_REALTIME showed `realtime`. Returns nil before the first reading, and for a
    /// time that the clock skipped when it was set forward.
    ///
    /// If the clock was set back and showed a time twice, the later moment counts. For a time that it has not shown
    /// yet, the present offset is assumed.
    ///
    /// - Parameter realtime: nanoseconds since 1970.
    public func bootTime(ofRealtime realtime: Int64) -> BootTime? {
        guard let latest, let first = knots.first else { return nil }
        var end = latest
        for index in (0..<knots.count).reversed() {
            let begin = knots[index]
            if let time = Self.bootTime(ofRealtime: realtime, from: begin, to: end) { return time }
            end = begin
        }
        if let time = Self.bootTime(ofRealtime: realtime, first.offset), time <= first.time { return time }
        return Self.bootTime(ofRealtime: realtime, latest.offset).flatMap { $0 >= latest.time ? $0 : nil }
    }

    private static func isStep(from begin: Reading, to end: Reading) -> Bool {
        let seconds = min(end.time.seconds(since: begin.time), maximumSlewDuration)
        return Double(end.change(since: begin)) > minimumStep + maximumSlew * seconds * 1e9
    }

    /// Returns nil for a time that the clock did not show between the two readings.
    private static func bootTime(ofRealtime realtime: Int64, from begin: Reading, to end: Reading) -> BootTime? {
        let last = isStep(from: begin, to: end) ? begin.offset : end.offset
        guard let shownFirst = begin.realtime(begin.offset), let shownLast = end.realtime(last),
            shownFirst <= realtime, realtime <= shownLast
        else { return nil }
        guard shownFirst < shownLast else { return begin.time }
        let share = Double(realtime - shownFirst) / Double(shownLast - shownFirst)
        let passed = Double(end.time.nanoseconds - begin.time.nanoseconds)
        return begin.time.shifted(by: Int64((share * passed).rounded()))
    }

    private static func bootTime(ofRealtime realtime: Int64, _ offset: Int64) -> BootTime? {
        let (nanoseconds, overflow) = realtime.subtractingReportingOverflow(offset)
        return overflow ? nil : BootTime(nanoseconds: nanoseconds)
    }
}
