import Geodesy
import JSON
import Scene

/// `Route` of `org.waymark.Scene`: a route and how far the wearer has come.
public enum RouteMessage {
    /// The object alone.
    public static func write(_ status: RouteStatus, into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", status.id)
        json.member("name", status.name)
        json.member("state", word: status.state.word)
        json.member("length", status.length, .fixed(2))
        json.member("duration", status.duration, .fixed(1))
        json.member("vertices", Int64(status.vertices))
        json.member("turns", Int64(status.turns))
        json.member("along", status.along, .fixed(2))
        json.member("remaining", status.remaining, .fixed(2))
        json.member("remainingSeconds", status.remainingSeconds, .fixed(0))
        json.member("distanceFromRoute", status.distanceFromRoute, .fixed(2))
        if let turn = status.nextTurn {
            json.key("nextTurn")
            write(turn, distance: status.nextTurnDistance, into: &json)
        }
        json.endObject()
    }

    /// Vertices from an index on, as an array.
    public static func write(_ vertices: ArraySlice<GeodeticPosition>, into json: inout JSONWriter) {
        json.beginArray()
        for vertex in vertices {
            json.beginObject()
            json.member("latitude", vertex.latitudeDegrees, .fixed(8))
            json.member("longitude", vertex.longitudeDegrees, .fixed(8))
            json.endObject()
        }
        json.endArray()
    }

    private static func write(_ turn: RouteTurn, distance: Double?, into json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", word: turn.kind.word)
        json.member("side", word: turn.side.word)
        json.member("angle", turn.angle * 180 / .pi, .fixed(1))
        json.member("text", turn.words)
        json.member("alongRoute", distance, .fixed(2))
        json.endObject()
    }
}
