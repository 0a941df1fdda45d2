import Configuration
import Linux
import WaymarkClient

/// Follows the daemon's route until the wearer has arrived, and requests another route whenever the wearer has left it.
///
/// The route is read once a second, because a subscription to the scene would deliver everything that is drawn. Like a
/// subscription, these calls keep the sensors at their full rate.
package final class NavigationWatch {
    private let navigator: Navigator
    private var output: NavigationOutput
    private let signals: SignalDescriptor
    private let socket: String
    private let now: () -> Double
    private var rerouting: Rerouting
    /// Connection; nil while the daemon does not answer.
    private var client: Waymark.Client?
    /// Time at which the daemon last failed to answer; nil again once its route was read. Unit: seconds.
    private var lostAt: Double?
    private var wasOffRoute = false
    /// Error of the last failed request; nil after a successful one.
    private var complaint: String?

    static let pause: Duration = .seconds(1)
    /// Timeout of each reply, because the daemon needs some time to read a long document.
    static let patience: Duration = .seconds(60)
    /// Time for a daemon that has just started to read its stored route. Unit: seconds.
    static let restoring = 5.0

    /// - Parameters:
    ///   - socket: the daemon's socket.
    ///   - now: returns the current boot time. The first value is taken as the time at which the current route was
    ///     requested. Unit: seconds.
    package init(
        _ navigator: Navigator, _ settings: Configuration.Navigation, output: NavigationOutput,
        signals: SignalDescriptor, socket: String = Waymark.Client.defaultPath,
        now: @escaping () -> Double = { Double(BootClock.nanoseconds) / 1e9 }
    ) {
        self.navigator = navigator
        self.output = output
        self.signals = signals
        self.socket = socket
        self.now = now
        rerouting = Rerouting(
            patience: settings.offRoutePatienceSeconds, minimumInterval: settings.minimumIntervalSeconds, askedAt: now()
        )
    }

    /// Whether the daemon may recover from this error: it has ended, is silent, or serves its maximum number of
    /// clients.
    static func passes(_ error: WaymarkError) -> Bool {
        error.isLimit || ExitCode(error) == .unreachable
    }

    func run() throws -> ExitCode {
        while try !signals.arrives(within: Self.pause) {
            do {
                if let end = try look() { return end }
            } catch WaymarkError.cancelled {
                break
            } catch RoutingProblem.cancelled {
                break
            }
        }
        return .done
    }

    /// Checks the route once.
    ///
    /// - Returns: exit code, which ends the command; nil to continue, also if the daemon does not answer.
    /// - Throws: `CommandError` if another client has replaced or cleared the route; `.cancelled` after a signal.
    package func look() throws -> ExitCode? {
        do {
            return try follow(try connected())
        } catch let error as WaymarkError where Self.passes(error) {
            lose(error)
            return nil
        }
    }

    private func follow(_ client: Waymark.Client) throws -> ExitCode? {
        guard let route = try ownRoute(client) else {
            if !isRestoring, rerouting.shouldAsk(isOffRoute: true, at: now()) { try ask(client, hasRoute: false) }
            return nil
        }
        if route.state == .arrived {
            try output.show(.arrived, route)
            return .done
        }
        try tell(route)
        if rerouting.shouldAsk(isOffRoute: route.state == .offRoute, at: now()) { try ask(client, hasRoute: true) }
        return nil
    }

    /// Reads the daemon's route; nil if a restarted daemon has none.
    private func ownRoute(_ client: Waymark.Client) throws -> Waymark.Route? {
        do {
            let route = try client.route()
            guard route.id == navigator.id else {
                try output.show(.replaced, route)
                throw CommandError.failed("another route has been set, '\(Words.line(route.name))'; it is kept")
            }
            lostAt = nil
            return route
        } catch WaymarkError.scene(.noRoute) {
            guard lostAt == nil else { return nil }
            try output.show(.cleared, nil)
            throw CommandError.failed("the route has been cleared")
        }
    }

    private var isRestoring: Bool { lostAt.map { now() - $0 < Self.restoring } ?? false }

    private func tell(_ route: Waymark.Route) throws {
        let isOffRoute = route.state == .offRoute
        defer { wasOffRoute = isOffRoute }
        if isOffRoute != wasOffRoute { try output.show(isOffRoute ? .offRoute : .onRoute, route) }
    }

    // MARK: - Another route

    /// Sets a route from the wearer's current position. If no route can be found, the current one stays.
    ///
    /// - Parameter hasRoute: whether the daemon follows a route of this navigator.
    private func ask(_ client: Waymark.Client, hasRoute: Bool) throws {
        guard let finding = try find(client, hasRoute: hasRoute) else { return }
        // The service may have been slow, and another client may have set a route meanwhile. If a route is being
        // replaced, the daemon itself checks for that.
        if !hasRoute, try ownRoute(client) != nil { return }
        do {
            let route = try navigator.set(finding, by: client, again: hasRoute)
            rerouting.asked(at: now(), succeeded: true)
            (complaint, wasOffRoute, lostAt) = (nil, false, nil)
            output.remainder = finding.remainder
            try output.show(.newRoute, route)
        } catch WaymarkError.scene(.otherRoute) {
            // The route was replaced during the request: the next check detects it.
            return
        } catch let error as WaymarkError {
            guard let problem = error.documentProblem ?? (error.isLimit ? "\(error)" : nil) else { throw error }
            fail(problem, hasRoute: hasRoute)
        }
    }

    /// Finds a route. If there is none, reports the reason and returns nil.
    private func find(_ client: Waymark.Client, hasRoute: Bool) throws -> RouteFinding? {
        do {
            return try navigator.find(by: client, cancel: signals.descriptor)
        } catch let problem as RoutingProblem where problem != .cancelled {
            fail("\(problem)", hasRoute: hasRoute)
        } catch let problem as CommandError {
            fail("\(problem)", hasRoute: hasRoute)
        } catch WaymarkError.pose(.notReady(let reason)) {
            fail(reason, hasRoute: hasRoute)
        }
        return nil
    }

    /// Records that a request has failed. Reports the problem, unless it is the last one reported.
    private func fail(_ problem: String, hasRoute: Bool) {
        rerouting.asked(at: now(), succeeded: false)
        guard complaint != problem else { return }
        complaint = problem
        let present = hasRoute ? "keeping the current one, and the request" : "the request"
        Terminal.complain("waymark: no new route: \(Words.line(problem)); \(present) will be retried")
    }

    // MARK: - The daemon

    private func connected() throws(WaymarkError) -> Waymark.Client {
        if let client { return client }
        let made = try Waymark.Client(path: socket, timeout: NavigationWatch.patience, cancel: signals.descriptor)
        client = made
        return made
    }

    private func lose(_ error: WaymarkError) {
        if lostAt == nil { Terminal.complain("waymark: \(error); waiting for the daemon") }
        client = nil
        lostAt = now()
    }
}

extension WaymarkError {
    /// Whether the daemon has refused the call because one of its limits is reached, such as the number of clients.
    var isLimit: Bool {
        if case .status(.limitExceeded) = self { return true }
        return false
    }
}
