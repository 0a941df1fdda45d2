import Geometry
import PlanMatching

/// Level whose features are drawn in metres east and north of a place.
struct DrawnLevel {
    let plane: LocalTangentPlane
    private(set) var features: [PlanFeature] = []

    init(latitude: Double = 47.3) throws {
        let origin = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 8.5, ellipsoidalHeight: 0)
        guard let origin else { throw NoPlace() }
        plane = LocalTangentPlane(origin: origin)
    }

    struct NoPlace: Error {}

    mutating func add(_ kind: PlanFeature.Kind, area rings: [[Vector2]]) {
        features.append(PlanFeature(kind: kind, shape: .area(rings.map { $0.map(point) })))
    }

    mutating func add(_ kind: PlanFeature.Kind, line: [Vector2]) {
        features.append(PlanFeature(kind: kind, shape: .line(line.map(point))))
    }

    mutating func add(_ kind: PlanFeature.Kind, at place: Vector2) {
        features.append(PlanFeature(kind: kind, shape: .point(point(place))))
    }

    var plan: FloorPlan {
        FloorPlan(id: "drawn", name: "Drawn", levels: [PlanLevel(name: "0", number: 0, features: features)])
    }

    private func point(_ place: Vector2) -> PlanPoint {
        let position = plane.position(ofENU: Vector3(place.x, place.y, 0)) ?? plane.origin
        return PlanPoint(latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees)
    }

    /// Corners of a rectangle, counter-clockwise.
    static func rectangle(_ low: Vector2, _ high: Vector2) -> [Vector2] {
        [low, Vector2(high.x, low.y), high, Vector2(low.x, high.y)]
    }
}
