import Documents
import Geodesy
import JSON
import Linux
import Messages
import Scene
import Varlink

/// `SetRoute`, `ClearRoute` and `GetRoute` of `org.waymark.Scene`.
final class RouteMethods: MethodGroup {
    private let driver: EngineDriver
    private let desk: RouteDesk
    var authorization: Authorization

    private struct SetRequest: Decodable {
        let document: String?
        let descriptor: Int?
        let format: String?
        let precision: Int?
        let id: String?
        let name: String?
        let replaces: String?
    }

    private struct GetRequest: Decodable {
        let from: Int?
        let limit: Int?
    }

    private static let defaultVertices = 1000
    /// Maximum number of vertices in one reply; callers ask for the rest.
    private static let mostVertices = 5000
    /// Unit: bytes.
    private static let longestName = 200

    init(driver: EngineDriver, desk: RouteDesk, authorization: Authorization) {
        self.driver = driver
        self.desk = desk
        self.authorization = authorization
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        switch call.method {
        case "SetRoute": try set(call)
        case "ClearRoute": try clear(call)
        case "GetRoute": try get(call)
        default: return false
        }
        return true
    }

    // MARK: changes

    private func set(_ call: Call) throws(VarlinkError) {
        guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        let source = try source(of: call)
        guard desk.hasRoom else {
            struct Parameters: Encodable {
                let limit = "waitingRoutes"
                let maximum = RouteDesk.capacity
            }
            throw VarlinkError(name: "org.waymark.Status.LimitExceeded", encoding: Parameters())
        }
        let process = call.peer.process
        desk.set(source) { [driver] refusal in
            if let refusal {
                Self.fail(call, refusal)
            } else if let progress = driver.progress {
                Log.notice("route: \(progress.route.name), \(Int(progress.length)) m, by client \(process)")
                call.reply(bytes: Self.reply(progress))
            }
        }
    }

    private static func fail(_ call: Call, _ refusal: RouteRefusal) {
        let client = "route of client \(call.peer.process) was rejected, keeping the current one"
        switch refusal {
        case .document(let problem):
            Log.notice("\(client): \(problem)")
            call.fail(VarlinkError(name: "InvalidDocument", ["path": problem.path, "reason": problem.message]))
        case .otherRoute(let id):
            Log.notice("\(client): the route to replace is not the current one")
            call.fail(VarlinkError(name: "OtherRoute", id.map { ["id": $0] } ?? [:]))
        }
    }

    private func clear(_ call: Call) throws(VarlinkError) {
        guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        desk.clear {
            Log.notice("route: cleared by client \(call.peer.process)")
            call.reply()
        }
    }

    private func source(of call: Call) throws(VarlinkError) -> RouteSource {
        let request = try call.decode(SetRequest.self)
        var format: RouteFormat?
        if let word = request.format {
            format = RouteFormat(rawValue: word)
            guard format != nil else { throw .invalidParameter("format") }
        }
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
            document: try document(request, call), format: format, precision: precision, id: request.id ?? "route",
            name: request.name, replaces: request.replaces)
    }

    private func document(_ request: SetRequest, _ call: Call) throws(VarlinkError) -> RouteSource.Document {
        switch (request.document, request.descriptor) {
        case (let text?, nil): return .text(text)
        case (nil, let index?):
            guard call.descriptors.indices.contains(index) else { throw .invalidParameter("descriptor") }
            return .file(call.descriptors[index])
        default: throw .invalidParameter("document")
        }
    }

    // MARK: reading

    private func get(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(GetRequest.self)
        let (from, limit) = (request.from ?? 0, request.limit ?? Self.defaultVertices)
        guard from >= 0 else { throw .invalidParameter("from") }
        guard (0...Self.mostVertices).contains(limit) else { throw .invalidParameter("limit") }
        guard let progress = driver.progress else { throw VarlinkError(name: "NoRoute") }
        call.reply(bytes: Self.reply(progress, progress.route.vertices.dropFirst(from).prefix(limit)))
    }

    private static func reply(_ progress: RouteProgress, _ vertices: ArraySlice<GeodeticPosition>? = nil) -> [UInt8] {
        var json = JSONWriter(capacity: 1024 + 64 * (vertices?.count ?? 0))
        json.beginObject()
        json.key("route")
        RouteMessage.write(RouteStatus(progress), into: &json)
        if let vertices {
            json.key("vertices")
            RouteMessage.write(vertices, into: &json)
        }
        json.endObject()
        return json.bytes
    }
}
