import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// Requests values from the daemon once a second, one call after another on one connection.
final class DaemonQuestions {
    enum Question: Hashable {
        case pose
        case status
        case aids
        /// Vertices of the route from this index on. With nil, the route is requested without vertices.
        case route(from: Int?)
    }

    /// Number of route vertices in a reply.
    private static let page = 5000
    /// Number of seconds without an answer after which the daemon counts as lost.
    private static let patience = 5

    private var stream: DaemonStream?
    private let answered: (DaemonStreams.Event) -> Void
    private var waiting: [Question] = []
    private var isAsking = false
    private var silence = 0

    init(
        _ reactor: Reactor, socket: String, answered: @escaping (DaemonStreams.Event) -> Void,
        ended: @escaping () -> Void
    ) throws(SystemError) {
        self.answered = answered
        stream = try DaemonStream(
            reactor, socket: socket, answered: { [unowned self] in take($0) }, ended: ended)
    }

    /// Whether the daemon has closed the connection or sent an invalid reply.
    var hasEnded: Bool { stream?.hasEnded ?? true }

    /// Whether the connection has ended, or the daemon has not answered for too long.
    var isStuck: Bool { hasEnded && stream != nil || silence > Self.patience }

    /// Requests the values that are needed; called once a second.
    ///
    /// - Parameter isReady: whether the daemon's time is known.
    func askAll(_ needs: DaemonNeeds, isReady: Bool) {
        guard waiting.isEmpty else { return silence += 1 }
        silence = 0
        // The stream of poses includes the time, so that no request is needed for it.
        if !isReady || !needs.contains(.poses) { ask(.pose) }
        if needs.contains(.status) { ask(.status) }
        if needs.contains(.aids) { ask(.aids) }
        if needs.contains(.route) { ask(.route(from: nil)) }
    }

    /// Makes a request when the pending ones are answered.
    func ask(_ question: Question) {
        waiting.append(question)
        if waiting.count == 1 { send(question) }
    }

    func close() {
        stream?.close()
        stream = nil
    }

    private func send(_ question: Question) {
        switch question {
        case .pose: stream?.call(PoseInterface.GetPose(), more: false)
        case .status: stream?.call(StatusInterface.GetStatus(), more: false)
        case .aids: stream?.call(AidInterface.List(), more: false)
        case .route(let from):
            stream?.call(SceneInterface.GetRoute(from: from, limit: from == nil ? 0 : Self.page), more: false)
        }
    }

    private func take(_ answer: DaemonStream.Answer) {
        guard let question = waiting.first else { return }
        silence = 0
        if let event = Self.event(question, answer) { answered(event) }
        waiting.removeFirst()
        if let next = waiting.first { send(next) }
    }

    /// Converts an answer to an event; nil if the answer has no consequences.
    private static func event(_ question: Question, _ answer: DaemonStream.Answer) -> DaemonStreams.Event? {
        switch (question, answer) {
        case (.pose, .reply(let node)): (try? PoseInterface.GetPose.Reply(node)).map { .newestPose($0.pose) }
        case (.pose, .error): .newestPose(nil)
        case (.status, .reply(let node)): (try? StatusInterface.GetStatus.Reply(node)).map { .status($0.status) }
        case (.aids, .reply(let node)): (try? AidInterface.List.Reply(node)).map { .aids($0) }
        case (.route, .reply(let node)): (try? SceneInterface.GetRoute.Reply(node)).map { .route($0) }
        case (.route, .error("org.waymark.Scene.NoRoute")): .route(nil)
        case (.status, .error), (.aids, .error), (.route, .error): nil
        }
    }
}
