import Model

/// What one batch added, and the interval between samples as it really is.
struct SampleTally {
    private(set) var samples: UInt64 = 0
    private(set) var gaps: UInt64 = 0
    /// Not finite, beyond what can be worn, or with a stamp that does not go forward.
    private(set) var refused: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    private(set) var last: BootTime?
    /// Smoothed. Unit: ns.
    private(set) var interval: Int64

    /// - Parameter interval: as the granted rate promises it. Unit: ns.
    init(interval: Int64) { self.interval = max(interval, 1) }

    /// A sample of the device that was handed over.
    mutating func accept(at time: Int64) {
        samples += 1
        if let last {
            let passed = time - last.nanoseconds
            if passed > 2 * interval { gaps += 1 }
            // Over 64 samples the true interval takes the place of the promised one; a gap counts as three of them.
            interval = max(interval + (min(max(passed, 0), 3 * interval) - interval) / 64, 1)
        }
        last = BootTime(nanoseconds: time)
    }

    /// Samples come at another interval from now on: the time since the last is no gap. Unit: ns.
    mutating func begin(interval: Int64) {
        self.interval = max(interval, 1)
        last = nil
    }

    mutating func refuse() { refused += 1 }
    mutating func drop() { dropped += 1 }

    /// Writes what was counted since the last call into the report.
    mutating func settle(into report: inout DeviceReport) {
        report.samples += samples
        report.gaps += gaps
        report.dropped += dropped
        if let last { report.lastSample = last }
        samples = 0
        gaps = 0
        dropped = 0
    }
}
