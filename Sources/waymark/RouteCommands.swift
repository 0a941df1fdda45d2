import Display
import Options
import WaymarkClient

/// `waymark route set`: gives the daemon a route to follow.
enum RouteSetCommand: Command {
    static let word = "route set"

    private static let formats = ["osrm", "valhalla", "mapbox", "google", "geojson", "gpx", "polyline5", "polyline6"]
    private static let format = Option.text(
        "format", value: "FORMAT", help: "Format of the document (default: detected)")
    private static let precision = Option.integer(
        "precision", value: "5|6", in: 5...6, help: "Precision of encoded polylines, in decimals")
    private static let name = Option.text(
        "name", value: "NAME", help: "Route name (default: taken from the document)")

    static let syntax: Syntax = syntax(
        "Load a route from a document and follow it.", operands: [Operand("FILE")],
        options: [format, precision, name],
        notes: """
            FILE is a response of OSRM, Valhalla, Mapbox Directions or Google, GeoJSON with
            a LineString, GPX, or the text of an encoded polyline; - is standard input.
            FORMAT is osrm, valhalla, mapbox, google, geojson, gpx, polyline5 or polyline6;
            the precision of an encoded polyline must be given, by FORMAT or --precision.

            The route replaces the current one and is kept until it is cleared.
            An invalid document changes nothing.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        if let format = options[format], !formats.contains(format) {
            throw usageError("--format: '\(format)' is not one of: \(formats.joined(separator: ", "))")
        }
        let file = try InputFile(options.operands[0])
        let bytes = try file.pipedBytes(longest: WaymarkClient.longestRouteDocument, kind: "route")
        let client = try WaymarkClient(timeout: .seconds(60))
        let wish = WaymarkClient.RouteOptions(
            format: options[format], precision: options[precision], name: options[name])
        let route = try set(file, bytes, wish, by: client)
        try Terminal.print(RouteText.lines(route))
        return .done
    }

    private static func set(
        _ file: InputFile, _ bytes: [UInt8]?, _ wish: WaymarkClient.RouteOptions, by client: WaymarkClient
    ) throws -> Route {
        do {
            guard let bytes else { return try client.setRoute(descriptor: file.descriptor, wish) }
            return try client.setRoute(document: bytes, wish)
        } catch WaymarkError.invalidDocument(let path, let reason) {
            let place = path.isEmpty ? "" : "\(path): "
            throw CommandError.failed("\(file.path): \(place)\(reason); the current route is unchanged")
        }
    }
}

/// `waymark route show`: the present route and how far it is walked.
enum RouteShowCommand: Command {
    static let word = "route show"

    private static let json = Flag("json", help: "Print one JSON object, with all vertices")

    static let syntax: Syntax = syntax("Show the route and the progress on it.", options: [json])

    private struct Shown: Encodable {
        let route: Route
        let vertices: [RouteVertex]
    }

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let client = try WaymarkClient()
        guard options[json] else {
            try Terminal.print(RouteText.lines(try client.route()))
            return .done
        }
        let (route, vertices) = try client.routeWithVertices()
        try Terminal.print(JSONText.line(Shown(route: route, vertices: vertices)))
        return .done
    }
}

/// `waymark route clear`: takes the route away.
enum RouteClearCommand: Command {
    static let word = "route clear"

    static let syntax: Syntax = syntax("Stop following the route.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        try WaymarkClient().clearRoute()
        return .done
    }
}
