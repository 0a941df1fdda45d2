import Documents
import JSON
import Linux
import Persistence
import Scene
import Synchronization

/// Loads, plans and persists routes on a worker thread, so that no document, however long, delays the poses. The
/// reactor only replaces the present route with the loaded one.
final class RouteLoader {
    /// Reason why a route is not followed. The present route then stays.
    enum Failure: Error {
        case document(DocumentProblem)
        /// The route that was to be replaced is not the present one. The ID is that of the present route; nil if there
        /// is none.
        case otherRoute(id: String?)
    }

    private let driver: EngineDriver
    private let worker: SerialWorker
    private let keeper: RouteRepository?
    private let newest: NewestRoute
    /// Settings for routes that are set later.
    var settings: SceneSettings.Route

    private let documents: DocumentReader

    /// Number of the newest request to set a route or to clear it.
    private var newestRequest = 0
    /// Number of the request whose route is followed; 0 for a route from the start of the daemon.
    private(set) var followedRequest = 0

    /// - Parameters:
    ///   - file: file in which the route is kept; nil to keep none.
    ///   - present: ID of the route that is followed already; nil if there is none.
    init(
        _ reactor: Reactor, driver: EngineDriver, file: WholeFile?, present: String?, settings: SceneSettings.Route
    ) throws(SystemError) {
        documents = DocumentReader(reactor, name: "read route", ShareLimit(all: 4, ofUser: 2, reserve: 1))
        self.driver = driver
        worker = try SerialWorker(reactor, name: "route")
        keeper = file.map(RouteRepository.init)
        newest = NewestRoute(present)
        self.settings = settings
    }

    /// Continues the route that the previous run has kept, if there is one.
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

    /// Takes a slot for a document of a user; returns the limit if one is reached.
    func takePlace(of user: UInt32) -> ShareLimit.Reached? { documents.takePlace(of: user) }

    /// Returns a number for a request that is made now and whose document comes later. The document is refused if a
    /// route is set or cleared meanwhile.
    func takeNumber() -> Int {
        newestRequest += 1
        return newestRequest
    }

    /// Follows the route of a document for which a slot has been taken (`takePlace`).
    ///
    /// - Parameters:
    ///   - number: number of a request that was made before; nil for a request that is made now.
    ///   - again: request number of the original route if this route is an alternative to it. The alternative keeps
    ///     that number. So a route that was requested later replaces the alternative, however long its own document
    ///     takes to read, and the alternative replaces no route other than the original.
    ///   - then: called on the reactor when the route is followed, or with the reason why it is not. The present route
    ///     then stays.
    func set(
        _ source: RouteSource, number: Int? = nil, again: Int? = nil, user: UInt32,
        then: @escaping (Failure?) -> Void
    ) {
        let turn = Turn(request: number ?? takeNumber(), again: again)
        // If the route is set or cleared by another request while a file is read, that request takes precedence.
        documents.read(source.document, of: "route", user: user) { [weak self] result in
            switch result {
            case .failure(let problem): then(.document(problem))
            case .success(let document):
                var source = source
                source.document = document
                self?.plan(source, turn, user, then: then)
            }
        }
    }

    private func plan(_ source: RouteSource, _ turn: Turn, _ user: UInt32, then: @escaping (Failure?) -> Void) {
        worker.perform { [settings, keeper, newest] in
            Self.plan(source, turn, settings, keeper, newest)
        } then: { [weak self, driver] result in
            self?.documents.giveBackPlace(of: user)
            switch result {
            case .success(let plan):
                self?.followedRequest = turn.numberOfRoute
                driver.follow(plan)
                then(nil)
            case .failure(let problem): then(problem)
            }
        }
    }

    /// Removes the route and its stored copy. A route whose file is still being read is refused once it has been read.
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
            // Parsing a document of 16 MiB takes ten times as much memory.
            defer { ProcessResources.returnFreeMemory() }
            let route = try source.read()
            guard let plan = RoutePlan(route, settings: settings) else {
                throw .whole("the route has no length: all points are identical")
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

    /// Asks the thread to finish the pending work and then to end.
    func requestEnd() { worker.requestEnd() }

    func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("route: the disk did not respond in time; the previous route may be restored at the next start")
        }
    }
}

/// Decides whether a loaded route may replace the present one.
private struct Turn {
    let request: Int
    /// Request number of the original route if this route is an alternative to it; nil if this route is not an
    /// alternative.
    let again: Int?

    /// Number by which later routes are compared with this one.
    var numberOfRoute: Int { again ?? request }

    /// - Parameter present: number of the request of the present route.
    func hasCome(after present: Int) -> Bool { again.map { $0 == present } ?? (request > present) }
}

/// Keeps the ID of the newest route on the worker thread, which loads routes one after the other. Routes become the
/// followed route on the reactor in the same order, so a comparison on the worker thread is never out of date.
private final class NewestRoute: Sendable {
    /// The id, and the number of the request that has set or cleared the route.
    private let state: Mutex<(id: String?, request: Int)>

    init(_ id: String?) { state = Mutex((id, 0)) }

    func become(_ new: String?, request: Int) { state.withLock { $0 = (new, request) } }

    /// - Parameters:
    ///   - turn: turn of the new route. Nothing changes if this turn has not come.
    ///   - replaced: ID of the only route that may be replaced; nil for any.
    /// - Returns: the reason why the present route stays; nil if it was replaced.
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

/// A document with a route, as given by a client; it is read on a thread that delays no pose.
struct RouteSource: Sendable {
    var document: ClientDocument
    /// Format of the document; nil to recognise it.
    var format: RouteFormat?
    var precision: EncodedPolyline.Precision?
    var id: String
    /// Name of the route; nil for the document's own.
    var name: String?
    /// ID of the only route that this route may replace; nil for any.
    var replaces: String?
    /// Guidance to the destination, for a route that was requested by its destination.
    var guidance: RouteGuidance?

    /// Parses the route of a document whose bytes are in memory.
    func read() throws(DocumentProblem) -> Route {
        let bytes = try document.bytes(of: "route")
        var route = try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
        route.guidance = guidance
        return route
    }
}
