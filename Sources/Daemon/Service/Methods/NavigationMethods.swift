import Configuration
import Documents
import JSON
import Linux
import Messages
import Scene
import Varlink
import WaymarkInterface

/// `NavigateTo`, `Reroute`, `ServeNavigation` and `AnswerNavigation` of `org.waymark.Scene`.
final class NavigationMethods {
    private let driver: EngineDriver
    private let loader: RouteLoader
    private let service: NavigationService
    private let search: DestinationSearch
    /// Number of searches for destinations that still run.
    private var searches = 0
    /// Calls of `Reroute` that came during a search. They get the route to the destination that is being searched for,
    /// because it was requested before them.
    private var postponed: [Call] = []
    private let publisher: ScenePublisher

    /// Maximum length of a name. Unit: bytes.
    private static let maximumNameLength = 200
    /// Maximum length of other texts. Unit: bytes.
    private static let maximumTextLength = 500

    init(
        driver: EngineDriver, loader: RouteLoader, service: NavigationService, search: DestinationSearch,
        publisher: ScenePublisher
    ) {
        self.driver = driver
        self.loader = loader
        self.service = service
        self.search = search
        self.publisher = publisher
    }

    // MARK: for callers who want a route

    func navigate(_ request: SceneInterface.NavigateTo, _ call: Call) throws(VarlinkError) {
        try check(request.name, "name", maximumLength: Self.maximumNameLength)
        guard request.profile.map(RoutingService.isProfile) ?? true else { throw .invalidParameter("profile") }
        let number = loader.takeNumber()
        let waiter = waiter(call) { SceneInterface.NavigateTo.Reply(route: $0, destination: $1) }
        searches += 1
        do throws(VarlinkError) {
            try search.find(request) { [self] result in
                searches -= 1
                switch result {
                case .failure(let error): call.fail(error)
                case .success(let destination) where call.hasClient:
                    let wanted = NavigationService.Request(
                        number: number, destination: destination, id: Self.newID(),
                        allowsStraightLine: request.straightLine ?? true, user: call.peer.user)
                    service.begin(wanted, [waiter] + takePostponed().map(rerouteWaiter))
                case .success: break
                }
                if searches == 0 { resumePostponed() }
            }
        } catch {
            searches -= 1
            throw error
        }
    }

    func reroute(_ call: Call) throws(VarlinkError) {
        guard searches == 0 else { return postponed.append(call) }
        let waiter = rerouteWaiter(call)
        if service.join(waiter) { return }
        guard let route = driver.engine.progress?.route, let destination = route.destination else {
            throw VarlinkError(SceneInterface.Failure.noRoute)
        }
        let wanted = NavigationService.Request(
            number: loader.takeNumber(), destination: destination, id: route.id, allowsStraightLine: true,
            user: call.peer.user, replaces: route.id, again: loader.followedRequest)
        service.begin(wanted, [waiter])
    }

    /// Returns the postponed calls whose callers are still connected, and empties the list.
    private func takePostponed() -> [Call] {
        defer { postponed = [] }
        return postponed.filter(\.hasClient)
    }

    /// Resumes the calls that are still postponed because no search has led to a request.
    private func resumePostponed() {
        for call in takePostponed() {
            do throws(VarlinkError) {
                try reroute(call)
            } catch {
                call.fail(error)
            }
        }
    }

    private func rerouteWaiter(_ call: Call) -> NavigationService.Waiter {
        waiter(call) { SceneInterface.Reroute.Reply(route: $0, destination: $1) }
    }

    /// Returns an ID that no other route has, so that clients recognise their route.
    private static func newID() -> String { "to-" + String(UInt64.random(in: 0 ... .max), radix: 36) }

    private func waiter(
        _ call: Call, reply: @escaping (SceneInterface.Route, SceneInterface.Destination) -> some JSONWritable
    ) -> NavigationService.Waiter {
        NavigationService.Waiter(call) { [language = publisher.language] result in
            switch result {
            case .failure(let failure): call.fail(failure)
            case .success(let progress):
                guard let destination = progress.route.destinationMessage else {
                    return call.fail(.navigationSuperseded)
                }
                Log.notice("route: \(Int(progress.length)) m, to a destination of client \(call.peer.process)")
                call.reply(json: reply(RouteStatus(progress).message(in: language), destination))
            }
        }
    }

    // MARK: for the navigator

    func serve(_ request: SceneInterface.ServeNavigation, _ call: Call) throws(VarlinkError) {
        try check(request.service, "service", maximumLength: Self.maximumTextLength)
        if let holder = service.navigator {
            throw VarlinkError(
                SceneInterface.Failure.navigatorRegistered(
                    process: holder.process, user: holder.user, service: holder.service))
        }
        guard let stream = call.stream() else { return }
        let process = Int(call.peer.process)
        service.register(
            RegisteredNavigator(stream, service: request.service, process: process, user: Int(call.peer.user)))
        Log.notice("navigator: process \(process) finds routes")
    }

    func answer(_ request: SceneInterface.AnswerNavigation, _ call: Call) throws(VarlinkError) {
        try check(request.failure, "failure", maximumLength: Self.maximumTextLength)
        let source = try source(request, call)
        guard service.isWaiting(request.request), service.navigator?.user == Int(call.peer.user) else {
            throw .noSuchRequest(request.request)
        }
        guard let source else {
            service.fail(request.failure ?? "")
            return call.reply()
        }
        let user = call.peer.user
        if let reached = loader.takePlace(of: user) { throw .limitExceeded(.waitingRoutes, reached.maximum) }
        service.answer(source, user: user) { failure in
            switch failure {
            case nil: call.reply()
            case .document(let problem)?:
                call.fail(
                    VarlinkError(SceneInterface.Failure.invalidDocument(path: problem.path, reason: problem.message)))
            case .otherRoute?: call.fail(.noSuchRequest(request.request))
            }
        }
    }

    /// Returns the route of the answer; nil if the answer is a failure.
    private func source(
        _ request: SceneInterface.AnswerNavigation, _ call: Call
    ) throws(VarlinkError) -> RouteSource? {
        if request.failure != nil {
            guard request.document == nil, request.descriptor == nil else { throw .invalidParameter("failure") }
            return nil
        }
        return RouteSource(
            document: try ClientDocument(request.document, request.descriptor, call),
            format: request.format.map(RouteFormat.init),
            precision: try EncodedPolyline.Precision(decimals: request.precision), id: "")
    }

    private func check(_ text: String?, _ parameter: String, maximumLength: Int) throws(VarlinkError) {
        guard let text else { return }
        guard !text.isEmpty, text.utf8.count <= maximumLength else { throw .invalidParameter(parameter) }
    }
}
