import Linux
import Model
import Synchronization

/// Report of one device. The thread that reads the device writes it, and any thread may read it.
final class DeviceStatus: Sendable {
    private let report: Mutex<DeviceReport>

    /// Rate-limited, so that a device that is lost and found repeatedly does not flood the journal.
    private let limiter: LogLimiter

    init(name: String, identifier: String) {
        report = Mutex(DeviceReport(name: name, identifier: identifier, state: .searching))
        limiter = LogLimiter(name, lines: 12, interval: 60_000_000_000)
    }

    var snapshot: DeviceReport { report.withLock { $0 } }

    func update(_ change: (inout DeviceReport) -> Void) {
        report.withLock { report in change(&report) }
    }

    struct LogLine {
        fileprivate var priority: Log.Priority
        fileprivate var text: String
    }

    /// Sets state and detail; logs one line if the state changed.
    func set(_ state: DeviceReport.State, _ detail: String?) { write(change(state, detail)) }

    func write(_ line: LogLine?) {
        guard let line else { return }
        limiter.write(line.priority, line.text)
    }

    /// Sets state and detail, and returns the log line. The caller logs this line, or drops it if a later state
    /// supersedes it.
    func change(_ state: DeviceReport.State, _ detail: String?) -> LogLine? {
        let (before, after) = report.withLock { report in
            let before = report
            report.state = state
            report.detail = detail
            return (before, report)
        }
        let isNewFault = (state == .failed || state == .searching) && before.detail != detail
        guard before.state != state || isNewFault else { return nil }
        let text = "\(after.name) (\(after.identifier)): \(state.rawValue)" + (detail.map { ", \($0)" } ?? "")
        return LogLine(priority: Self.priority(of: state), text: text)
    }

    private static func priority(of state: DeviceReport.State) -> Log.Priority {
        switch state {
        case .streaming, .polling: .notice
        case .searching: .info
        case .silent, .failed: .warning
        }
    }
}

/// Sample counts since the last report, and the measured sampling interval.
struct SampleTally {
    private(set) var samples: UInt64 = 0
    private(set) var gaps: UInt64 = 0
    /// Number of samples that were rejected because a value was not finite or implausibly large, or the timestamp did
    /// not increase.
    private(set) var refused: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    private(set) var last: BootTime?
    /// Smoothed sampling interval. Unit: ns.
    private(set) var interval: Int64

    /// - Parameter interval: interval at the granted rate. Unit: ns.
    init(interval: Int64) { self.interval = max(interval, 1) }

    mutating func accept(at time: Int64) {
        samples += 1
        if let last {
            let passed = time - last.nanoseconds
            if passed > 2 * interval { gaps += 1 }
            // The low-pass filter averages over 64 samples, and a gap counts as three intervals.
            interval = max(interval + (min(max(passed, 0), 3 * interval) - interval) / 64, 1)
        }
        last = BootTime(nanoseconds: time)
    }

    /// Restarts with another interval (ns). The time since the last sample does not count as a gap.
    mutating func begin(interval: Int64) {
        self.interval = max(interval, 1)
        last = nil
    }

    /// Sets the interval (ns) if it was not known before, and continues.
    mutating func adopt(interval: Int64) { self.interval = max(interval, 1) }

    mutating func refuse() { refused += 1 }
    mutating func drop() { dropped += 1 }

    /// Adds to the report what was counted since the previous call, and resets the counts.
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

/// Counts the consecutive rejected samples of each sensor of a device, because a faulty sensor may share a device with
/// a good one.
struct RefusalCounter {
    private let kinds: [SensorKind]
    private var inRow: [UInt32]

    /// Number of consecutive rejected samples that indicates a fault.
    static let fault: UInt32 = 50

    init(_ kinds: [SensorKind]) {
        self.kinds = kinds
        inRow = Array(repeating: 0, count: kinds.count)
    }

    @inline(__always)
    mutating func accept(_ index: Int) { if inRow[index] != 0 { inRow[index] = 0 } }

    mutating func refuse(_ index: Int) { if inRow[index] < Self.fault { inRow[index] += 1 } }

    var faulty: [SensorKind] { zip(kinds, inRow).filter { $0.1 >= Self.fault }.map(\.0) }
    /// Number of faulty sensors, counted without allocating a list.
    var faults: Int { inRow.reduce(0) { $1 >= Self.fault ? $0 + 1 : $0 } }
}
