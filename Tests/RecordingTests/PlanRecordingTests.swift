import Foundation
import Geometry
import Linux
import Model
import PlanMatching
import Engine
import Recording
import Simulation
import Testing

@Suite("Plans in a recording")
struct PlanRecordingTests {
    private let folder = TemporaryFolder()
    private static let origin = CityWalkSettings(seed: 1).origin

    /// A hall of 600 m around the simulated walk with a wall.
    private static func plan(_ id: String, north: Double = 0) -> FloorPlan {
        let plane = LocalTangentPlane(origin: origin)
        func point(_ x: Double, _ y: Double) -> PlanPoint {
            let position = plane.position(ofENU: Vector3(x, y + north, 0))!
            return PlanPoint(latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees)
        }
        let ring = [point(-300, -300), point(300, -300), point(300, 300), point(-300, 300)]
        let features = [
            PlanFeature(kind: .floor, shape: .area([ring])),
            PlanFeature(kind: .wall, shape: .line([point(-300, 20), point(300, -20)])),
        ]
        return FloorPlan(id: id, name: "Hall \"\(id)\"", levels: [PlanLevel(name: "0", number: 0, features: features)])
    }

    private func time(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

    private func write(_ name: String, _ offers: (RecordingWriter) -> Void) throws -> RecordingReader {
        let writer = RecordingWriter(path: folder.file(name)) {}
        offers(writer)
        try #require(writer.finish().dropped == 0)
        return try RecordingReader(path: folder.file(name))
    }

    @Test("are passed on between the same measurements, each as it was to the last bit")
    func order() throws {
        let (first, second) = (PlanLibrary([Self.plan("a")]), PlanLibrary([Self.plan("b \\ ü"), Self.plan("a")]))
        let reader = try write("order.mcap") { writer in
            writer.offer(.clock(time(1)), at: time(1))
            writer.offer(.plans(first), at: time(1))
            writer.offer(.clock(time(2)), at: time(2))
            writer.offer(.clock(time(3)), at: time(3))
            writer.offer(.plans(second), at: time(3))
            writer.offer(.clock(time(4)), at: time(4))
            writer.offer(.plans(PlanLibrary()), at: time(4))
            writer.offer(.plans(first), at: time(4))
            writer.offer(.clock(time(5)), at: time(5))
        }
        var found: [(Int64, [FloorPlan])] = []
        while let measurement = try reader.next() {
            reader.usePlans { found.append((measurement.time.nanoseconds / 1_000_000_000, $0.plans.map(\.plan))) }
        }
        #expect(found.map(\.0) == [2, 4, 5])
        #expect(found.map(\.1) == [first, second, first].map { $0.plans.map(\.plan) })
        #expect(reader.warnings.isEmpty)
    }

    @Test("give the poses of the daemon, which followed them from before the recording")
    func replays() throws {
        var walk = CityWalk(
            settings: CityWalkSettings(seed: 35), start: time(1), magneticModel: WorldMagneticModel.wmm2025)!
        var odometry = Odometry()
        let (library, later) = (PlanLibrary([Self.plan("a")]), PlanLibrary([Self.plan("b", north: 1)]))
        odometry.use(library)
        var isPlaced = false
        func next() -> Measurement {
            var measurement = walk.next()
            // A single fix: satellites that measure the motion need no plan.
            while case .fix = measurement, isPlaced { measurement = walk.next() }
            if case .fix = measurement { isPlaced = true }
            return measurement
        }
        for _ in 0..<40_000 { odometry.feed(next()) { _ in } }
        let saved = odometry.state()
        let state = try #require(saved)
        var published: [PoseEstimate] = []
        let writer = RecordingWriter(path: folder.file("live.mcap")) {}
        writer.offer(.plans(library), at: time(1))
        writer.offer(.estimatorState(state), at: time(1))
        for count in 0..<10_000 {
            if count == 5000 {
                odometry.use(later)
                writer.offer(.plans(later), at: time(1))
            }
            let measurement = next()
            writer.offer(measurement, at: measurement.time)
            odometry.feed(measurement) { if let pose = $0.pose { published.append(pose) } }
            writer.waitForQueue()
        }
        try #require(writer.finish().dropped == 0)
        #expect(try replayed(nil) == published)
        #expect(try replayed(PlanLibrary()) != published, "plans that are given stand in place of the recorded ones")
    }

    private func replayed(_ plans: PlanLibrary?) throws -> [PoseEstimate] {
        var poses: [PoseEstimate] = []
        _ = try Replay.run(try RecordingReader(path: folder.file("live.mcap")), plans: plans) {
            row throws(RecordingError) in
            if let pose = row.pose { poses.append(pose) }
        }
        return poses
    }
}
