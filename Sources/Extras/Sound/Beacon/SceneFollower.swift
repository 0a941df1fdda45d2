import JSON
import Linux
import WaymarkClient
import WaymarkInterface

/// The target in the daemon's scene, kept up to date on the reactor's thread.
final class SceneFollower {
    private let choice: TargetChoice
    private let outage = OutageLog("no scene of the daemon")
    private var subscription: DaemonSubscription?
    private var state = Waymark.SceneState()

    /// Current target; nil without a daemon, and while the scene does not have the chosen placement.
    private(set) var target: BeaconTarget?
    /// Whether the wearer is at the end of the route, and the target belongs to the route.
    private(set) var hasArrived = false

    /// Rate of messages. It can be low, because placements rarely move, and because `target` is rotated with each pose.
    /// Unit: hertz.
    private static let rate = 5.0

    init(_ reactor: Reactor, socket: String, choice: TargetChoice) {
        self.choice = choice
        subscription = DaemonSubscription(
            reactor, socket: socket, outage: outage, ending: "it has ended the connection",
            begin: { $0.call(SceneInterface.Subscribe(rate: Self.rate, hints: 0), more: true) },
            lost: { [unowned self] in (state, target, hasArrived) = (Waymark.SceneState(), nil, false) },
            take: { [unowned self] in try take($0) })
    }

    func close() { subscription?.close() }

    private func take(_ node: JSONNode) throws {
        let scene: SceneInterface.Scene = try node.required("scene")
        try state.apply(scene)
        outage.end()
        let found = choice.target(in: scene, state.placements)
        if let found, found.id != target?.id { Log.info("the target is \(found.id)") }
        target = found
        hasArrived = choice.isOfRoute && scene.route?.state == .arrived
    }
}

extension TargetChoice {
    fileprivate var isOfRoute: Bool {
        if case .placement = self { false } else { true }
    }
}
