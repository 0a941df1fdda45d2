import JSON
import WaymarkInterface

/// What the bridge takes from a message of the scene. The placements, which are most of it, are not read.
struct SceneNews: JSONReadable {
    let readiness: SceneInterface.Readiness
    /// Nil without a route.
    let route: SceneInterface.RouteState?
    let events: [SceneInterface.Event]
    /// Number of events that are missing before these, because more occurred than the daemon retains.
    let eventsDropped: Int

    /// - Throws: the path of a value that is missing or of another type.
    init(_ node: JSONNode) throws(DocumentProblem) {
        readiness = try node.required("readiness")
        route = try node["route"]?.required("state")
        events = try node.required("events")
        eventsDropped = try node.optional("eventsDropped") ?? 0
    }
}
