import Geometry
import Glibc
import JSON
import Scene

/// Builder of a route while its document is read; it checks every point.
struct RouteBuilder {
    private(set) var vertices: [GeodeticPosition] = []
    private(set) var maneuvers: [RouteManeuver] = []
    /// Name of the route in the document.
    var name: String?
    /// Duration of the route; nil if unknown. Unit: seconds.
    private(set) var duration: Double?
    /// Unit vector from the centre of the earth to the last vertex.
    private var lastDirection: Vector3?

    /// Appends the next point of the line, unless it repeats the last point.
    mutating func add(
        _ position: GeodeticPosition, at path: @autoclosure () -> String
    ) throws(DocumentProblem) {
        if let last = vertices.last, last.latitudeDegrees == position.latitudeDegrees,
            last.longitudeDegrees == position.longitudeDegrees
        {
            return
        }
        guard vertices.count < RouteDocument.maximumVertexCount else {
            throw DocumentProblem(path: path(), message: "more than \(RouteDocument.maximumVertexCount) points")
        }
        let direction = Self.direction(of: position)
        if let lastDirection {
            let metres = Self.distance(direction, lastDirection)
            guard metres <= RouteDocument.maximumJump else {
                throw DocumentProblem(
                    path: path(),
                    message: """
                        \(Int(metres / 1000)) km from the point before it; more than \
                        \(Int(RouteDocument.maximumJump / 1000)) km is no way to walk
                        """)
            }
        }
        lastDirection = direction
        vertices.append(position)
    }

    /// Appends a maneuver, up to the maximum number.
    mutating func add(_ maneuver: RouteManeuver) {
        guard maneuvers.count < RouteDocument.maximumManeuverCount else { return }
        maneuvers.append(maneuver)
    }

    /// Adds the duration of a part of the route; ignores nil and invalid values.
    mutating func add(duration seconds: Double?) {
        guard let seconds, seconds.isFinite, seconds >= 0 else { return }
        duration = (duration ?? 0) + seconds
    }

    /// - Throws: a problem if there are no two different points.
    func route(id: String, name: String?, path: String) throws(DocumentProblem) -> Route {
        guard vertices.count >= 2 else {
            throw DocumentProblem(
                path: path,
                message: "a route needs two different points; there \(vertices.isEmpty ? "is none" : "is one")")
        }
        let name = PlainText.firstLine(of: name, self.name, maximumLength: RouteDocument.maximumNameLength)
        return Route(
            id: id, name: name ?? id,
            vertices: vertices, maneuvers: maneuvers, duration: duration)
    }

    /// Radius of a sphere with the surface area of the earth. Unit: metres.
    private static let earthRadius = 6_371_007.0

    private static func direction(of position: GeodeticPosition) -> Vector3 {
        let latitude = position.latitudeDegrees * .pi / 180
        let longitude = position.longitudeDegrees * .pi / 180
        return Vector3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// Great-circle distance on a sphere. Unit: metres.
    static func distance(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
        distance(direction(of: a), direction(of: b))
    }

    private static func distance(_ a: Vector3, _ b: Vector3) -> Double {
        earthRadius * 2 * asin(min(1, (a - b).norm / 2))
    }
}
