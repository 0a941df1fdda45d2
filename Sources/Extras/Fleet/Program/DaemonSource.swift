import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// The bridge's input from the daemon: poses, events, and periodically its health. After the daemon's end, it
/// reconnects once a second.
final class DaemonSource {
    enum Event {
        case pose(PoseInterface.Pose)
        case scene(SceneNews)
        case status(StatusInterface.Status)
        /// The daemon no longer answers.
        case lost
    }

    private let reactor: Reactor
    private let socket: String
    private let poseRate: Double
    private let cursor: () -> Int64?
    private let handler: (Event) -> Void
    private var poses: DaemonStream?
    private var scene: DaemonStream?
    private var questions: DaemonStream?
    private var timer: TimerIdentifier?
    private var statusTimer: TimerIdentifier?
    /// Last logged reason why the daemon does not answer.
    private var problem: String?

    /// Minimum rate of a subscription. Unit: hertz.
    private static let minimumRate = 1.0
    /// Duration of one second. Unit: ns.
    private static let second: Int64 = 1_000_000_000

    /// Starts connecting to the daemon.
    ///
    /// - Parameters:
    ///   - poseRate: required rate of poses; the daemon sends at least one per second. Unit: hertz.
    ///   - statusInterval: interval of requests for its health. Unit: seconds.
    ///   - cursor: number of the last processed event, to continue after it; nil to start with the next event.
    init(
        _ reactor: Reactor, socket: String, poseRate: Double, statusInterval: Double, cursor: @escaping () -> Int64?,
        handler: @escaping (Event) -> Void
    ) {
        self.reactor = reactor
        self.socket = socket
        self.poseRate = max(poseRate, Self.minimumRate)
        self.cursor = cursor
        self.handler = handler
        timer = reactor.every(Self.second) { [unowned self] in open() }
        statusTimer = reactor.every(Int64(statusInterval * 1e9)) { [unowned self] in ask() }
        open()
    }

    func close() {
        for timer in [timer, statusTimer].compactMap({ $0 }) { reactor.cancel(timer) }
        for stream in [poses, scene, questions] { stream?.close() }
    }

    private func open() {
        if poses?.hasEnded ?? true { openPoses() }
        if scene?.hasEnded ?? true { openScene() }
        if questions?.hasEnded ?? true { openQuestions() }
    }

    private func openPoses() {
        poses?.close()
        poses = stream(
            ended: { [unowned self] in lose() },
            take: { [unowned self] (node) throws(DocumentProblem) in try takePose(node) })
        poses?.call(PoseInterface.Subscribe(rate: poseRate), more: true)
    }

    private func openScene() {
        scene?.close()
        scene = stream { [unowned self] (node) throws(DocumentProblem) in
            handler(.scene(try node.required("scene")))
        }
        let call = SceneInterface.Subscribe(
            rate: Self.minimumRate, hints: 0, eventsAfter: cursor().flatMap { Int(exactly: $0) })
        scene?.call(call, more: true)
    }

    private func openQuestions() {
        questions?.close()
        questions = stream { [unowned self] (node) throws(DocumentProblem) in
            handler(.status(try node.required("status")))
        }
        ask()
    }

    private func ask() { questions?.call(StatusInterface.GetStatus(), more: false) }

    /// Opens a connection; after unreadable input it is replaced within a second.
    private func stream(
        ended: @escaping () -> Void = {}, take: @escaping (JSONNode) throws(DocumentProblem) -> Void
    ) -> DaemonStream? {
        do throws(SystemError) {
            var stream: DaemonStream?
            stream = try DaemonStream(
                reactor, socket: socket,
                answered: { [weak self] answer in
                    guard let self, !accept(answer, take) else { return }
                    stream?.abandon()
                    ended()
                },
                ended: {
                    stream = nil
                    ended()
                })
            return stream
        } catch {
            report(error.description)
            return nil
        }
    }

    private func accept(
        _ answer: DaemonStream.Answer, _ take: (JSONNode) throws(DocumentProblem) -> Void
    ) -> Bool {
        switch answer {
        case .reply(let node):
            do throws(DocumentProblem) {
                try take(node)
                return true
            } catch {
                report("an answer that cannot be read: \(error)")
                return false
            }
        case .error(let name):
            report(name)
            return false
        }
    }

    private func takePose(_ node: JSONNode) throws(DocumentProblem) {
        let pose: PoseInterface.Pose = try node.required("pose")
        if problem != nil { Log.notice("the daemon answers") }
        problem = nil
        handler(.pose(pose))
    }

    private func lose() {
        report("the daemon has ended the connection")
        handler(.lost)
    }

    private func report(_ text: String) {
        if problem != text { Log.warning("no poses: \(text); trying again every second") }
        problem = text
    }
}
