import Geometry
import PlanMatching
import Simulation

/// A plan of two floors around the simulated walk: a large hall, with a wall on one of them.
enum WalkPlan {
    static let library = PlanLibrary([plan()])

    /// - Parameter shift: moves all to the east. Unit: metres.
    static func plan(id: String = "hall", shift: Double = 0) -> FloorPlan {
        let plane = LocalTangentPlane(origin: CityWalkSettings(seed: 1).origin)
        func point(_ east: Double, _ north: Double) -> PlanPoint {
            let position = plane.position(ofENU: Vector3(east + shift, north, 0))!
            return PlanPoint(latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees)
        }
        let ring = [point(-300, -300), point(300, -300), point(300, 300), point(-300, 300)]
        let floor = PlanFeature(kind: .floor, shape: .area([ring]))
        let wall = PlanFeature(kind: .wall, shape: .line([point(-300, 20), point(300, -20)]))
        return FloorPlan(
            id: id, name: "Hall",
            levels: [
                PlanLevel(name: "0", number: 0, features: [floor]),
                PlanLevel(name: "1", number: 1, features: [floor, wall]),
            ])
    }
}
