import Linux
import Scene
import Varlink

/// `org.waymark.Scene`: what lies ahead, once or once a second.
final class SceneMethods {
    private let driver: EngineDriver
    private let store: PlaceStore
    private var subscribers: [Subscriber] = []

    private final class Subscriber {
        let stream: ReplyStream
        let wish: Wish

        init(_ stream: ReplyStream, _ wish: Wish) {
            self.stream = stream
            self.wish = wish
        }
    }

    private struct Wish: Decodable {
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
    /// So many places are looked at; the nearest of them are shown.
    private static let candidates = 200

    init(driver: EngineDriver, store: PlaceStore) {
        self.driver = driver
        self.store = store
    }

    func answer(_ call: Call) throws(VarlinkError) {
        guard call.method == "GetAhead" else { throw .methodNotImplemented("\(call.interface).\(call.method)") }
        let wish = try call.decode(Wish.self)
        guard (1...100).contains(wish.limit ?? Self.defaultLimit) else { throw .invalidParameter("limit") }
        guard (1...100_000).contains(wish.radius ?? Self.defaultRadius) else { throw .invalidParameter("radius") }
        if call.wantsMore {
            subscribe(call, wish)
        } else if let items = items(wish) {
            call.reply(["items": items])
        } else {
            throw VarlinkError(
                name: "NotLocalized",
                ["reason": "no position is known yet; `waymark status` tells what is missing"])
        }
    }

    /// Sends each subscriber what lies ahead now; to be called once a second.
    func publish() {
        for subscriber in subscribers { send(subscriber) }
    }

    private func subscribe(_ call: Call, _ wish: Wish) {
        guard let stream = call.stream() else { return }
        let subscriber = Subscriber(stream, wish)
        stream.onEnd = { [weak self, unowned subscriber] in
            self?.subscribers.removeAll { $0 === subscriber }
        }
        subscribers.append(subscriber)
        send(subscriber)
    }

    private func send(_ subscriber: Subscriber) {
        guard let items = items(subscriber.wish), let message = EncodedMessage(encoding: ["items": items]) else {
            return
        }
        subscriber.stream.offer(message)
    }

    private func items(_ wish: Wish) -> [ItemMessage]? {
        guard let position = driver.latestPose?.geodetic else { return nil }
        let radius = wish.radius ?? Self.defaultRadius
        var places: [Place] = []
        do throws(DatabaseError) {
            places = try store.around(position, radius: radius, limit: Self.candidates)
        } catch {
            searchLog.write(.error, "places cannot be searched: \(error)")
        }
        return driver.ahead(places: places, radius: radius, limit: wish.limit ?? Self.defaultLimit)?
            .map(ItemMessage.init)
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
