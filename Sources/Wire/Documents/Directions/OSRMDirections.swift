import Geometry
import JSON
import Scene

/// Responses of OSRM's route service and of Mapbox Directions, which have the same format.
///
/// Source: OSRM API 5, "Route service"; Mapbox Directions API 5. Geometries are polylines of precision 5 or 6, or
/// GeoJSON; the response does not state the precision of a polyline, so it is inferred from the waypoints.
struct OSRMDirections {
    private var builder = RouteBuilder()
    private let decoder: LineDecoder
    private let route: JSONNode
    private let legs: [JSONNode]

    static func read(
        _ root: JSONNode, service: RouteFormat, precision: EncodedPolyline.Precision?
    ) throws(DocumentProblem) -> RouteBuilder {
        try check(root, service: service)
        var directions = try OSRMDirections(root, precision: precision)
        try directions.addLine()
        try directions.addManeuvers()
        directions.builder.add(duration: directions.route["duration"]?.number)
        directions.builder.name = root.list("waypoints").last?["name"]?.string
        return directions.builder
    }

    private init(_ root: JSONNode, precision: EncodedPolyline.Precision?) throws(DocumentProblem) {
        route = try root.member("routes").first()
        try route.require(.object)
        legs = route.list("legs")
        let start = root.list("waypoints").first?["location"]
        let firstStep = legs.first?.list("steps").first
        let location = start ?? firstStep?["maneuver"]?["location"]
        let line = route["geometry"] ?? firstStep?["geometry"]
        decoder = try LineDecoder(
            declared: precision, usual: .five, first: line,
            start: location.flatMap { try? GeoJSONPosition.read($0) })
    }

    /// Throws the message of a response whose code is not "Ok"; such a response has no route.
    private static func check(_ root: JSONNode, service: RouteFormat) throws(DocumentProblem) {
        let name = service == .mapbox ? "Mapbox" : "OSRM"
        let message = root["message"]?.line()
        guard let code = root["code"] else {
            if root["routes"] == nil, let message { throw root.problem("\(name) answered: \(message)") }
            return
        }
        guard code.equals("Ok") else {
            let word = code.line(maximumLength: 80) ?? "?"
            throw code.problem("\(name) found no route: \(word)\(message.map { " (\($0))" } ?? "")")
        }
    }

    // MARK: - Line

    /// Adds the lines of the steps, which have full resolution, or else the overview, which is simplified unless the
    /// request asks for all of it.
    private mutating func addLine() throws(DocumentProblem) {
        let steps = legs.flatMap { $0.list("steps") }
        let isWhole =
            !steps.isEmpty && legs.allSatisfy { $0["steps"]?.count ?? 0 > 0 }
            && steps.allSatisfy { $0["geometry"] != nil }
        if isWhole {
            for step in steps { try add(try step.member("geometry")) }
        } else {
            try add(try route.member("geometry"))
        }
    }

    private mutating func add(_ geometry: JSONNode) throws(DocumentProblem) {
        switch geometry.kind {
        case .object: try GeoJSONLine.add(geometry, to: &builder)
        case .text: try decoder.add(geometry, to: &builder)
        default: throw geometry.problem("a polyline or a GeoJSON LineString is needed, not \(geometry.kind.words)")
        }
    }

    // MARK: - Maneuvers

    private mutating func addManeuvers() throws(DocumentProblem) {
        for (index, leg) in legs.enumerated() {
            // The banner of a step is shown during the step, and announces the maneuver at the end of the step.
            var banner: JSONNode?
            for step in leg.list("steps") {
                if let maneuver = step["maneuver"] {
                    try add(maneuver, banner: banner, isFirstLeg: index == 0, isLastLeg: index == legs.count - 1)
                }
                banner = step.list("bannerInstructions").last?["primary"]?["text"]
            }
        }
    }

    private mutating func add(
        _ maneuver: JSONNode, banner: JSONNode?, isFirstLeg: Bool, isLastLeg: Bool
    ) throws(DocumentProblem) {
        let position = try GeoJSONPosition.read(try maneuver.member("location"))
        let angle = Self.angle(of: maneuver)
        var kind = Self.kind(of: maneuver, angle: angle)
        // Between two legs the wearer neither departs nor arrives.
        if kind == .depart && !isFirstLeg { return }
        if kind == .arrive && !isLastLeg { kind = .continue }
        let text = maneuver["instruction"]?.string ?? banner?.string
        builder.add(
            RouteManeuver(
                position: position, kind: kind, angle: kind == .depart ? nil : angle,
                text: text.flatMap { PlainText.line($0, maximumLength: RouteDocument.maximumInstructionLength) }))
    }

    /// Angle computed from the bearings before and after the maneuver, which are exact, or else from the modifier.
    private static func angle(of maneuver: JSONNode) -> Double? {
        if let before = maneuver["bearing_before"]?.number, let after = maneuver["bearing_after"]?.number,
            maneuver["type"]?.equals("depart") != true, maneuver["type"]?.equals("arrive") != true
        {
            return Angle.wrapped(Angle.radians(degrees: after - before))
        }
        return maneuver["modifier"].flatMap(ManeuverTurn.angle(modifier:))
    }

    private static func kind(of maneuver: JSONNode, angle: Double?) -> RouteManeuver.Kind {
        guard let type = maneuver["type"] else { return .continue }
        if type.equals("depart") { return .depart }
        if type.equals("arrive") { return .arrive }
        if maneuver["modifier"]?.equals("uturn") == true { return .uturn }
        if type.equals("roundabout") || type.equals("rotary") { return .roundabout }
        if type.equals("fork") { return maneuver["modifier"]?.equals("straight") == true ? .continue : .keep }
        let turns: [StaticString] = ["turn", "end of road", "on ramp", "off ramp", "ramp", "roundabout turn"]
        if turns.contains(where: { type.equals($0) }) {
            return maneuver["modifier"]?.equals("straight") == true ? .continue : .turn
        }
        // "continue" and "new name" stay on a street, which may itself turn.
        let follows: [StaticString] = ["continue", "new name"]
        if follows.contains(where: { type.equals($0) }), abs(angle ?? 0) >= ManeuverTurn.minimumAngle { return .turn }
        return .continue
    }
}
