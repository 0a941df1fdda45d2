import Configuration
import WaymarkClient
import WaymarkInterface

extension Command {
    private static let formats = Waymark.RouteFormat.allCases.map(\.description)
    private static let format = Option.text(
        "format", value: "FORMAT", help: "Format of the document (default: detected)")
    private static let precision = Option.integer(
        "precision", value: "5|6", in: 5...6, help: "Precision of encoded polylines, in decimals")
    private static let name = Option.text(
        "name", value: "NAME", help: "Route name (default: taken from the document)")

    static let routeSet = Command(
        "route set", "Load a route from a document and follow it.", operands: [Operand("FILE")],
        options: [format, precision, name],
        notes: """
            FILE is a response of OSRM, Valhalla, Mapbox Directions or Google, GeoJSON with
            a LineString, GPX, or the text of an encoded polyline; - is standard input.
            FORMAT is osrm, valhalla, mapbox, google, geojson, gpx, polyline5 or polyline6;
            the precision of an encoded polyline must be given, by FORMAT or --precision.

            The route replaces the current one and is kept until it is cleared.
            An invalid document changes nothing.
            """
    ) { options in
        let format = options[format].flatMap { Waymark.RouteFormat(word: $0) }
        if format == nil, let format = options[Self.format] {
            throw Misuse("--format: '\(format)' is not one of: \(formats.joined(separator: ", "))")
        }
        let file = try InputFile(options.operands[0])
        let bytes = try file.pipedBytes(maximumLength: Waymark.Client.longestRouteDocument, kind: "route")
        let client = try Waymark.Client(timeout: .seconds(60))
        let request = Waymark.RouteRequest(
            format: format, precision: options[precision], name: options[name])
        let route = try set(file, bytes, request, by: client)
        try Terminal.print(RouteText.lines(route))
        if let warning = warning(client) { Terminal.complain("waymark route set: warning: \(warning)") }
        return .done
    }

    private static func warning(_ client: Waymark.Client) -> String? {
        let route = try? client.call(SceneInterface.GetRoute(from: 0, limit: 1))
        guard let start = route?.vertices.first else { return nil }
        return ExchangedCoordinates(client)?.warning(
            "the route begins", latitude: start.latitude, longitude: start.longitude, remedy: "set the route again")
    }

    private static func set(
        _ file: InputFile, _ bytes: [UInt8]?, _ request: Waymark.RouteRequest, by client: Waymark.Client
    ) throws -> Waymark.Route {
        do {
            guard let bytes else { return try client.setRoute(descriptor: file.descriptor, request) }
            return try client.setRoute(document: bytes, request)
        } catch {
            guard let problem = error.documentProblem else { throw error }
            throw CommandError.failed("\(file.path): \(problem); the current route is unchanged")
        }
    }

    /// The current route and the progress on it; as JSON with all vertices.
    static let routeShow = Command(
        "route show", "Show the route and the progress on it.",
        options: [Flag("json", help: "Print one JSON object, with all vertices")]
    ) { options in
        let client = try Waymark.Client()
        guard options[.json] else {
            try Terminal.print(RouteText.lines(try client.route()))
            return .done
        }
        let (route, vertices) = try client.routeWithVertices()
        try Terminal.print(JSONText.line(SceneInterface.GetRoute.Reply(route: route, vertices: vertices)))
        return .done
    }

    static let routeClear = Command("route clear", "Stop following the route.") { _ in
        try Waymark.Client().clearRoute()
        return .done
    }
}
