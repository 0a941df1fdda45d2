import Geometry
import JSON
import Scene

/// Responses of Google's Directions API.
///
/// Source: "Directions API, Get directions". Polylines always have precision 5.
enum GoogleDirections {
    static func read(_ root: JSONNode) throws(DocumentProblem) -> RouteBuilder {
        let status = try root.member("status")
        guard status.equals("OK") else {
            let word = try PlainText.line(status.text(), maximumLength: 80) ?? "?"
            let message = root["error_message"]?.line()
            throw status.problem("Google found no route: \(word)\(message.map { " (\($0))" } ?? "")")
        }
        let route = try root.member("routes").first()
        try route.require(.object)
        var builder = RouteBuilder()
        let legs = route.list("legs")
        let steps = legs.map { $0.list("steps") }
        try addLine(of: route, steps: steps, to: &builder)
        for (index, leg) in legs.enumerated() {
            for (number, step) in steps[index].enumerated() {
                try add(step, isFirst: index == 0 && number == 0, to: &builder)
            }
            if index == legs.count - 1, let end = leg["end_location"] {
                builder.add(
                    RouteManeuver(position: try position(end), kind: .arrive, text: leg["end_address"]?.line()))
            }
            builder.add(duration: leg["duration"]?["value"]?.number)
        }
        builder.name = legs.last?["end_address"]?.string ?? route["summary"]?.string
        return builder
    }

    /// Adds the lines of the steps, which have every bend, or else the overview, which is smoothed.
    private static func addLine(
        of route: JSONNode, steps: [[JSONNode]], to builder: inout RouteBuilder
    ) throws(DocumentProblem) {
        let isWhole =
            !steps.isEmpty
            && steps.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0["polyline"]?["points"] != nil } }
        let lines = isWhole ? steps.flatMap { $0 } : [route]
        let start = steps.first?.first?["start_location"].flatMap { try? position($0) }
        var decoder: LineDecoder?
        for line in lines {
            let points = try line.member(isWhole ? "polyline" : "overview_polyline").member("points")
            if decoder == nil { decoder = try LineDecoder(declared: .five, usual: .five, first: points, start: start) }
            try decoder!.add(points, to: &builder)
        }
    }

    private static func add(_ step: JSONNode, isFirst: Bool, to builder: inout RouteBuilder) throws(DocumentProblem) {
        guard let start = step["start_location"] else { return }
        let text = step["html_instructions"]?.string
            .flatMap { PlainText.html($0, maximumLength: RouteDocument.maximumInstructionLength) }
        let (kind, angle) = GoogleManeuver.kind(of: step["maneuver"])
        builder.add(
            RouteManeuver(
                position: try position(start), kind: isFirst ? .depart : kind, angle: isFirst ? nil : angle, text: text)
        )
    }

    private static func position(_ node: JSONNode) throws(DocumentProblem) -> GeodeticPosition {
        try GeoJSONPosition.checked(
            latitude: try node.member("lat").double(), longitude: try node.member("lng").double(), of: node)
    }
}

/// Maneuver names of both of Google's services: `turn-slight-left` in Directions, `TURN_SLIGHT_LEFT` in
/// Routes.
enum GoogleManeuver {
    static func kind(of node: JSONNode?) -> (RouteManeuver.Kind, angle: Double?) {
        guard let bytes = node?.bytes, bytes.count <= 40 else { return (.continue, nil) }
        let word = String(
            decoding: bytes.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 | 0x20 }, as: UTF8.self)
        switch word {
        case "turn-slight-left": return (.turn, -ManeuverTurn.slight)
        case "turn-left": return (.turn, -ManeuverTurn.plain)
        case "turn-sharp-left": return (.turn, -ManeuverTurn.sharp)
        case "turn-slight-right": return (.turn, ManeuverTurn.slight)
        case "turn-right": return (.turn, ManeuverTurn.plain)
        case "turn-sharp-right": return (.turn, ManeuverTurn.sharp)
        case "uturn-left": return (.uturn, -ManeuverTurn.uturn)
        case "uturn-right": return (.uturn, ManeuverTurn.uturn)
        case "ramp-left": return (.turn, -ManeuverTurn.slight)
        case "ramp-right": return (.turn, ManeuverTurn.slight)
        case "fork-left", "keep-left": return (.keep, -ManeuverTurn.slight)
        case "fork-right", "keep-right": return (.keep, ManeuverTurn.slight)
        case "roundabout-left", "roundabout-right": return (.roundabout, nil)
        case "depart": return (.depart, nil)
        default: return (.continue, nil)
        }
    }
}
