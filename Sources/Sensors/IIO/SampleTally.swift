import Measurements

/// Sample counts since the last report, and the measured sampling interval.
struct SampleTally {
    private(set) var samples: UInt64 = 0
    private(set) var gaps: UInt64 = 0
    /// Number of rejected samples: not finite, implausibly large, or with a timestamp that does not increase.
    private(set) var refused: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    private(set) var last: BootTime?
    /// Smoothed sampling interval. Unit: ns.
    private(set) var interval: Int64

    /// - Parameter interval: interval of the granted rate. Unit: ns.
    init(interval: Int64) { self.interval = max(interval, 1) }

    /// Counts a delivered sample.
    mutating func accept(at time: Int64) {
        samples += 1
        if let last {
            let passed = time - last.nanoseconds
            if passed > 2 * interval { gaps += 1 }
            // Low-pass filter over 64 samples; a gap counts as three intervals.
            interval = max(interval + (min(max(passed, 0), 3 * interval) - interval) / 64, 1)
        }
        last = BootTime(nanoseconds: time)
    }

    /// Restarts with another interval (ns): the time since the last sample is not a gap.
    mutating func begin(interval: Int64) {
        self.interval = max(interval, 1)
        last = nil
    }

    mutating func refuse() { refused += 1 }
    mutating func drop() { dropped += 1 }

    /// Adds the counts since the last call to the report and resets them.
    mutating func flush(into report: inout DeviceReport) {
        report.samples += samples
        report.gaps += gaps
        report.dropped += dropped
        if let last { report.lastSample = last }
        samples = 0
        gaps = 0
        dropped = 0
    }
}
