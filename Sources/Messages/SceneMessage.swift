import Geometry
import JSON
import Model
import Scene

/// An update of the scene as the type `Scene` of the Varlink interface `org.waymark.Scene`.
public enum SceneMessage {
    /// Appends the update as one JSON object, and returns where its revision stands: its own and its placements'.
    @discardableResult
    public static func write(_ update: SceneUpdate, into json: inout JSONWriter) -> [Int] {
        json.beginObject()
        var places = [json.revision(update.revision)]
        json.member("snapshot", update.isSnapshot)
        if update.missed > 0 { json.member("missed", Int64(update.missed)) }
        json.member("time", update.time)
        json.member("generation", Int64(update.generation))
        writeReadiness(update.readiness, name: "readiness", &json)
        if let route = update.route {
            json.key("route")
            RouteMessage.write(route, into: &json)
        }
        if let motion = update.motion { write(motion, &json) }
        if let sun = update.sun { write(sun, &json) }
        json.member("labelRoll", Angle.degrees(radians: update.labelRoll), .fixed(2))
        json.key("changed")
        json.beginArray()
        for placement in update.changed { places.append(PlacementMessage.write(placement, into: &json)) }
        json.endArray()
        json.key("removed")
        json.beginArray()
        for id in update.removed { json.value(id) }
        json.endArray()
        writeEvents(update, &json)
        if update.left > 0 { json.member("left", Int64(update.left)) }
        json.endObject()
        return places
    }

    static func writeReadiness(_ readiness: FrameReadiness, name: StaticString, _ json: inout JSONWriter) {
        json.member(name, word: readiness.state.word)
        json.key("reasons")
        json.beginArray()
        readiness.reasons.forEachWord { json.value($0) }
        json.endArray()
    }

    private static func writeEvents(_ update: SceneUpdate, _ json: inout JSONWriter) {
        json.key("events")
        json.beginArray()
        for event in update.events { EventMessage.write(event, into: &json) }
        json.endArray()
        if update.eventsDropped > 0 { json.member("eventsDropped", Int64(update.eventsDropped)) }
    }

    private static func write(_ motion: ArrowMotion, _ json: inout JSONWriter) {
        json.key("motion")
        json.beginObject()
        json.member("epoch", motion.epoch)
        json.member("period", motion.period, .fixed(4))
        json.endObject()
    }

    private static func write(_ sun: Sun, _ json: inout JSONWriter) {
        json.key("sun")
        json.beginObject()
        json.member("elevation", Angle.degrees(radians: sun.elevation), .fixed(2))
        json.member("azimuth", circle: sun.azimuth)
        json.member("isDay", sun.daylight == .day)
        json.member("light", word: sun.daylight.word)
        json.endObject()
    }
}
