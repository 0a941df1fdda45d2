import Linux
import Messages
import Persistence
import Scene
import Varlink
import WaymarkInterface

/// `GetAhead` of `org.waymark.Scene`: replies with what lies ahead, either once or, for a subscriber, once a second.
final class AheadMethods {
    private let driver: EngineDriver
    private let repository: PlaceRepository
    private let publisher: ScenePublisher
    private var subscribers: [Subscriber] = []

    private final class Subscriber {
        let stream: ReplyStream
        let query: Query
        /// Whether a query of the places is under way; no further query is sent until it ends.
        var isWaiting = false

        init(_ stream: ReplyStream, _ query: Query) {
            self.stream = stream
            self.query = query
        }
    }

    private struct Query {
        let limit: Int
        /// Radius of the search. Unit: metres.
        let radius: Double
    }

    private static let defaultLimit = 10
    /// Radius of the search if the call gives none. Unit: metres.
    private static let defaultRadius = 500.0
    /// Maximum number of places that are considered; the nearest of them are shown.
    private static let candidates = 200

    init(driver: EngineDriver, repository: PlaceRepository, publisher: ScenePublisher) {
        self.publisher = publisher
        self.driver = driver
        self.repository = repository
    }

    func getAhead(_ request: SceneInterface.GetAhead, _ call: Call) throws(VarlinkError) {
        let query = Query(limit: request.limit ?? Self.defaultLimit, radius: request.radius ?? Self.defaultRadius)
        guard (1...100).contains(query.limit) else { throw .invalidParameter("limit") }
        guard (1...100_000).contains(query.radius) else { throw .invalidParameter("radius") }
        if call.wantsMore { return subscribe(call, query) }
        guard find(query, then: { call.reply(json: $0) }) else {
            throw .noPosition
        }
    }

    /// Sends each subscriber what lies ahead now; to be called once a second.
    func publish() {
        for subscriber in subscribers { send(subscriber) }
    }

    private func subscribe(_ call: Call, _ query: Query) {
        guard let stream = call.stream() else { return }
        let subscriber = Subscriber(stream, query)
        stream.onEnd = { [weak self, unowned subscriber] in
            self?.subscribers.removeAll { $0 === subscriber }
        }
        subscribers.append(subscriber)
        send(subscriber)
    }

    private func send(_ subscriber: Subscriber) {
        guard !subscriber.isWaiting else { return }
        subscriber.isWaiting = find(subscriber.query) { [weak subscriber] reply in
            guard let subscriber else { return }
            subscriber.isWaiting = false
            subscriber.stream.offer(EncodedMessage(json: reply))
        }
    }

    /// Queries the places around the wearer, and then calls `then` with what lies ahead. If the places cannot be read,
    /// `then` still gets the route. Returns false, without a query, while no position is known.
    private func find(_ query: Query, then: @escaping (SceneInterface.GetAhead.Reply) -> Void) -> Bool {
        guard let position = driver.engine.pose?.geodetic else { return false }
        repository.perform { store in
            try store.around(position, radius: query.radius, limit: Self.candidates)
        } then: { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                searchLog.write(.error, "cannot search the place database: \(error)")
            }
            let places = (try? result.get()) ?? []
            let items = driver.engine.ahead(places: places, radius: query.radius, limit: query.limit) ?? []
            then(SceneInterface.GetAhead.Reply(items: items.map { $0.message(in: publisher.language) }))
        }
        return true
    }

    private let searchLog = LogLimiter("place searches", lines: 1, interval: 60_000_000_000)
}

extension AheadItem {
    fileprivate func message(in language: Language) -> SceneInterface.Item {
        SceneInterface.Item(
            id: id, kind: OpenWord(kind.message), name: routeTurn?.words(in: language) ?? name, distance: distance,
            alongRoute: alongRoute,
            bearing: bearing * 180 / .pi, turn: turn.map { $0 * 180 / .pi })
    }
}

extension AheadItem.Kind {
    fileprivate var message: SceneInterface.ItemKind {
        switch self {
        case .route: .route
        case .turn: .turn
        case .destination: .destination
        case .place: .place
        }
    }
}
