import Configuration
import Geometry
import Linux
import WaymarkClient
import WaymarkInterface

/// Answers the daemon's requests for routes, and requests another route if the wearer has left the current one.
///
/// The route is read once a second, and only while a route to a destination is followed, because calls to the daemon
/// keep the sensors at their full rate.
final class NavigatorDuty {
    private let service: RoutingService
    private let profile: String
    private let timeoutSeconds: Double
    private let asJSON: Bool
    private let signals: SignalDescriptor
    private var rerouting: Rerouting
    private var changes = RouteChanges()
    /// Whether the daemon may be following a route to a destination.
    private var isGuiding = true
    /// Time of the next check of the route. Unit: seconds.
    private var lookAt = 0.0
    /// Time until which a daemon that has just started may still be reading its stored route. Unit: seconds.
    private var restoredAt = 0.0
    /// Pending call for another route; nil if there is none. The daemon replies to it only after this program has
    /// answered the request for that route.
    private var reroute: Waymark.Updates<SceneInterface.Reroute.Reply>?
    /// Last reported problem; nil after a success.
    private var complaint: String?

    /// Connections to one daemon.
    private struct Connections {
        let requests: Waymark.Updates<Waymark.NavigationRequest?>
        /// Readable when a request has arrived, or when the daemon has closed the connection.
        let descriptor: Int32
        let calls: Waymark.Client
        /// Client that keeps `descriptor` open.
        let serving: Waymark.Client
    }

    private static let interval = 1.0
    /// Maximum length of a reason that the daemon accepts. Unit: bytes.
    private static let maximumReasonLength = 500

    init(
        _ service: RoutingService, profile: String, _ settings: Configuration.Navigation, asJSON: Bool,
        signals: SignalDescriptor
    ) {
        self.service = service
        self.profile = profile
        timeoutSeconds = settings.timeoutSeconds
        self.asJSON = asJSON
        self.signals = signals
        rerouting = Rerouting(
            patience: settings.offRoutePatienceSeconds, minimumInterval: settings.minimumIntervalSeconds,
            askedAt: Self.now)
    }

    /// - Throws: the daemon's refusal, such as that another navigator is registered.
    func run() throws -> ExitCode {
        repeat {
            do {
                try serve(try connect())
            } catch WaymarkError.cancelled {
                return .done
            } catch let error as WaymarkError where NavigationWatch.passes(error) {
                complain("\(error); waiting for the daemon")
            }
        } while try !signals.arrives(within: NavigationWatch.pause)
        return .done
    }

    private func connect() throws(WaymarkError) -> Connections {
        let serving = try Waymark.Client(timeout: NavigationWatch.patience, cancel: signals.descriptor)
        let calls = try Waymark.Client(timeout: NavigationWatch.patience, cancel: signals.descriptor)
        let requests = try serving.navigationRequests(service: "\(service)")
        _ = try requests.next(timeout: NavigationWatch.patience)
        (reroute, isGuiding, restoredAt) = (nil, true, Self.now + NavigationWatch.restoring)
        return Connections(requests: requests, descriptor: serving.descriptor, calls: calls, serving: serving)
    }

    private func serve(_ daemon: Connections) throws {
        while true {
            do {
                guard let reply = try daemon.requests.next(timeout: .seconds(Self.interval)) else {
                    throw WaymarkError.disconnected
                }
                if let request = reply { try answer(request, daemon) }
            } catch WaymarkError.timedOut {
                // No request has arrived, so it is time to check the route.
            }
            try look(daemon.calls)
        }
    }

    // MARK: requests

    private func answer(_ request: Waymark.NavigationRequest, _ daemon: Connections) throws {
        do {
            try answerOrFail(request, daemon)
        } catch WaymarkError.scene(.noSuchRequest) {
            // The request was cancelled, or replaced by a later one.
        } catch let error as WaymarkError {
            guard let problem = error.documentProblem else { throw error }
            complain("no route: \(problem)")
        }
    }

    private func answerOrFail(_ request: Waymark.NavigationRequest, _ daemon: Connections) throws {
        let problem: String
        do {
            guard let finding = try find(request, daemon) else { return }
            try daemon.calls.answerNavigation(
                request.id, document: finding.document, format: Waymark.RouteFormat(word: finding.format),
                precision: finding.precision)
            complaint = nil
            return (isGuiding, lookAt) = (true, Self.now)
        } catch let failure as RoutingProblem {
            problem = "\(failure)"
        } catch let error as WaymarkError where error.isLimit {
            problem = "\(error)"
        }
        complain("no route: \(problem)")
        // This call is refused if the caller has left while the service was working; `answer` ignores that.
        try daemon.calls.failNavigation(request.id, reason: Self.reason(problem))
    }

    /// Finds the requested route. Returns nil if a requested position is invalid, or if the search is interrupted by a
    /// later request, a signal, or the daemon closing the connection.
    private func find(_ request: Waymark.NavigationRequest, _ daemon: Connections) throws -> RouteFinding? {
        guard let from = GeodeticPosition(request.from.latitude, request.from.longitude),
            let to = GeodeticPosition(request.to.latitude, request.to.longitude)
        else { return nil }
        let finder = RouteFinder(
            service: service, profile: request.profile ?? profile, timeoutSeconds: timeoutSeconds)
        let interruption = try AnyDescriptor([signals.descriptor, daemon.descriptor])
        do throws(RoutingProblem) {
            return try finder.find(from: from, to: to, cancel: interruption.descriptor)
        } catch .cancelled {
            return nil
        } catch {
            throw error
        }
    }

    /// Cuts the description of a problem to the daemon's limit.
    private static func reason(_ problem: String) -> String {
        var reason = problem
        while reason.utf8.count > maximumReasonLength { reason.removeLast() }
        return reason
    }

    // MARK: the route

    private func look(_ client: Waymark.Client) throws {
        try takeReroute()
        guard isGuiding, Self.now >= lookAt else { return }
        lookAt = Self.now + Self.interval
        do {
            let reply = try client.call(SceneInterface.GetRoute(from: 0, limit: 0))
            guard let destination = reply.destination else { return isGuiding = false }
            try follow(reply.route, destination)
        } catch WaymarkError.scene(.noRoute) {
            changes = RouteChanges()
            isGuiding = Self.now < restoredAt
        }
    }

    private func follow(_ route: Waymark.Route, _ destination: Waymark.Destination) throws {
        let output = try NavigationOutput(asJSON: asJSON, destination)
        for event in changes.next(route) {
            if event == .set { rerouting = rerouting.restarted(at: Self.now) }
            try output.show(event, route)
        }
        isGuiding = route.state != .arrived
        guard rerouting.shouldAsk(isOffRoute: route.state == .offRoute, at: Self.now), reroute == nil else { return }
        let client = try Waymark.Client(timeout: NavigationWatch.patience, cancel: signals.descriptor)
        reroute = try client.stream(SceneInterface.Reroute())
    }

    private func takeReroute() throws {
        guard let reroute else { return }
        do {
            _ = try reroute.next(timeout: .zero)
            rerouting.asked(at: Self.now, succeeded: true)
            complaint = nil
        } catch WaymarkError.timedOut {
            return
        } catch WaymarkError.cancelled {
            throw WaymarkError.cancelled
        } catch {
            rerouting.asked(at: Self.now, succeeded: false)
            // The reason of this failure was already reported.
            if case .scene(.navigationFailed) = error {} else { complain("no new route: \(error)") }
        }
        self.reroute = nil
    }

    /// Reports a problem, unless it was the last one reported. Omits the name of a destination, because the journal
    /// would keep it.
    private func complain(_ problem: String) {
        guard complaint != problem else { return }
        complaint = problem
        Terminal.complain("waymark: \(Words.line(problem))")
    }

    private static var now: Double { Double(BootClock.nanoseconds) / 1e9 }
}
