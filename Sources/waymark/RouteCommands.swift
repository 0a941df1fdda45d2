import Display
import Options
import WaymarkClient

/// `waymark route set`: gives the daemon a route to follow.
enum RouteSetCommand: Command {
    static let word = "route set"

    private static let formats = ["osrm", "valhalla", "mapbox", "google", "geojson", "gpx", "polyline5", "polyline6"]
    private static let format = Option.text(
        "format", value: "FORMAT", help: "Do not recognise the document, but read it as FORMAT")
    private static let precision = Option.integer(
        "precision", value: "5|6", in: 5...6, help: "Decimals of encoded polylines in it")
    private static let name = Option.text(
        "name", value: "NAME", help: "Call the route NAME (default: as it says itself)")

    static let syntax: Syntax = syntax(
        "Follows the route of a document from now on.", operands: [Operand("FILE")],
        options: [format, precision, name],
        notes: """
            FILE is a response of OSRM, Valhalla, Mapbox Directions or Google, GeoJSON with
            a LineString, GPX, or the text of an encoded polyline; - is standard input.
            FORMAT is osrm, valhalla, mapbox, google, geojson, gpx, polyline5 or polyline6;
            an encoded polyline has to have its precision declared in one way or the other.

            The route takes the place of the one before and is kept until it is cleared.
            A document that is not understood changes nothing.
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
            throw CommandError.failed("\(file.path): \(place)\(reason); the route stays as it was")
        }
    }
}

/// `waymark route show`: the present route and how far it is walked.
enum RouteShowCommand: Command {
    static let word = "route show"

    private static let json = Flag("json", help: "Print one JSON object, with all vertices")

    static let syntax: Syntax = syntax("Shows the route and how far it has been walked.", options: [json])

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

    static let syntax: Syntax = syntax("Follows no route any more.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        try WaymarkClient().clearRoute()
        return .done
    }
}
