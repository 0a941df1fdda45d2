import Linux
import WaymarkClient
import WaymarkInterface

/// `waymark route to` with a running navigator. The navigator finds the route, and any later route, for the daemon.
/// This class only reports the progress.
final class GuidedWatch {
    private let id: String
    private var output: NavigationOutput
    private let signals: SignalDescriptor
    private var changes: RouteChanges
    private var presence = NavigatorPresence()
    /// Connection; nil while the daemon does not answer.
    private var client: Waymark.Client?
    /// Time at which the daemon last failed to answer; nil again once its route was read. Unit: seconds.
    private var lostAt: Double?

    init(_ route: Waymark.Route, output: NavigationOutput, signals: SignalDescriptor) {
        id = route.id
        self.output = output
        self.signals = signals
        changes = RouteChanges(after: route)
    }

    /// Time limit for the navigator to find a route: the maximum of navigation.timeout_seconds, plus the time to read a
    /// document.
    private static let patience: Duration = .seconds(360)

    /// Asks the navigator for a route that the daemon then follows; nil if no navigator is registered, or if the daemon
    /// does not support navigators.
    static func begin(
        _ destination: NavigationDestination, profile: String?, cancel: Int32?
    ) throws -> (route: Waymark.Route, destination: Waymark.Destination)? {
        let client = try Waymark.Client(timeout: Self.patience, cancel: cancel)
        do {
            return try client.navigate(to: destination.request(profile: profile))
        } catch WaymarkError.scene(.noNavigator), WaymarkError.service(.methodNotFound) {
            return nil
        } catch WaymarkError.scene(.navigationFailed(let reason)) {
            throw CommandError.failed("\(Words.line(reason)); the current route is unchanged")
        } catch WaymarkError.scene(.notLocalized) {
            throw WearerPosition.unknown(try client.pose())
        }
    }

    func run() throws -> ExitCode {
        while try !signals.arrives(within: NavigationWatch.pause) {
            do {
                if let end = try look() { return end }
            } catch WaymarkError.cancelled {
                break
            } catch let error as WaymarkError where NavigationWatch.passes(error) {
                if lostAt == nil { Terminal.complain("waymark: \(error); waiting for the daemon") }
                (client, lostAt) = (nil, Self.now)
                presence.loseDaemon(at: Self.now)
            }
        }
        return .done
    }

    /// - Returns: exit code, which ends the command; nil to continue.
    private func look() throws -> ExitCode? {
        let client = try connected()
        do {
            return try report(try client.call(SceneInterface.GetRoute(from: 0, limit: 0)))
        } catch WaymarkError.scene(.noRoute) {
            // A daemon that has just started may still be reading its stored route.
            if let lostAt, Self.now - lostAt < NavigationWatch.restoring { return nil }
            try output.show(.cleared, nil)
            throw CommandError.failed("the route has been cleared")
        }
    }

    private func report(_ reply: SceneInterface.GetRoute.Reply) throws -> ExitCode? {
        guard reply.route.id == id else {
            try output.show(.replaced, reply.route)
            throw CommandError.failed("another route has been set, '\(Words.line(reply.route.name))'; it is kept")
        }
        lostAt = nil
        output.remainder = reply.destination?.remainder ?? 0
        for event in changes.next(reply.route) { try output.show(event, reply.route) }
        if reply.route.state == .arrived { return .done }
        if let event = presence.next(reply.navigator, at: Self.now) { try output.show(event, reply.route) }
        return nil
    }

    private func connected() throws(WaymarkError) -> Waymark.Client {
        if let client { return client }
        let made = try Waymark.Client(timeout: NavigationWatch.patience, cancel: signals.descriptor)
        client = made
        return made
    }

    private static var now: Double { Double(BootClock.nanoseconds) / 1e9 }
}
