import JSON
import Linux
import Persistence
import Scene
import Synchronization

/// Loads, plans and persists routes on a worker thread, so that no document, however long, delays the poses; on the
/// reactor a loaded route only replaces the present one.
final class RouteLoader {
    /// Why a route is not followed; the present one stays.
    enum Failure: Error {
        case document(DocumentProblem)
        /// Another route was to be replaced than this one; nil where there is none.
        case otherRoute(id: String?)
    }

    private let reactor: Reactor
    private let driver: EngineDriver
    private let worker: SerialWorker
    private let keeper: RouteRepository?
    private let newest: NewestRoute
    /// Settings of the routes that are set from now on.
    var settings: SceneSettings.Route

    /// Places for documents that wait, each of which may be as long as `ClientDocument.maximumSize`.
    private var places = SharedPlaces(ShareLimit(all: 4, ofUser: 2, reserve: 1))

    /// Number of the newest request to set a route or to clear it.
    private var newestRequest = 0
    /// Number of the request whose route is followed; 0 for one that was there at the start.
    private(set) var followedRequest = 0

    private typealias Reading = BackgroundTask<Never, Result<[UInt8], DocumentProblem>>

    /// - Parameters:
    ///   - file: in which the route is kept; nil keeps none.
    ///   - present: id of the route that is followed already.
    init(
        _ reactor: Reactor, driver: EngineDriver, file: WholeFile?, present: String?, settings: SceneSettings.Route
    ) throws(SystemError) {
        self.reactor = reactor
        self.driver = driver
        worker = try SerialWorker(reactor, name: "route")
        keeper = file.map(RouteRepository.init)
        newest = NewestRoute(present)
        self.settings = settings
    }

    /// Goes on with the route that the run before has kept, if there is one.
    func restore() {
        guard let keeper else { return }
        worker.perform { [settings, newest] in
            let plan = keeper.load().flatMap { RoutePlan($0, settings: settings) }
            if let plan { newest.become(plan.route.id, request: 0) }
            return plan
        } then: { [driver] plan in
            guard let plan else { return }
            Log.notice("route: \(Int(plan.length)) m, restored from the previous run")
            driver.follow(plan)
        }
    }

    /// Takes a place for a document of a user, unless a limit is reached, which is returned then.
    func takePlace(of user: UInt32) -> ShareLimit.Reached? { places.take(user) }

    /// Number of a request that is made now and whose document comes later: a route that is set or cleared meanwhile
    /// stays so.
    func takeNumber() -> Int {
        newestRequest += 1
        return newestRequest
    }

    /// Follows the route of a document, for which a place was taken.
    ///
    /// - Parameters:
    ///   - number: that of a request that was made before; nil for one that is made now.
    ///   - again: number of the request whose route is found again from elsewhere. It goes on being that request's, so
    ///     that a route that was asked for later takes its place, however long its document is read; every other route
    ///     than that one is kept.
    ///   - then: called on the reactor when it is followed, or with why it is not; the present route stays then.
    func set(
        _ source: RouteSource, number: Int? = nil, again: Int? = nil, user: UInt32,
        then: @escaping (Failure?) -> Void
    ) {
        let turn = Turn(request: number ?? takeNumber(), again: again)
        guard case .file = source.document else { return plan(source, turn, user, then: then) }
        readFile(source, turn, user, then: then)
    }

    /// Reads a document's file on a thread of its own: no other route waits for it, and one that was set meanwhile, or
    /// cleared, stays so. A file that is given up keeps its place until its thread can end.
    private func readFile(_ source: RouteSource, _ turn: Turn, _ user: UInt32, then: @escaping (Failure?) -> Void) {
        var isRead = false
        let handlers = Reading.Handlers(
            end: { [weak self] outcome in
                switch outcome {
                case .failure(let problem): then(.document(problem))
                case .success(let bytes):
                    var source = source
                    source.document = .bytes(bytes)
                    isRead = true
                    self?.plan(source, turn, user, then: then)
                }
            }, release: { [weak self] in if !isRead { self?.places.giveBack(user) } })
        do throws(SystemError) {
            _ = try Reading(
                reactor, name: "read route", patience: ClientDocument.patience, stuck: .failure(ClientDocument.stuck),
                handlers: handlers
            ) { context in Result { () throws(DocumentProblem) in try source.bytes(context.clock) } }
        } catch {
            places.giveBack(user)
            then(.document(DocumentProblem(path: "", message: "\(error)")))
        }
    }

    private func plan(_ source: RouteSource, _ turn: Turn, _ user: UInt32, then: @escaping (Failure?) -> Void) {
        worker.perform { [settings, keeper, newest] in
            Self.plan(source, turn, settings, keeper, newest)
        } then: { [weak self, driver] result in
            self?.places.giveBack(user)
            switch result {
            case .success(let plan):
                self?.followedRequest = turn.numberOfRoute
                driver.follow(plan)
                then(nil)
            case .failure(let problem): then(problem)
            }
        }
    }

    /// Takes the route away, and what is kept of it; also one whose file is still read, which is refused then.
    func clear(then: @escaping () -> Void) {
        newestRequest += 1
        worker.perform { [keeper, newest, newestRequest] in
            keeper?.forget()
            newest.become(nil, request: newestRequest)
        } then: { [driver] _ in
            driver.follow(nil)
            then()
        }
    }

    private static func plan(
        _ source: RouteSource, _ turn: Turn, _ settings: SceneSettings.Route, _ keeper: RouteRepository?,
        _ newest: NewestRoute
    ) -> Result<RoutePlan, Failure> {
        do throws(DocumentProblem) {
            // A document of 16 MiB becomes a tree of ten times that.
            defer { ProcessResources.returnFreeMemory() }
            let route = try source.read()
            guard let plan = RoutePlan(route, settings: settings) else {
                throw DocumentProblem(path: "", message: "the route has no length: all points are identical")
            }
            if let failure = newest.become(route.id, turn, after: source.replaces) {
                return .failure(failure)
            }
            keeper?.keep(route)
            return .success(plan)
        } catch {
            return .failure(.document(error))
        }
    }

    // MARK: the end

    /// Lets what waits be done, and the thread end.
    func requestEnd() { worker.requestEnd() }

    func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("route: the disk did not respond in time; the previous route may be restored at the next start")
        }
    }
}

/// Whose turn it is to take the place of the present route.
private struct Turn {
    /// Number of the request for this route.
    let request: Int
    /// Number of the request whose route it is another way of; nil for a route of its own.
    let again: Int?

    /// Number by which later routes are compared with this one.
    var numberOfRoute: Int { again ?? request }

    /// - Parameter present: number of the request of the present route.
    func hasCome(after present: Int) -> Bool { again.map { $0 == present } ?? (request > present) }
}

/// The id of the newest route on the worker thread, which loads one after the other: when a route reaches the reactor,
/// this is the one that is followed there, whatever else waits. A comparison on that thread leaves no moment in
/// between.
private final class NewestRoute: Sendable {
    /// The id, and the number of the request that has set or cleared it.
    private let state: Mutex<(id: String?, request: Int)>

    init(_ id: String?) { state = Mutex((id, 0)) }

    func become(_ new: String?, request: Int) { state.withLock { $0 = (new, request) } }

    /// - Parameters:
    ///   - turn: one that has not come changes nothing.
    ///   - replaced: only this one gives way; nil for any.
    /// - Returns: why it stays as it is; nil where it does not.
    func become(_ new: String, _ turn: Turn, after replaced: String?) -> RouteLoader.Failure? {
        state.withLock { present in
            guard turn.hasCome(after: present.request), replaced ?? present.id == present.id else {
                return .otherRoute(id: present.id)
            }
            present = (new, turn.numberOfRoute)
            return nil
        }
    }
}
