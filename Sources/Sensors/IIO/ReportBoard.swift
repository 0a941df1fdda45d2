import Linux
import Measurements
import Synchronization

/// One device's report, written by its thread and read by any.
final class ReportBoard: Sendable {
    private let report: Mutex<DeviceReport>

    private let allowance = Mutex((lines: ReportBoard.linesAMinute, since: Int64(0)))
    private static let linesAMinute = 12

    init(name: String, identifier: String) {
        report = Mutex(DeviceReport(name: name, identifier: identifier, state: .searching))
    }

    var snapshot: DeviceReport { report.withLock { $0 } }

    func update(_ change: (inout DeviceReport) -> Void) {
        report.withLock { report in change(&report) }
    }

    /// Changes state and detail; a change of the state is one line in the log.
    func set(_ state: DeviceReport.State, _ detail: String?) {
        let (before, after) = report.withLock { report in
            let before = report
            report.state = state
            report.detail = detail
            return (before, report)
        }
        let isNewFault = (state == .failed || state == .searching) && before.detail != detail
        guard before.state != state || isNewFault, mayLog() else { return }
        let text = "\(after.name) (\(after.identifier)): \(state.rawValue)" + (detail.map { ", \($0)" } ?? "")
        switch state {
        case .streaming, .polling: Log.notice(text)
        case .searching: Log.info(text)
        case .silent, .failed: Log.warning(text)
        }
    }

    /// A device that comes and goes without end must not fill the journal.
    private func mayLog() -> Bool {
        let now = BootClock.nanoseconds
        return allowance.withLock { allowance in
            if now - allowance.since > 60_000_000_000 { allowance = (Self.linesAMinute, now) }
            allowance.lines -= 1
            return allowance.lines >= 0
        }
    }
}
