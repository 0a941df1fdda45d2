import Estimation
import Formats
import Linux

/// Tells the journal and the service manager when the state changes: one line for one change.
final class StateAnnouncer {
    private let notifier: ServiceNotifier
    private let limiter = LogLimiter("state changes", lines: 10)
    private var announced: (state: TrackingState, reasons: LimitingReasons)?
    private var statusLine = ""

    init(notifier: ServiceNotifier) { self.notifier = notifier }

    /// Compares with what was told last; to be called with each pose, does nothing for most of them.
    func observe(_ pose: PoseEstimate) {
        if let announced, announced.state == pose.state, announced.reasons == pose.reasons { return }
        announced = (pose.state, pose.reasons)
        let line = Self.line(pose)
        limiter.write(pose.state == .limited ? .warning : .notice, line)
        tell(line)
    }

    /// Keeps the accuracy in the service manager's status line fresh.
    func refresh(_ pose: PoseEstimate?) {
        if let pose { tell(Self.line(pose)) }
    }

    private func tell(_ line: String) {
        guard line != statusLine else { return }
        statusLine = line
        notifier.status(line)
    }

    /// Such as "limited (noGNSSData): horizontal 12 m, yaw 3°".
    private static func line(_ pose: PoseEstimate) -> String {
        let reasons = words(pose.reasons.forEachWord).joined(separator: ", ")
        let parts = [
            pose.accuracy.horizontal.map { "horizontal \(short($0)) m" },
            pose.accuracy.yaw.map { "yaw \(short($0 * 180 / .pi))°" },
        ].compactMap { $0 }
        return "\(pose.state.word)" + (reasons.isEmpty ? "" : " (\(reasons))")
            + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    /// Two digits are enough for a person, and do not change with every fix.
    private static func short(_ value: Double) -> String {
        value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(min(value, 1e6).rounded()))"
    }
}
