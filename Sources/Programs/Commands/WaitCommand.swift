import Glibc
import Configuration
import WaymarkClient

extension Command {
    private static let horizontal = Option.number(
        "horizontal", value: "METRES", in: 0.01...10_000, help: "Horizontal accuracy to reach (default: 10)")
    private static let yaw = Option.number(
        "yaw", value: "DEGREES", in: 0.1...180, help: "Heading accuracy to reach (default: 15)")
    private static let timeout = Option.duration(
        "timeout", in: 0.1...Deadline.maximumSeconds,
        help: "Give up after TIME, such as 90s (exit status 4, or 3 without a daemon; default: 3min)")

    static let wait = Command(
        "wait", "Wait until the pose is accurate enough, for scripts.", options: [horizontal, yaw, timeout]
    ) { options in
        let deadline = Deadline(seconds: options[timeout] ?? 180)
        let goal = (horizontal: options[horizontal] ?? 10, yaw: options[yaw] ?? 15)
        let poses = try DaemonSocket.connect(until: deadline) { () throws(WaymarkError) in
            try PoseStream(rate: 10, withFrames: false)
        }
        var newest: Waymark.Pose?
        while let update = try poses.next(until: deadline) {
            guard case .pose(let pose) = update else { continue }
            newest = pose
            if isGoodEnough(pose, goal) { return .done }
        }
        throw CommandError.timedOut(missing(newest))
    }

    private static func isGoodEnough(_ pose: Waymark.Pose, _ goal: (horizontal: Double, yaw: Double)) -> Bool {
        guard pose.state == .localized, let horizontal = pose.accuracy.horizontalAccuracy,
            let yaw = pose.accuracy.orientationYawAccuracy
        else { return false }
        return horizontal <= goal.horizontal && yaw <= goal.yaw
    }

    private static func missing(_ pose: Waymark.Pose?) -> String {
        guard let pose else { return "no pose received; see 'waymark status'" }
        let reasons = Words.explanations(of: pose.reasons)
        let accuracy =
            "\(Words.accuracy(pose.accuracy.horizontalAccuracy, " m")), "
            + "\(Words.accuracy(pose.accuracy.orientationYawAccuracy, "°"))"
        let advice = AdviceText.lines(state: pose.state, reasons: pose.reasons)
        let lines = ["the pose is \(pose.state) to \(accuracy)"] + reasons + advice
        return lines.joined(separator: "; ")
    }
}

/// Reads poses as the daemon publishes them, from the first one on. Repeats the request while the daemon has no pose
/// yet.
final class PoseStream {
    private let client: Waymark.Client
    private let rate: Double
    private let withFrames: Bool
    private let predictAhead: Double?
    private var updates: Waymark.Updates<Waymark.PoseUpdate>?

    /// Interval between two requests while the daemon has no poses.
    private static let pauseMicroseconds: UInt32 = 250_000

    /// - Parameters:
    ///   - withFrames: whether corrections of the scene frame are included.
    ///   - predictAhead: prediction time; nil for no prediction. Unit: seconds.
    init(rate: Double, withFrames: Bool, predictAhead: Double? = nil) throws(WaymarkError) {
        client = try Waymark.Client()
        self.rate = rate
        self.withFrames = withFrames
        self.predictAhead = predictAhead
    }

    /// Waits for the next message; nil when `deadline` passes first.
    func next(until deadline: Deadline) throws(WaymarkError) -> Waymark.PoseUpdate? {
        while !deadline.hasPassed {
            do {
                return try next(timeout: deadline.left)
            } catch .timedOut where deadline.hasPassed {
                break
            } catch .pose(.notReady) {
                updates = nil
                usleep(Self.pauseMicroseconds)
            }
        }
        return nil
    }

    private func next(timeout: Duration?) throws(WaymarkError) -> Waymark.PoseUpdate {
        if updates == nil { updates = try client.poses(rate: rate, frames: withFrames, predictAhead: predictAhead) }
        // The stream ended without a last reply: the daemon is shutting down.
        guard let update = try updates?.next(timeout: timeout) else { throw .disconnected }
        return update
    }
}
