import Documents
import Geodesy
import Linux
import Messages
import Scene
import Varlink
import WaymarkInterface

/// `SetRoute`, `ClearRoute` and `GetRoute` of `org.waymark.Scene`.
final class RouteMethods {
    private let driver: EngineDriver
    private let loader: RouteLoader

    private static let defaultVertices = 1000
    /// Maximum number of vertices in one reply; callers ask for the rest.
    private static let mostVertices = 5000
    /// Unit: bytes.
    private static let longestName = 200

    init(driver: EngineDriver, loader: RouteLoader) {
        self.driver = driver
        self.loader = loader
    }

    // MARK: changes

    func set(_ request: SceneInterface.SetRoute, _ call: Call) throws(VarlinkError) {
        let source = try source(request, call)
        let (user, process) = (call.peer.user, call.peer.process)
        if let reached = loader.takePlace(of: user) { throw .limitExceeded(.waitingRoutes, reached.maximum) }
        loader.set(source, user: user) { [driver] failure in
            if let failure {
                Self.fail(call, failure)
            } else if let progress = driver.engine.progress {
                Log.notice("route: \(Int(progress.length)) m, by client \(process)")
                Log.debug("its name is \(progress.route.name)")
                call.reply(json: SceneInterface.SetRoute.Reply(route: RouteStatus(progress).message))
            }
        }
    }

    private static func fail(_ call: Call, _ failure: RouteLoader.Failure) {
        let client = "route of client \(call.peer.process) was rejected, keeping the current one"
        switch failure {
        case .document(let problem):
            Log.notice("\(client): the document is invalid")
            // A problem may quote a position.
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
        var precision: EncodedPolyline.Precision?
        if let digits = request.precision {
            precision = EncodedPolyline.Precision(rawValue: digits)
            guard precision != nil else { throw .invalidParameter("precision") }
        }
        for (parameter, text) in [("id", request.id), ("name", request.name), ("replaces", request.replaces)] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.count <= Self.longestName else { throw .invalidParameter(parameter) }
        }
        return RouteSource(
            document: try document(request, call), format: request.format.map(RouteFormat.init), precision: precision,
            id: request.id ?? "route", name: request.name, replaces: request.replaces)
    }

    private func document(
        _ request: SceneInterface.SetRoute, _ call: Call
    ) throws(VarlinkError) -> ClientDocument {
        switch (request.document, request.descriptor) {
        case (let text?, nil): return .bytes(Array(text.utf8))
        case (nil, let index?): return .file(try call.descriptor(index))
        default: throw .invalidParameter("document")
        }
    }

    // MARK: reading

    func get(_ request: SceneInterface.GetRoute, _ call: Call) throws(VarlinkError) {
        let (from, limit) = (request.from ?? 0, request.limit ?? Self.defaultVertices)
        guard from >= 0 else { throw .invalidParameter("from") }
        guard (0...Self.mostVertices).contains(limit) else { throw .invalidParameter("limit") }
        guard let progress = driver.engine.progress else { throw VarlinkError(SceneInterface.Failure.noRoute) }
        let vertices = progress.route.vertices.dropFirst(from).prefix(limit)
        call.reply(
            json: SceneInterface.GetRoute.Reply(
                route: RouteStatus(progress).message, vertices: vertices.map(\.vertex)))
    }
}

extension RouteFormat {
    fileprivate init(_ format: SceneInterface.RouteFormat) {
        switch format {
        case .osrm: self = .osrm
        case .valhalla: self = .valhalla
        case .mapbox: self = .mapbox
        case .google: self = .google
        case .geojson: self = .geojson
        case .gpx: self = .gpx
        case .polyline5: self = .polyline5
        case .polyline6: self = .polyline6
        }
    }
}
