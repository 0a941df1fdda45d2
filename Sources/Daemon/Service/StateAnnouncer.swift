import Linux
import Messages
import Model
import Configuration

/// Reports changes of the state to the journal and the service manager, one line for each change.
final class StateAnnouncer {
    private let notifier: ServiceNotifier
    private let limiter = LogLimiter("state changes", lines: 10)
    private var changes = StateChangeLog()
    /// Status line last sent to the service manager.
    private(set) var statusLine = TrackingState.initializing.message.description

    init(notifier: ServiceNotifier) { self.notifier = notifier }

    /// Reports the state of a pose if it differs from the state reported last; to be called with each pose.
    func observe(_ pose: PoseEstimate) {
        guard changes.shouldReport(pose.state, pose.reasons, at: pose.time) else { return }
        announce(pose.state, pose.reasons, pose.accuracy)
    }

    /// Keeps the service manager's status line current; to be called every few seconds.
    ///
    /// - Parameter pose: the newest pose; nil if lack of inertial samples has prevented any.
    func refresh(_ pose: PoseEstimate?) {
        if let pose {
            publish(Self.line(pose.state, pose.reasons, pose.accuracy))
        } else if changes.isEmpty {
            changes.note(.initializing, .noInertialData)
            announce(.initializing, .noInertialData, nil)
        }
    }

    private func announce(_ state: TrackingState, _ reasons: LimitingReasons, _ accuracy: PoseAccuracy?) {
        let line = Self.line(state, reasons, accuracy)
        limiter.write(state == .limited ? .warning : .notice, line)
        publish(line)
    }

    private func publish(_ line: String) {
        guard line != statusLine else { return }
        statusLine = line
        notifier.status(line)
    }

    /// Returns a line such as "limited (noGNSSData): horizontal 12 m, yaw 3°; go where the sky is free".
    private static func line(
        _ state: TrackingState, _ given: LimitingReasons, _ accuracy: PoseAccuracy?
    ) -> String {
        let reasons = given.message.description
        let parts = [
            accuracy?.horizontal.map { "horizontal \(short($0)) m" },
            accuracy?.yaw.map { "yaw \(short($0 * 180 / .pi))°" },
        ].compactMap { $0 }
        return "\(state.message)" + (reasons.isEmpty ? "" : " (\(reasons))")
            + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
            + (Advice.list(for: state, given).first.map { "; \($0.text)" } ?? "")
    }

    /// Rounds to two digits, which are enough for a reader and do not change with every fix.
    private static func short(_ value: Double) -> String {
        value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(min(value, 1e6).rounded()))"
    }
}
