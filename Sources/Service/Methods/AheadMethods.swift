import Linux
import Messages
import PlaceStore
import Scene
import Varlink

/// `GetAhead` of `org.waymark.Scene`: what lies ahead, once or once a second.
final class AheadMethods: MethodGroup {
    private let driver: EngineDriver
    private let desk: PlaceRepository
    private var subscribers: [Subscriber] = []

    private final class Subscriber {
        let stream: ReplyStream
        let request: Request
        /// Whether a query of the places is under way: none is sent meanwhile.
        var isWaiting = false

        init(_ stream: ReplyStream, _ request: Request) {
            self.stream = stream
            self.request = request
        }
    }

    private struct Request: Decodable {
        let limit: Int?
        let radius: Double?
    }

    private struct ItemMessage: Encodable {
        let id: String
        let kind: String
        let name: String
        let distance: Double
        let alongRoute: Double?
        let bearing: Double
        let turn: Double?

        init(_ item: AheadItem) {
            id = item.id
            kind = item.kind.word
            name = item.name
            distance = item.distance
            alongRoute = item.alongRoute
            bearing = item.bearing * 180 / .pi
            turn = item.turn.map { $0 * 180 / .pi }
        }
    }

    private static let defaultLimit = 10
    /// Metres.
    private static let defaultRadius = 500.0
    /// Maximum number of places that are looked at; the nearest of them are shown.
    private static let candidates = 200

    init(driver: EngineDriver, desk: PlaceRepository) {
        self.driver = driver
        self.desk = desk
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        guard call.method == "GetAhead" else { return false }
        try getAhead(call)
        return true
    }

    private func getAhead(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(Request.self)
        guard (1...100).contains(request.limit ?? Self.defaultLimit) else { throw .invalidParameter("limit") }
        guard (1...100_000).contains(request.radius ?? Self.defaultRadius) else { throw .invalidParameter("radius") }
        if call.wantsMore { return subscribe(call, request) }
        guard find(request, then: { call.reply(["items": $0]) }) else {
            throw VarlinkError(
                name: "NotLocalized",
                ["reason": "no position yet; see `waymark status`"])
        }
    }

    /// Sends each subscriber what lies ahead now; to be called once a second.
    func publish() {
        for subscriber in subscribers { send(subscriber) }
    }

    private func subscribe(_ call: Call, _ request: Request) {
        guard let stream = call.stream() else { return }
        let subscriber = Subscriber(stream, request)
        stream.onEnd = { [weak self, unowned subscriber] in
            self?.subscribers.removeAll { $0 === subscriber }
        }
        subscribers.append(subscriber)
        send(subscriber)
    }

    private func send(_ subscriber: Subscriber) {
        guard !subscriber.isWaiting else { return }
        subscriber.isWaiting = find(subscriber.request) { [weak subscriber] items in
            guard let subscriber else { return }
            subscriber.isWaiting = false
            guard let message = EncodedMessage(encoding: ["items": items]) else { return }
            subscriber.stream.offer(message)
        }
    }

    /// Queries the places around and hands on what lies ahead then; false, and nothing done, while no position is
    /// known. Where the places cannot be had, the route still is.
    private func find(_ request: Request, then: @escaping ([ItemMessage]) -> Void) -> Bool {
        guard let position = driver.latestPose?.geodetic else { return false }
        let radius = request.radius ?? Self.defaultRadius
        desk.perform { store in
            try store.around(position, radius: radius, limit: Self.candidates)
        } then: { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                searchLog.write(.error, "cannot search the place database: \(error)")
            }
            let places = (try? result.get()) ?? []
            let items = driver.ahead(places: places, radius: radius, limit: request.limit ?? Self.defaultLimit) ?? []
            then(items.map(ItemMessage.init))
        }
        return true
    }

    private let searchLog = LogLimiter("place searches", lines: 1, interval: 60_000_000_000)
}

extension AheadItem.Kind {
    fileprivate var word: String {
        switch self {
        case .route: "route"
        case .turn: "turn"
        case .destination: "destination"
        case .place: "place"
        }
    }
}
