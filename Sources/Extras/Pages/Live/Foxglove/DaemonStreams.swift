import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// Receives the data that clients need from the daemon, and no other data. A stream is opened when the first client
/// needs it, and closed within a second after the last client stops needing it, so that an idle board saves power. If
/// the daemon ends, this class reconnects once a second.
final class DaemonStreams {
    enum Event {
        case pose(PoseInterface.Pose)
        /// The newest pose, which is requested to learn its time; nil before the first pose.
        case newestPose(PoseInterface.Pose?)
        case frame(PoseInterface.Frame)
        case scene(SceneInterface.Scene)
        case status(StatusInterface.Status)
        case aids(AidInterface.List.Reply)
        /// Part of the route; nil if there is no route.
        case route(SceneInterface.GetRoute.Reply?)
        /// Data that is no longer received, because clients no longer need it.
        case unneeded(DaemonNeeds)
        /// The daemon does not answer, so that all its data is outdated.
        case lost
    }

    /// Rates of the streams. Unit: hertz.
    private static let (poseRate, sceneRate) = (60.0, 10.0)
    /// Interval of the timer. Unit: ns.
    private static let interval: Int64 = 1_000_000_000

    /// Data that clients need now.
    var needs: DaemonNeeds = [] {
        didSet { if needs != oldValue { open() } }
    }

    /// Data that was needed at the last tick.
    private var held: DaemonNeeds = []
    private let reactor: Reactor
    private let socket: String
    private let handler: (Event) -> Void
    private var streams: [DaemonNeeds: DaemonSubscription] = [:]
    private var questions: DaemonQuestions?
    /// Whether the daemon's time is known. Streams are opened only then, so that all their data has a timestamp.
    private var isReady = false
    private var timer: TimerIdentifier?

    init(_ reactor: Reactor, socket: String, handler: @escaping (Event) -> Void) {
        self.reactor = reactor
        self.socket = socket
        self.handler = handler
        timer = reactor.every(Self.interval) { [weak self] in self?.tick() }
    }

    /// Requests further vertices of the route.
    func askForRoute(from index: Int) { questions?.ask(.route(from: index)) }

    func close() {
        if let timer { reactor.cancel(timer) }
        needs = []
        tick()
    }

    private func tick() {
        let unneeded = held.subtracting(needs)
        held = needs
        defer { if !unneeded.isEmpty { handler(.unneeded(unneeded)) } }
        if needs.isEmpty { return end() }
        if let questions, questions.isStuck {
            questions.close()
            lose()
        }
        closeStreams { !needs.contains($0) }
        open()
        questions?.askAll(needs, isReady: isReady)
    }

    private func end() {
        isReady = false
        questions?.close()
        questions = nil
        closeStreams { _ in true }
    }

    /// Closes the streams, because the connection for requests has ended or does not answer. `tick` replaces that
    /// connection.
    private func lose() {
        isReady = false
        closeStreams { _ in true }
        handler(.lost)
    }

    private func closeStreams(where isClosed: (DaemonNeeds) -> Bool) {
        for (need, stream) in streams where isClosed(need) {
            stream.close()
            streams[need] = nil
        }
    }

    private func open() {
        guard !needs.isEmpty else { return }
        if questions?.hasEnded ?? true { openQuestions() }
        guard isReady else { return }
        for need: DaemonNeeds in [.frames, .poses, .scene] where needs.contains(need) && streams[need] == nil {
            openStream(need)
        }
    }

    private func openQuestions() {
        do throws(SystemError) {
            questions = try DaemonQuestions(
                reactor, socket: socket, answered: { [unowned self] in answered($0) },
                ended: { [unowned self] in lose() })
            questions?.askAll(needs, isReady: false)
        } catch {
            questions = nil
            handler(.lost)
        }
    }

    private func answered(_ event: Event) {
        handler(event)
        guard case .newestPose = event, !isReady else { return }
        isReady = true
        open()
    }

    private func openStream(_ need: DaemonNeeds) {
        // One for each stream: while one of them is refused, the others may go on.
        let outage = OutageLog("a stream for Foxglove is missing")
        streams[need] = DaemonSubscription(
            reactor, socket: socket, outage: outage,
            begin: { stream in
                switch need {
                case .poses: stream.call(PoseInterface.Subscribe(rate: Self.poseRate), more: true)
                case .frames: stream.call(SceneInterface.SubscribeFrame(), more: true)
                default: stream.call(SceneInterface.Subscribe(rate: Self.sceneRate, events: false), more: true)
                }
            },
            take: { [unowned self] node in
                let event = try Self.event(node, need)
                outage.end()
                handler(event)
            })
    }

    private static func event(_ node: JSONNode, _ need: DaemonNeeds) throws(DocumentProblem) -> Event {
        switch need {
        case .poses: .pose(try node.required("pose"))
        case .frames: .frame(try node.required("frame"))
        default: .scene(try node.required("scene"))
        }
    }
}
