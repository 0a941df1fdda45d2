import Documents
import JSON
import WaymarkInterface

/// A wearer as `waymark fleet watch --json` prints it.
extension ObservedWearer: JSONWritable {
    package func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", identifier)
            json.member("online", isOnline)
            json.member("lastMessage", lastArrival)
            if let state { json.object("state") { Self.write(state, into: &$0) } }
            if let pose { json.object("pose") { Self.write(pose, into: &$0) } }
            if let event { json.object("event") { Self.write(event, into: &$0) } }
            if let health { json.object("health") { Self.write(health, into: &$0) } }
        }
    }

    private static func write(_ state: ObservedState, into json: inout JSONWriter) {
        json.member("time", state.time)
        json.member("version", state.version)
        json.member("daemon", state.hasDaemon)
        json.member("state", state.state)
        json.member("reasons", state.reasons.isEmpty ? nil : state.reasons)
        json.member("readiness", state.readiness)
        json.member("motion", state.motion)
        json.member("route", state.route)
        json.member("withheld", state.isWithheld)
    }

    private static func write(_ pose: ObservedPose, into json: inout JSONWriter) {
        json.member("time", pose.time)
        json.member("clock", pose.clock)
        json.member("sequence", pose.sequence)
        json.member("late", pose.delay, .fixed(1))
        GeoPose.writePosition(pose.position, into: &json)
        json.member("heading", pose.heading, .fixed(2))
        json.member("horizontalAccuracy", pose.horizontalAccuracy, .fixed(2))
        json.member("headingAccuracy", pose.headingAccuracy, .fixed(2))
        json.member("state", pose.state)
    }

    private static func write(_ event: ObservedEvent, into json: inout JSONWriter) {
        json.member("time", event.time)
        json.member("sequence", event.sequence)
        json.member("kind", event.kind)
        json.member("id", event.identifier)
        json.member("text", event.text)
    }

    private static func write(_ health: ObservedHealth, into json: inout JSONWriter) {
        json.member("time", health.time)
        json.member("waiting", health.waiting)
        json.member("droppedPoses", health.droppedPoses)
        json.member("lostEvents", health.lostEvents)
        json.member("advice", health.advice)
    }
}
