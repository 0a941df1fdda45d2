import Geometry
import JSON
import Scene

/// Responses of Valhalla's route service in its native format.
///
/// Source: Valhalla, "Turn-by-turn API". The shape of a leg is a polyline of precision 6, or of precision 5 if the
/// request sets that `shape_format`; each maneuver states the index of the shape point at which it begins.
struct ValhallaDirections {
    private var builder = RouteBuilder()
    private let decoder: LineDecoder
    private let trip: JSONNode
    private let legs: [JSONNode]

    static func read(
        _ root: JSONNode, precision: EncodedPolyline.Precision?
    ) throws(DocumentProblem) -> RouteBuilder {
        if let code = root["error_code"] ?? root["error"] { throw refusal(root, at: code) }
        var directions = try ValhallaDirections(try root.member("trip"), precision: precision)
        try directions.addLegs()
        directions.builder.add(duration: directions.trip["summary"]?["time"]?.number)
        directions.builder.name = directions.trip.list("locations").last?["name"]?.string
        return directions.builder
    }

    private static func refusal(_ root: JSONNode, at node: JSONNode) -> DocumentProblem {
        let message = (root["error"] ?? root["status_message"])?.line() ?? "no reason"
        let code = root["error_code"]?.number.flatMap { Int(exactly: $0) }.map { " (error \($0))" } ?? ""
        return node.problem("Valhalla found no route: \(message)\(code)")
    }

    private init(_ trip: JSONNode, precision: EncodedPolyline.Precision?) throws(DocumentProblem) {
        try trip.require(.object)
        if let status = trip["status"], status.number != 0 {
            let message = trip["status_message"]?.line() ?? "no reason"
            throw status.problem("Valhalla found no route: \(message)")
        }
        self.trip = trip
        let legs = try trip.member("legs")
        let first = try legs.first()
        self.legs = Array(legs.elements)
        let start = trip.list("locations").first
        decoder = try LineDecoder(
            declared: precision, usual: .six, first: first["shape"],
            start: start.flatMap { location in
                guard let latitude = location["lat"]?.number, let longitude = location["lon"]?.number else {
                    return nil
                }
                return GeodeticPosition(
                    latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
            })
    }

    private mutating func addLegs() throws(DocumentProblem) {
        for (index, leg) in legs.enumerated() {
            let shape = try leg.member("shape")
            let points = try shape.kind == .object ? GeoJSONLine.points(shape) : decoder.points(of: shape)
            for (number, point) in points.enumerated() { try builder.add(point, at: "\(shape.path), point \(number)") }
            for maneuver in leg.list("maneuvers") {
                try add(maneuver, of: points, isFirstLeg: index == 0, isLastLeg: index == legs.count - 1)
            }
        }
    }

    private mutating func add(
        _ maneuver: JSONNode, of points: [GeodeticPosition], isFirstLeg: Bool, isLastLeg: Bool
    ) throws(DocumentProblem) {
        let place = try maneuver.member("begin_shape_index")
        let index = try place.integer()
        guard points.indices.contains(index) else {
            throw place.problem("\(index) is none of the leg's \(points.count) points")
        }
        var (kind, angle) = Self.kind(of: try maneuver.member("type").integer())
        if kind != .arrive, angle != nil, let before = maneuver["bearing_before"]?.number,
            let after = maneuver["bearing_after"]?.number
        {
            angle = Angle.wrapped(Angle.radians(degrees: after - before))
        }
        // Between two legs the wearer neither departs nor arrives.
        if kind == .depart && !isFirstLeg { return }
        if kind == .arrive && !isLastLeg { kind = .continue }
        builder.add(
            RouteManeuver(position: points[index], kind: kind, angle: angle, text: maneuver["instruction"]?.line()))
    }

    /// Kind and angle of a Valhalla maneuver type. Lifts, stairs and public transport count as going straight on.
    private static func kind(of type: Int) -> (RouteManeuver.Kind, angle: Double?) {
        switch type {
        case 1, 2, 3: (.depart, nil)
        case 4: (.arrive, nil)
        case 5: (.arrive, ManeuverTurn.plain)
        case 6: (.arrive, -ManeuverTurn.plain)
        case 9: (.turn, ManeuverTurn.slight)
        case 10: (.turn, ManeuverTurn.plain)
        case 11: (.turn, ManeuverTurn.sharp)
        case 12: (.uturn, ManeuverTurn.uturn)
        case 13: (.uturn, -ManeuverTurn.uturn)
        case 14: (.turn, -ManeuverTurn.sharp)
        case 15: (.turn, -ManeuverTurn.plain)
        case 16: (.turn, -ManeuverTurn.slight)
        case 18, 20: (.turn, ManeuverTurn.slight)
        case 19, 21: (.turn, -ManeuverTurn.slight)
        case 23: (.keep, ManeuverTurn.slight)
        case 24: (.keep, -ManeuverTurn.slight)
        case 26: (.roundabout, nil)
        default: (.continue, nil)
        }
    }
}
