import WaymarkInterface

/// The route's vertices, which are requested in parts whenever the route changes.
package struct FoxgloveRoute {
    /// What to do after an answer.
    package enum Step: Hashable, Sendable {
        case unchanged
        /// The vertices from this index on are missing.
        case incomplete(Int)
        case complete
    }

    /// Properties that identify a route. The other properties change as the wearer follows it.
    private struct Key: Hashable {
        let id: String
        let name: String
        let length: Double
        let vertices: Int
    }

    private var key: Key?
    private var name = ""
    private var vertices: [SceneInterface.RouteVertex] = []
    /// The route as GeoJSON; nil until it is complete.
    package private(set) var text: String?

    /// Processes an answer; `reply` is nil if there is no route.
    package mutating func take(_ reply: SceneInterface.GetRoute.Reply?) -> Step {
        guard let reply else {
            defer { self = FoxgloveRoute(text: FoxgloveMap.route("", [])) }
            return text != nil && key == nil ? .unchanged : .complete
        }
        let route = reply.route
        let new = Key(id: route.id, name: route.name, length: route.length, vertices: route.vertices)
        if new != key {
            (key, name, vertices, text) = (new, route.name, [], nil)
            // The vertices of this answer may belong to the previous route. They are requested again.
            return route.vertices > 0 ? .incomplete(0) : complete()
        }
        guard text == nil else { return .unchanged }
        vertices += reply.vertices
        // A reply has no vertices if they were not requested, as in the periodic request.
        return vertices.count < route.vertices ? .incomplete(vertices.count) : complete()
    }

    private mutating func complete() -> Step {
        text = FoxgloveMap.route(name, vertices)
        vertices = []
        return .complete
    }

    package init() {}

    private init(text: String) { self.text = text }
}
