import Documents
import JSON
import WaymarkInterface

/// A wearer as `waymark fleet watch --json` prints it.
extension ObservedWearer: JSONWritable {
    package func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", identifier)
        json.member("online", isOnline)
        json.member("lastMessage", lastArrival?.description)
        if let state { Self.write(state, into: &json) }
        if let pose { Self.write(pose, into: &json) }
        if let event { Self.write(event, into: &json) }
        if let health { Self.write(health, into: &json) }
        json.endObject()
    }

    private static func write(_ state: ObservedState, into json: inout JSONWriter) {
        json.key("state")
        json.beginObject()
        json.member("time", state.time?.description)
        json.member("version", state.version)
        json.member("daemon", state.hasDaemon)
        json.member("state", state.state)
        json.member("reasons", state.reasons.isEmpty ? nil : state.reasons)
        json.member("readiness", state.readiness)
        json.member("motion", state.motion)
        json.member("route", state.route)
        json.member("withheld", state.isWithheld)
        json.endObject()
    }

    private static func write(_ pose: ObservedPose, into json: inout JSONWriter) {
        json.key("pose")
        json.beginObject()
        json.member("time", pose.time.description)
        json.member("clock", pose.clock)
        json.member("sequence", pose.sequence)
        json.member("late", pose.delay, .fixed(1))
        GeoPose.writePosition(pose.position, into: &json)
        json.member("heading", pose.heading, .fixed(2))
        json.member("horizontalAccuracy", pose.horizontalAccuracy, .fixed(2))
        json.member("headingAccuracy", pose.headingAccuracy, .fixed(2))
        json.member("state", pose.state)
        json.endObject()
    }

    private static func write(_ event: ObservedEvent, into json: inout JSONWriter) {
        json.key("event")
        json.beginObject()
        json.member("time", event.time.description)
        json.member("sequence", event.sequence)
        json.member("kind", event.kind)
        json.member("id", event.identifier)
        json.member("text", event.text)
        json.endObject()
    }

    private static func write(_ health: ObservedHealth, into json: inout JSONWriter) {
        json.key("health")
        json.beginObject()
        json.member("time", health.time.description)
        json.member("waiting", health.waiting)
        json.member("droppedPoses", health.droppedPoses)
        json.member("lostEvents", health.lostEvents)
        json.member("advice", health.advice)
        json.endObject()
    }
}
