import EstimatorFixtures
import Geometry
import Model
import PlanMatching
import Engine
import Simulation
import Testing

@Suite("The paths in use")
struct PathUseTests {
    typealias Measurement = Model.Measurement

    private static let measurements: [Measurement] = {
        var walk = CityWalk(
            settings: CityWalkSettings(seed: 35), start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
        var all: [Measurement] = []
        while all.last.map({ $0.time < Fixture.time(110) }) ?? true { all.append(walk.next()) }
        return all
    }()

    private static let split = measurements.firstIndex { $0.time > Fixture.time(90) }!

    /// Poses of the walk, at the middle of which something is done, and the filter's position at the end.
    private static func followed(
        _ library: PlanLibrary, between: (inout Odometry) throws -> Void = { _ in }
    ) throws -> (poses: [PoseEstimate], position: Vector3?) {
        var odometry = Odometry()
        odometry.use(library)
        var poses: [PoseEstimate] = []
        for (index, measurement) in measurements.enumerated() {
            if index == split { try between(&odometry) }
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        return (poses, odometry.filter?.state.position)
    }

    private static let without = try? followed(PlanLibrary())

    /// A path 2 m to the east of the positions without one.
    private static let library: PlanLibrary = {
        let positions = (without?.poses ?? []).compactMap(\.geodetic)
        let points = stride(from: 0, to: positions.count, by: 400).compactMap { index -> PlanPoint? in
            let plane = LocalTangentPlane(origin: positions[index])
            guard let moved = plane.position(ofENU: Vector3(2, 0, 0)) else { return nil }
            return PlanPoint(latitudeDegrees: moved.latitudeDegrees, longitudeDegrees: moved.longitudeDegrees)
        }
        let path = PlanFeature(kind: .path, shape: .line(points))
        return PlanLibrary([
            FloorPlan(id: "path", name: "", levels: [PlanLevel(name: "0", number: 0, features: [path])])
        ])
    }()

    @Test("correct the published position and its accuracy, and neither the filter nor the scene's own positions")
    func correction() throws {
        let without = try #require(Self.without)
        let with = try Self.followed(Self.library)
        #expect(with.position == without.position)
        #expect(with.poses.map(\.positionInScene) == without.poses.map(\.positionInScene))
        let (last, before) = (try #require(with.poses.last), try #require(without.poses.last))
        let shift = Vector2(
            LocalTangentPlane(origin: try #require(before.geodetic)).pointENU(of: try #require(last.geodetic)))
        #expect((0.3...3).contains(shift.norm))
        #expect(try #require(last.accuracy.horizontal) < #require(before.accuracy.horizontal))
        var previous = Vector2()
        for (pose, other) in zip(with.poses, without.poses) {
            guard let here = pose.geodetic, let there = other.geodetic else { continue }
            let shift = Vector2(LocalTangentPlane(origin: there).pointENU(of: here))
            #expect((shift - previous).norm < 0.05, "the correction comes without a jump")
            previous = shift
        }
    }

    @Test("are followed on to the last bit by the estimator that takes up a state, and given up where it has none")
    func restored() throws {
        let followed = try Self.followed(Self.library).poses
        let same = try Self.followed(Self.library) { odometry in
            var other = Odometry()
            other.use(Self.library)
            let state = odometry.state()
            odometry = try other.restored(try #require(state))
        }
        #expect(same.poses == followed)
        let without = try Self.followed(Self.library) { odometry in
            let state = odometry.state()
            odometry = try Odometry().restored(try #require(state))
        }
        #expect(without.poses.last?.geodetic != followed.last?.geodetic)
        #expect(
            without.poses.last?.accuracy.horizontal == Self.without?.poses.last?.accuracy.horizontal)
    }
}
