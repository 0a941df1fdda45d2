import Documents
import Geometry
import Linux
import Scene
import Varlink
import WaymarkInterface

/// Gets routes to destinations, one request at a time. The registered navigator finds the routes. Without a navigator,
/// routes are straight lines. A failed request leaves the present route unchanged.
final class NavigationService {
    /// The route, or the error that says why there is none.
    typealias Outcome = Result<RouteProgress, VarlinkError>

    /// A call that waits for the route.
    struct Waiter {
        /// The caller; nil for a call without a reply, whose caller may disconnect.
        let client: ClientIdentifier?
        let answer: (Outcome) -> Void

        init(_ call: Call, answer: @escaping (Outcome) -> Void) {
            client = call.isOneway ? nil : call.client
            self.answer = answer
        }
    }

    /// A route that is asked for.
    struct Request {
        /// Number from `RouteLoader.takeNumber`. If a request with a later number has set or cleared the route, this
        /// request does not change it.
        let number: Int
        let destination: RouteDestination
        let id: String
        let allowsStraightLine: Bool
        /// User in whose share of waiting documents a straight line counts.
        let user: UInt32
        /// ID of the only route that this route may replace; nil for any.
        var replaces: String?
        /// Request number of the original route if this route is an alternative to it: see `RouteLoader.set`.
        var again: Int?
    }

    /// A request that waits for the navigator.
    private struct Pending {
        let request: Request
        let from: GeodeticPosition
        var waiters: [Waiter]
        var timer: TimerIdentifier?

        func answer(_ result: Outcome) {
            for waiter in waiters { waiter.answer(result) }
        }
    }

    private let reactor: Reactor
    private let driver: EngineDriver
    private let loader: RouteLoader
    /// Time limit that the navigator sets for its own requests. Unit: seconds.
    var timeoutSeconds: Double
    private(set) var navigator: RegisteredNavigator?
    private var pending: Pending?
    /// Number of the newest request that was begun.
    private var begun = 0
    private var isEnding = false

    /// Time added to the navigator's own time limit, so that its more specific error message arrives first. Unit:
    /// seconds.
    private static let grace = 1.0

    init(_ reactor: Reactor, driver: EngineDriver, loader: RouteLoader, timeoutSeconds: Double) {
        self.reactor = reactor
        self.driver = driver
        self.loader = loader
        self.timeoutSeconds = timeoutSeconds
    }

    // MARK: requests

    /// Finds a route from the wearer's position; replaces a request that is still pending.
    func begin(_ request: Request, _ waiters: [Waiter]) {
        func refuse(_ failure: VarlinkError) { for waiter in waiters { waiter.answer(.failure(failure)) } }
        guard request.number > begun else { return refuse(.navigationSuperseded) }
        guard let from = driver.engine.pose?.geodetic else { return refuse(.noPosition) }
        begun = request.number
        end(.navigationSuperseded)
        pending = Pending(request: request, from: from, waiters: waiters)
        proceed()
    }

    /// Makes a call wait for the pending route request; returns false if no request is pending.
    func join(_ waiter: Waiter) -> Bool {
        guard pending != nil else { return false }
        pending?.waiters.append(waiter)
        return true
    }

    /// Cancels the requests of a client whose connection has ended.
    func disconnect(_ client: ClientIdentifier) {
        pending?.waiters.removeAll { $0.client == client }
        if pending?.waiters.isEmpty == true { _ = takePending() }
    }

    /// Fails the pending request, and sets no route from then on. Called when the daemon ends.
    func stop() {
        isEnding = true
        end(.navigationFailed("the daemon is stopping: try again"))
    }

    private func proceed() {
        guard let pending, !isEnding else { return }
        guard let navigator else { return drawStraightLine() }
        navigator.ask(
            SceneInterface.NavigationRequest(
                id: pending.request.number, from: pending.from.location,
                to: pending.request.destination.position.location, profile: pending.request.destination.profile,
                name: pending.request.destination.name))
        let seconds = timeoutSeconds + Self.grace
        self.pending?.timer = reactor.after(Int64(seconds * 1e9)) { [weak self] in
            self?.end(.navigationTimedOut(seconds))
        }
    }

    private func drawStraightLine() {
        guard let pending = takePending() else { return }
        guard pending.request.allowsStraightLine else { return pending.answer(.failure(.noNavigator)) }
        guard let line = StraightLine.document(from: pending.from, to: pending.request.destination.position) else {
            return pending.answer(.failure(.navigationFailed("the destination is less than a metre away")))
        }
        if let reached = loader.takePlace(of: pending.request.user) {
            return pending.answer(.failure(.limitExceeded(.waitingRoutes, reached.maximum)))
        }
        let source = RouteSource(document: .bytes(line), format: .geojson, id: pending.request.id)
        load(source, pending, .straightLine, user: pending.request.user) { _ in }
    }

    /// Follows the route of a document for which a slot has been taken (`RouteLoader.takePlace`).
    private func load(
        _ source: RouteSource, _ pending: Pending, _ finder: RouteGuidance.Finder, user: UInt32,
        then: @escaping (RouteLoader.Failure?) -> Void
    ) {
        let request = pending.request
        var source = source
        (source.id, source.name, source.replaces) = (request.id, request.destination.name, request.replaces)
        source.guidance = RouteGuidance(destination: request.destination, finder: finder)
        loader.set(source, number: request.number, again: request.again, user: user) { [driver] failure in
            then(failure)
            switch failure {
            case .document(let problem)?:
                pending.answer(.failure(.navigationFailed("the navigator's route cannot be read: \(problem)")))
            case .otherRoute?: pending.answer(.failure(.navigationSuperseded))
            case nil:
                pending.answer(driver.engine.progress.map { .success($0) } ?? .failure(.navigationSuperseded))
            }
        }
    }

    private func end(_ failure: VarlinkError) { takePending()?.answer(.failure(failure)) }

    private func takePending() -> Pending? {
        guard let taken = pending else { return nil }
        if let timer = taken.timer { reactor.cancel(timer) }
        pending = nil
        return taken
    }

    // MARK: the navigator

    /// Makes a program the navigator until its stream ends; there must be no navigator yet.
    func register(_ navigator: RegisteredNavigator) {
        self.navigator = navigator
        navigator.stream.onEnd = { [weak self] in self?.unregister() }
    }

    /// Forgets the navigator, which has gone. Continues a request that waited for it as if there had never been a
    /// navigator.
    private func unregister() {
        guard let gone = navigator else { return }
        navigator = nil
        Log.notice("navigator: process \(gone.process) has gone; routes are straight lines")
        guard let timer = pending?.timer else { return }
        reactor.cancel(timer)
        pending?.timer = nil
        proceed()
    }

    func isWaiting(_ number: Int) -> Bool { pending?.request.number == number }

    /// Ends the pending request with the navigator's reason.
    func fail(_ reason: String) { end(.navigationFailed(reason)) }

    /// Follows the navigator's route. A slot for its document has been taken.
    ///
    /// - Parameters:
    ///   - user: user to whose share the slot belongs.
    ///   - then: called with the reason why the route is not followed; nil if it is followed.
    func answer(_ source: RouteSource, user: UInt32, then: @escaping (RouteLoader.Failure?) -> Void) {
        guard let pending = takePending() else { return }
        load(source, pending, .navigator(service: navigator?.service), user: user, then: then)
    }
}

extension GeodeticPosition {
    /// The position as a location without a height.
    var location: SceneInterface.Location {
        SceneInterface.Location(latitude: latitudeDegrees, longitude: longitudeDegrees)
    }
}

/// The program that finds routes for the daemon, which itself never uses the network.
final class RegisteredNavigator {
    /// Routing service that the navigator uses, in its own words; nil if it does not report one.
    let service: String?
    /// Process and user that have registered the navigator, according to the kernel.
    let process: Int
    let user: Int
    let stream: ReplyStream

    init(_ stream: ReplyStream, service: String?, process: Int, user: Int) {
        self.stream = stream
        self.service = service
        self.process = process
        self.user = user
        stream.offer(EncodedMessage(json: SceneInterface.ServeNavigation.Reply(request: nil)))
    }

    /// Asks for a route. The new request replaces one that the navigator has not read yet.
    func ask(_ request: SceneInterface.NavigationRequest) {
        stream.offer(EncodedMessage(json: SceneInterface.ServeNavigation.Reply(request: request)))
    }
}
