import Linux

extension WaymarkClient {
    /// How a route's document is to be read; nil leaves it to the daemon.
    public struct RouteOptions: Encodable, Sendable {
        /// `osrm`, `valhalla`, `mapbox`, `google`, `geojson`, `gpx`, `polyline5` or `polyline6`.
        public var format: String?
        /// Precision of encoded polylines: 5 or 6.
        public var precision: Int?
        public var id: String?
        public var name: String?
        /// Id of the only route that it may take the place of; nil for any.
        public var replaces: String?

        public init(
            format: String? = nil, precision: Int? = nil, id: String? = nil, name: String? = nil,
            replaces: String? = nil
        ) {
            self.format = format
            self.precision = precision
            self.id = id
            self.name = name
            self.replaces = replaces
        }
    }

    private struct SetParameters: Encodable {
        let descriptor: Int
        let format: String?
        let precision: Int?
        let id: String?
        let name: String?
        let replaces: String?

        init(_ options: RouteOptions) {
            descriptor = 0
            format = options.format
            precision = options.precision
            id = options.id
            name = options.name
            replaces = options.replaces
        }
    }

    private struct GetParameters: Encodable {
        let from: Int
        let limit: Int
    }

    private struct RouteReply: Decodable { let route: Route }

    private struct VerticesReply: Decodable {
        let route: Route
        let vertices: [RouteVertex]
    }

    /// The daemon takes no longer document. Unit: bytes.
    public static let longestRouteDocument = 16 << 20

    /// Follows the route of a document in the place of the present one.
    ///
    /// - Parameter descriptor: of a regular file, read from where it stands on.
    @discardableResult
    public func setRoute(descriptor: Int32, _ options: RouteOptions = RouteOptions()) throws(WaymarkError) -> Route {
        try call(
            "org.waymark.Scene.SetRoute", SetParameters(options), RouteReply.self, descriptors: [descriptor]
        ).route
    }

    /// Follows the route of a document in the place of the present one.
    @discardableResult
    public func setRoute(document: [UInt8], _ options: RouteOptions = RouteOptions()) throws(WaymarkError) -> Route {
        let file = try Self.file(in: document)
        return try setRoute(descriptor: file.descriptor, options)
    }

    private static func file(in document: [UInt8]) throws(WaymarkError) -> File {
        do throws(FileError) {
            let file = try File.inMemory("route")
            try file.write(document)
            try file.seek(to: 0)
            return file
        } catch {
            throw .invalidDocument(path: "", reason: "cannot pass the document to the daemon: \(error)")
        }
    }

    /// Takes the route away; without one it does nothing.
    public func clearRoute() throws(WaymarkError) {
        struct Nothing: Decodable {}
        _ = try call("org.waymark.Scene.ClearRoute", Nothing.self)
    }

    /// The present route.
    public func route() throws(WaymarkError) -> Route {
        try call("org.waymark.Scene.GetRoute", GetParameters(from: 0, limit: 0), RouteReply.self).route
    }

    /// The present route with all of its vertices, which are asked for piece by piece; where another takes its place
    /// meanwhile, that one.
    public func routeWithVertices() throws(WaymarkError) -> (route: Route, vertices: [RouteVertex]) {
        let piece = 5000
        var vertices: [RouteVertex] = []
        while true {
            let parameters = GetParameters(from: vertices.count, limit: piece)
            let reply = try call("org.waymark.Scene.GetRoute", parameters, VerticesReply.self)
            vertices += reply.vertices
            if reply.vertices.count < piece || vertices.count >= reply.route.vertices { return (reply.route, vertices) }
        }
    }
}
