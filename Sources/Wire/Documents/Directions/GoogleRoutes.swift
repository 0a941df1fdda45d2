import Geometry
import JSON
import Scene

/// Responses of Google's Routes API, with the fields that the field mask of the request selected.
///
/// Source: "Routes API, computeRoutes". Polylines have precision 5, or are GeoJSON.
enum GoogleRoutes {
    static func read(_ root: JSONNode) throws(DocumentProblem) -> RouteBuilder {
        if let error = root["error"] {
            let status = error["status"]?.line(maximumLength: 80) ?? "no reason"
            let message = error["message"]?.line()
            throw error.problem("Google found no route: \(status)\(message.map { " (\($0))" } ?? "")")
        }
        guard let routes = root["routes"] else {
            throw root.problem("Google found no route: the member \"routes\" is missing")
        }
        let route = try routes.first()
        try route.require(.object)
        var builder = RouteBuilder()
        let legs = route.list("legs")
        try addLine(of: route, legs: legs, to: &builder)
        for (index, leg) in legs.enumerated() {
            for (number, step) in leg.list("steps").enumerated() {
                try add(step, isFirst: index == 0 && number == 0, to: &builder)
            }
        }
        if let end = legs.last?["endLocation"] {
            builder.add(RouteManeuver(position: try position(end), kind: .arrive))
        }
        builder.add(duration: try (route["duration"] ?? route["staticDuration"]).map(seconds))
        builder.name = route["description"]?.string
        return builder
    }

    /// Adds the most detailed line that covers the route: that of the steps, of the legs or of the route itself.
    private static func addLine(
        of route: JSONNode, legs: [JSONNode], to builder: inout RouteBuilder
    ) throws(DocumentProblem) {
        let steps = legs.map { $0.list("steps") }
        let lines: [JSONNode]
        if !legs.isEmpty, steps.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0["polyline"] != nil } }) {
            lines = steps.flatMap { $0 }
        } else if route["polyline"] == nil, !legs.isEmpty, legs.allSatisfy({ $0["polyline"] != nil }) {
            lines = legs
        } else {
            lines = [route]
        }
        let start = (legs.first?["startLocation"]).flatMap { try? position($0) }
        var decoder: LineDecoder?
        for line in lines {
            let polyline = try line.member("polyline")
            if let geometry = polyline["geoJsonLinestring"] {
                try GeoJSONLine.add(geometry, to: &builder)
                continue
            }
            let text = try polyline.member("encodedPolyline")
            if decoder == nil { decoder = try LineDecoder(declared: .five, usual: .five, first: text, start: start) }
            try decoder!.add(text, to: &builder)
        }
    }

    private static func add(_ step: JSONNode, isFirst: Bool, to builder: inout RouteBuilder) throws(DocumentProblem) {
        guard let start = step["startLocation"] else { return }
        let instruction = step["navigationInstruction"]
        let (kind, angle) = GoogleManeuver.kind(of: instruction?["maneuver"])
        builder.add(
            RouteManeuver(
                position: try position(start), kind: isFirst ? .depart : kind == .depart ? .continue : kind,
                angle: isFirst ? nil : angle, text: instruction?["instructions"]?.line()))
    }

    /// Duration such as `"754s"` or `"3.5s"`. Unit: seconds.
    private static func seconds(_ node: JSONNode) throws(DocumentProblem) -> Double {
        try node.require(.text)
        guard let bytes = node.bytes, bytes.last == UInt8(ascii: "s"),
            let value = NumberParser.double(UnsafeRawBufferPointer(rebasing: bytes.dropLast())), value.isFinite
        else { throw node.problem("seconds such as \"754s\" are needed") }
        return value
    }

    private static func position(_ node: JSONNode) throws(DocumentProblem) -> GeodeticPosition {
        let coordinates = try node.member("latLng")
        // The service omits coordinates that are zero.
        return try GeoJSONPosition.checked(
            latitude: try coordinates["latitude"]?.double() ?? 0,
            longitude: try coordinates["longitude"]?.double() ?? 0,
            of: coordinates)
    }
}
