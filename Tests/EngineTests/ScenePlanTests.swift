import Engine
import Geometry
import Model
import PlanMatching
import Simulation
import Testing

@Suite("A floor plan in the scene frame")
struct ScenePlanTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    /// A hall around the simulated walk, with a wall.
    private static func library(_ origin: GeodeticPosition) -> PlanLibrary {
        let plane = LocalTangentPlane(origin: origin)
        func point(_ east: Double, _ north: Double) -> PlanPoint {
            let position = plane.position(ofENU: Vector3(east, north, 0)) ?? origin
            return PlanPoint(
                latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees)
        }
        let ring = [point(-300, -300), point(300, -300), point(300, 300), point(-300, 300)]
        let features = [
            PlanFeature(kind: .floor, shape: .area([ring])),
            PlanFeature(kind: .wall, shape: .line([point(-300, 20), point(300, -20)])),
        ]
        return PlanLibrary([
            FloorPlan(
                id: "hall", name: "Main hall", levels: [PlanLevel(name: "F1", number: 0, features: features)])
        ])
    }

    @Test("is published with its level, and named as the cause of what it moves")
    func cause() throws {
        let settings = CityWalkSettings(seed: 35)
        var walk = try #require(
            CityWalk(settings: settings, start: Self.start, magneticModel: WorldMagneticModel.wmm2025))
        var engine = Engine()
        engine.use(Self.library(settings.origin))
        let before = engine.planUse
        #expect(before == nil)
        var (hasFix, causes) = (false, FrameCauses())
        while engine.pose.map({ $0.time.seconds(since: Self.start) < 110 }) ?? true {
            let next = walk.next()
            // One fix, and from then on steps alone.
            if case .fix = next {
                if hasFix { continue }
                hasFix = true
            }
            engine.feed(next) { if case .frame(let frame) = $0 { causes.formUnion(frame.causes) } }
        }
        let found = engine.planUse
        let use = try #require(found)
        #expect(use.title == "Main hall" && use.level == "F1" && use.planProbability == use.levelProbability)
        #expect(causes.contains(.plan) && !causes.contains(.aid))
        let history = engine.frameHistory
        let moved = (0..<history.count).map { history[$0] }.filter { $0.mainCause == .plan }
        #expect(!moved.isEmpty && moved.allSatisfy { $0.text.contains("the plan 'Main hall', level F1") })
    }
}
