import Geometry
import JSON
import Model
import Scene

/// Something that has happened as the type `Event` of the Varlink interface `org.waymark.Scene`.
public enum EventMessage {
    public static func write(_ event: TimedEvent, into json: inout JSONWriter) {
        json.beginObject()
        json.member("time", event.time)
        switch event.event {
        case .proximity(let proximity): write(proximity, &json)
        case .announcement(let announcement): write(announcement, &json)
        case .turnAhead(let turn): write(turn, &json)
        case .route(let id, let state):
            json.member("kind", word: state.eventWord)
            json.member("route", id)
        case .readiness(let readiness):
            json.member("kind", word: "readiness")
            SceneMessage.writeReadiness(readiness, name: "state", &json)
        case .correction(let correction): write(correction, &json)
        case .anchorLost(let id):
            json.member("kind", word: "anchorLost")
            json.member("id", PlacementID.anchor(id))
        case .anchorMoved(let id, let distance):
            json.member("kind", word: "anchorMoved")
            json.member("id", PlacementID.anchor(id))
            json.member("distance", distance, .fixed(1))
        }
        json.endObject()
    }

    private static func write(_ proximity: ProximityEvent, _ json: inout JSONWriter) {
        json.member("kind", word: proximity.kind == .entered ? "proximityEntered" : "proximityLeft")
        json.member("id", PlacementID.place(proximity.id))
        json.member(text: "text", proximity.name)
        json.member("distance", proximity.distance, .fixed(1))
    }

    private static func write(_ announcement: Announcement, _ json: inout JSONWriter) {
        json.member("kind", word: "announcement")
        json.member("about", word: announcement.kind.word)
        json.member("route", announcement.routeID)
        json.member("text", announcement.text)
        json.member("distance", announcement.distance, .fixed(1))
        if let side = announcement.side { json.member("side", word: side.word) }
    }

    private static func write(_ correction: FrameCorrection, _ json: inout JSONWriter) {
        json.member("kind", word: "correction")
        json.member("text", correction.text)
        json.member("distance", correction.shift, .fixed(1))
        json.member("turn", Angle.degrees(radians: correction.turn), .fixed(1))
        json.key("reasons")
        json.beginArray()
        correction.causes.forEachWord { json.value($0) }
        json.endArray()
    }

    private static func write(_ turn: TurnAhead, _ json: inout JSONWriter) {
        json.member("kind", word: "turnAhead")
        json.member("route", turn.routeID)
        json.member("distance", turn.distance, .fixed(1))
        json.member("side", word: turn.turn.side.word)
    }
}

extension Announcement.Kind {
    var word: StaticString {
        switch self {
        case .start: "start"
        case .resumed: "resumed"
        case .turn: "turn"
        case .destination: "destination"
        case .arrived: "arrived"
        case .offRoute: "offRoute"
        case .backOnRoute: "backOnRoute"
        }
    }
}

extension RouteProgress.State {
    fileprivate var eventWord: StaticString {
        switch self {
        case .following: "onRoute"
        case .offRoute: "offRoute"
        case .arrived: "arrived"
        }
    }
}
