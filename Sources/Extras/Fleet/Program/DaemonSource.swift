import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// The bridge's input from the daemon: poses, events and, periodically, the daemon's health.
final class DaemonSource {
    enum Event {
        case pose(PoseInterface.Pose)
        case scene(SceneNews)
        case status(StatusInterface.Status)
        /// The daemon no longer answers.
        case lost
    }

    private let reactor: Reactor
    private var subscriptions: [DaemonSubscription] = []
    private var statusTimer: TimerIdentifier?

    /// Minimum rate of a subscription. Unit: hertz.
    private static let minimumRate = 1.0

    /// Starts connecting to the daemon.
    ///
    /// - Parameters:
    ///   - poseRate: required rate of poses; the daemon sends at least one per second. Unit: hertz.
    ///   - statusInterval: interval of requests for the daemon's health. Unit: seconds.
    ///   - cursor: returns the number of the last processed event, after which to continue; nil to start with the next
    ///     event.
    init(
        _ reactor: Reactor, socket: String, poseRate: Double, statusInterval: Double, cursor: @escaping () -> Int64?,
        handler: @escaping (Event) -> Void
    ) {
        self.reactor = reactor
        // Only poses show that the daemon works again.
        let outage = OutageLog("no poses")
        let rate = max(poseRate, Self.minimumRate)
        let poses = DaemonSubscription(
            reactor, socket: socket, outage: outage,
            begin: { $0.call(PoseInterface.Subscribe(rate: rate), more: true) },
            lost: {
                outage.report("the daemon has ended the connection")
                handler(.lost)
            },
            take: { node in
                let pose: PoseInterface.Pose = try node.required("pose")
                outage.end()
                handler(.pose(pose))
            })
        let scene = DaemonSubscription(
            reactor, socket: socket, outage: outage,
            begin: { stream in
                let cursor = cursor().flatMap { Int(exactly: $0) }
                stream.call(
                    SceneInterface.Subscribe(rate: Self.minimumRate, hints: 0, eventsAfter: cursor), more: true)
            },
            take: { handler(.scene(try $0.required("scene"))) })
        let health = DaemonSubscription(
            reactor, socket: socket, outage: outage, begin: { $0.call(StatusInterface.GetStatus(), more: false) },
            take: { handler(.status(try $0.required("status"))) })
        subscriptions = [poses, scene, health]
        statusTimer = reactor.every(Int64(statusInterval * 1e9)) { [unowned health] in
            health.call(StatusInterface.GetStatus())
        }
    }

    func close() {
        if let statusTimer { reactor.cancel(statusTimer) }
        for subscription in subscriptions { subscription.close() }
    }
}
