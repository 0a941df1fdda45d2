import EstimatorFixtures
import Geometry
import Model
import PlanMatching
import Engine
import Simulation
import Testing

@Suite("The plans in use")
struct PlanUseTests {
    typealias Measurement = Model.Measurement

    /// A walk with a single fix, at its start.
    private static let measurements: [Measurement] = {
        let settings = CityWalkSettings(seed: 35)
        var walk = CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
        var all: [Measurement] = []
        var isPlaced = false
        while all.last.map({ $0.time < Fixture.time(110) }) ?? true {
            let next = walk.next()
            if case .fix = next {
                if isPlaced { continue }
                isPlaced = true
            }
            all.append(next)
        }
        return all
    }()

    private static let split = measurements.firstIndex { $0.time > Fixture.time(90) }!

    /// Poses after the middle of the walk, before which something is done.
    private static func poses(
        _ library: PlanLibrary, between: (inout Odometry) throws -> Void = { _ in }
    ) throws -> [PoseEstimate] {
        var odometry = Odometry()
        odometry.use(library)
        for measurement in measurements[..<split] { odometry.feed(measurement) { _ in } }
        try between(&odometry)
        var poses: [PoseEstimate] = []
        for measurement in measurements[split...] {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        return poses
    }

    private static let followed = (try? poses(WalkPlan.library)) ?? []

    @Test("have an influence on the poses of this walk")
    func influence() throws {
        #expect(Self.followed.count > 1000)
        #expect(try Self.followed != Self.poses(PlanLibrary()))
    }

    @Test("are published: the most probable plan and level, with probabilities that leave the rest to no plan")
    func published() throws {
        var uses: [PlanUse?] = []
        _ = try Self.poses(WalkPlan.library) { uses.append($0.planUse) }
        let use = try #require(uses.first ?? nil)
        #expect(use.plan == "hall" && use.name == "Hall" && ["0", "1"].contains(use.level))
        #expect((0...1).contains(use.levelProbability) && use.planProbability >= use.levelProbability)
        #expect(abs(use.planProbability + use.noPlanProbability - 1) < 1e-9 && use.distance > 20)
        _ = try Self.poses(PlanLibrary()) { uses.append($0.planUse) }
        #expect(uses[1] == nil)
    }

    @Test("are followed on without a break when they come again, drawn anew or with others")
    func sameAgain() throws {
        let again = PlanLibrary([WalkPlan.plan()])
        #expect(again == WalkPlan.library)
        #expect(try Self.poses(WalkPlan.library) { $0.use(again) } == Self.followed)
        let more = PlanLibrary([WalkPlan.plan(id: "far", shift: 20_000), WalkPlan.plan()])
        #expect(try Self.poses(WalkPlan.library) { $0.use(more) } == Self.followed)
    }

    @Test("are given up when another comes in their place, or none")
    func others() throws {
        let other = PlanLibrary([WalkPlan.plan(shift: 3)])
        #expect(other != WalkPlan.library)
        #expect(try Self.poses(WalkPlan.library) { $0.use(other) } != Self.followed)
        #expect(try Self.poses(WalkPlan.library) { $0.use(PlanLibrary()) } != Self.followed)
    }

    @Test("are those of the estimator that takes up a state, which gives up what was followed on others")
    func restored() throws {
        let same = try Self.poses(WalkPlan.library) { odometry in
            let state = odometry.state()
            var other = Odometry()
            other.use(WalkPlan.library)
            odometry = try other.restored(try #require(state))
        }
        #expect(same == Self.followed)
        let without = try Self.poses(WalkPlan.library) { odometry in
            let state = odometry.state()
            odometry = try Odometry().restored(try #require(state))
        }
        #expect(without.count == Self.followed.count && without != Self.followed)
    }
}
