import Documents
import Geometry
import Linux
import Messages
import Scene
import Varlink
import WaymarkInterface

/// `SetRoute`, `ClearRoute` and `GetRoute` of `org.waymark.Scene`.
struct RouteMethods {
    let driver: EngineDriver
    let loader: RouteLoader
    let navigation: NavigationService
    let publisher: ScenePublisher

    private static let defaultVertices = 1000
    /// Maximum number of vertices in one reply; callers ask for the rest.
    private static let maximumVertexCount = 5000
    /// Maximum length of a name. Unit: bytes.
    private static let maximumNameLength = 200

    // MARK: changes

    func set(_ request: SceneInterface.SetRoute, _ call: Call) throws(VarlinkError) {
        let source = try source(request, call)
        let (user, process) = (call.peer.user, call.peer.process)
        if let reached = loader.takePlace(of: user) { throw .limitExceeded(.waitingRoutes, reached.maximum) }
        loader.set(source, user: user) { [driver, language = publisher.language] failure in
            if let failure {
                Self.fail(call, failure)
            } else if let progress = driver.engine.progress {
                Log.notice("route: \(Int(progress.length)) m, by client \(process)")
                Log.debug("its name is \(progress.route.name)")
                call.reply(json: SceneInterface.SetRoute.Reply(route: RouteStatus(progress).message(in: language)))
            }
        }
    }

    private static func fail(_ call: Call, _ failure: RouteLoader.Failure) {
        let client = "route of client \(call.peer.process) was rejected, keeping the current one"
        switch failure {
        case .document(let problem):
            Log.notice("\(client): the document is invalid")
            // Logged for debugging only, because a problem may quote a position.
            Log.debug("it is invalid: \(problem)")
            call.fail(
                VarlinkError(SceneInterface.Failure.invalidDocument(path: problem.path, reason: problem.message)))
        case .otherRoute(let id):
            Log.notice("\(client): the route to replace is not the current one")
            call.fail(VarlinkError(SceneInterface.Failure.otherRoute(id: id)))
        }
    }

    func clear(_ call: Call) {
        loader.clear {
            Log.notice("route: cleared by client \(call.peer.process)")
            call.reply()
        }
    }

    private func source(_ request: SceneInterface.SetRoute, _ call: Call) throws(VarlinkError) -> RouteSource {
        for (parameter, text) in [("id", request.id), ("name", request.name), ("replaces", request.replaces)] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.count <= Self.maximumNameLength else { throw .invalidParameter(parameter) }
        }
        return RouteSource(
            document: try ClientDocument(request.document, request.descriptor, call),
            format: request.format.map(RouteFormat.init),
            precision: try EncodedPolyline.Precision(decimals: request.precision), id: request.id ?? "route",
            name: request.name, replaces: request.replaces)
    }

    // MARK: reading

    func get(_ request: SceneInterface.GetRoute, _ call: Call) throws(VarlinkError) {
        let (from, limit) = (request.from ?? 0, request.limit ?? Self.defaultVertices)
        guard from >= 0 else { throw .invalidParameter("from") }
        guard (0...Self.maximumVertexCount).contains(limit) else { throw .invalidParameter("limit") }
        guard let progress = driver.engine.progress else { throw VarlinkError(SceneInterface.Failure.noRoute) }
        let vertices = progress.route.vertices.dropFirst(from).prefix(limit)
        call.reply(
            json: SceneInterface.GetRoute.Reply(
                route: RouteStatus(progress).message(in: publisher.language),
                destination: progress.route.destinationMessage,
                navigator: navigation.navigator != nil, vertices: vertices.map(\.vertex)))
    }
}
