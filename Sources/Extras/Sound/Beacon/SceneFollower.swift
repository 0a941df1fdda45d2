import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// The target in the daemon's scene, kept up to date on the reactor's thread. After the daemon's end, it reconnects
/// once a second.
final class SceneFollower {
    private let reactor: Reactor
    private let socket: String
    private let choice: TargetChoice
    private var stream: DaemonStream?
    private var state = Waymark.SceneState()
    private var problem: String?

    /// Current target; nil without a daemon, and while the scene has no such placement.
    private(set) var target: BeaconTarget?
    /// Whether the wearer is at the end of the route, and the target belongs to the route.
    private(set) var hasArrived = false

    /// Rate of messages: placements rarely move, and `target` is rotated with each pose. Unit: hertz.
    private static let rate = 5.0
    /// Interval between two connection attempts. Unit: ns.
    private static let pause: Int64 = 1_000_000_000

    init(_ reactor: Reactor, socket: String, choice: TargetChoice) {
        self.reactor = reactor
        self.socket = socket
        self.choice = choice
        reactor.every(Self.pause) { [unowned self] in
            if stream?.hasEnded ?? true { open() }
        }
        open()
    }

    func close() { stream?.close() }

    private func open() {
        stream?.close()
        forget()
        do throws(SystemError) {
            stream = try DaemonStream(
                reactor, socket: socket, answered: { [unowned self] in take($0) },
                ended: { [unowned self] in
                    forget()
                    report("it has ended the connection")
                })
            stream?.call(SceneInterface.Subscribe(rate: Self.rate, hints: 0), more: true)
        } catch {
            report(error.description)
        }
    }

    private func forget() { (state, target, hasArrived) = (Waymark.SceneState(), nil, false) }

    private func take(_ answer: DaemonStream.Answer) {
        guard case .reply(let node) = answer else {
            if case .error(let name) = answer { report(name) }
            return abandon()
        }
        do {
            let scene: SceneInterface.Scene = try node.required("scene")
            try state.apply(scene)
            if problem != nil { Log.notice("the daemon answers") }
            problem = nil
            update(scene)
        } catch {
            report("an answer that cannot be read: \(error)")
            abandon()
        }
    }

    /// Ends the connection, which is retried within a second.
    private func abandon() {
        forget()
        stream?.abandon()
    }

    private func update(_ scene: SceneInterface.Scene) {
        let found = choice.target(in: scene, state.placements)
        if let found, found.id != target?.id { Log.info("the target is \(found.id)") }
        target = found
        hasArrived = choice.isOfRoute && scene.route?.state == .arrived
    }

    private func report(_ text: String) {
        if problem != text { Log.warning("no scene of the daemon: \(text); trying again every second") }
        problem = text
    }
}

extension TargetChoice {
    fileprivate var isOfRoute: Bool {
        if case .placement = self { false } else { true }
    }
}
