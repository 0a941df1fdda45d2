import JSON
import WaymarkInterface

/// Parts of a scene message that the bridge reads. It does not read the placements, the largest part of the message.
struct SceneNews: JSONReadable {
    let readiness: SceneInterface.Readiness
    /// Nil without a route.
    let route: SceneInterface.RouteState?
    let events: [SceneInterface.Event]
    /// Number of events that are missing before `events`, because more events occurred than the daemon retains.
    let eventsDropped: Int

    /// - Throws: a problem, with the path of the value that is missing or of another type.
    init(_ node: JSONNode) throws(DocumentProblem) {
        readiness = try node.required("readiness")
        route = try node["route"]?.required("state")
        events = try node.required("events")
        eventsDropped = try node.optional("eventsDropped") ?? 0
    }
}
