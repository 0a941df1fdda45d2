import Foundation
import Geometry
import Linux
import Messages
import Model
import Recording
import Testing
import Documents

@Suite("The track of a recording")
struct RecordedTrackTests {
    private let folder = TemporaryFolder()

    private func fix(
        _ seconds: Double, utc: Double? = nil, height: Double? = 450, separation: Double? = nil
    ) -> GNSSFix {
        let time = BootTime(seconds: seconds)!
        return GNSSFix(
            epoch: time, arrival: time, utcSeconds: utc,
            position: GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.25, ellipsoidalHeight: height ?? 0)!,
            hasHeight: height != nil, velocityENU: .init(east: 1, north: 2, up: nil),
            positionSigma: .init(east: 2, north: 3, up: 4), velocitySigma: nil, geoidSeparation: separation)
    }

    private func pose(
        _ seconds: Double, yaw: Double = 0.75, pitch: Double = 0, sources: AidingSources = .gnssPosition
    ) -> PoseEstimate {
        // To ENU from the scene's axes, whose yaw is 0.5.
        let level = Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)
        let scene = Rotation3.about(Vector3(0, 1, 0), by: yaw - 0.5) * Rotation3.about(Vector3(1, 0, 0), by: pitch)
        return PoseEstimate(
            time: BootTime(seconds: seconds)!, generation: 1, rotationSceneFromBody: scene, positionInScene: .zero,
            velocityInScene: Vector3(1, 0.25, 0), angularVelocityInBody: .zero,
            rotationENUFromBody: Rotation3.about(Vector3(0, 0, 1), by: 0.5) * level * scene,
            velocityENU: Rotation3.about(Vector3(0, 0, 1), by: 0.5) * level * Vector3(1, 0.25, 0),
            geodetic: GeodeticPosition(latitudeDegrees: 47.25, longitudeDegrees: 8.5, ellipsoidalHeight: 450),
            headingReference: .trueNorth, accuracy: PoseAccuracy(horizontal: 1.51, vertical: 2, yaw: 0.1),
            orientationTracking: .tracked, positionTracking: .tracked, state: .localized, reasons: [], sources: sources)
    }

    private enum Part {
        case fix(GNSSFix)
        case pose(PoseEstimate)
    }

    private func write(_ parts: [Part]) throws -> String {
        let path = folder.file(UUID().uuidString + ".mcap")
        let writer = RecordingWriter(path: path) {}
        for (index, part) in parts.enumerated() {
            switch part {
            case .fix(let fix): writer.offer(.fix(fix), at: fix.arrival)
            case .pose(let pose): writer.offer(pose, sequence: UInt64(index + 1), at: pose.time)
            }
            writer.waitForQueue()
        }
        try #require(writer.finish().dropped == 0)
        return path
    }

    private func points(_ path: String, _ content: RecordedTrack.Content) throws -> [TrackSample] {
        let track = try RecordedTrack(path: path, content: content)
        var points: [TrackSample] = []
        try track.read { point throws(RecordingError) in points.append(point) }
        return points
    }

    @Test("points before the first fix have the UTC and the heights that it makes known")
    func backFilled() throws {
        let path = try write([
            .pose(pose(1)), .pose(pose(2)), .fix(fix(3, utc: 1_782_000_003, separation: 47)), .pose(pose(4)),
        ])
        let found = try points(path, .fused)
        #expect(found.map(\.utc) == [1, 2, 4].map { 1_782_000_000_000_000_000 + $0 * 1_000_000_000 })
        #expect(found.map { $0.position?.seaLevelHeight } == [403, 403, 403])
        #expect(found.map { $0.position?.ellipsoidalHeight } == [450, 450, 450])
        #expect(try RecordedTrack(path: path, content: .fused).hasUTC)
    }

    @Test("published orientations and velocities are turned to true north, also with the sight straight down")
    func north() throws {
        let down = pose(2, pitch: -.pi / 2)
        #expect(down.heading == nil)
        let path = try write([.pose(pose(1, yaw: -2)), .pose(down), .pose(pose(3, yaw: 3, sources: .inertial))])
        let found = try points(path, .fused)
        for (point, pose) in zip(found, [pose(1, yaw: -2), down, pose(3, yaw: 3)]) {
            let difference = (try #require(point.rotationENUFromBody).inverse * pose.rotationENUFromBody).w
            // Headings are recorded exactly, and a rotation's real part is flat about one.
            #expect(abs(abs(difference) - 1) < 1e-12)
            // Velocities are recorded with six decimals.
            #expect(abs(try #require(point.velocityENU.east) - pose.velocityENU!.x) < 2e-6)
            #expect(abs(try #require(point.velocityENU.up) - 0.25) < 2e-6)
        }
        #expect(found.map(\.isDeadReckoned) == [false, false, true])
        #expect(abs(found[0].standardDeviation.east! - 1) < 1e-12)
    }

    @Test("fixes keep their own UTC and deviations, and have heights where the receiver gave one")
    func receiver() throws {
        let path = try write([
            .fix(fix(1, height: 447)), .fix(fix(2, utc: 100.5, height: nil)),
            .fix(fix(3, utc: 101.75, height: 448, separation: 47)),
        ])
        let found = try points(path, .receiver)
        #expect(found.map(\.utc) == [99_500_000_000, 100_500_000_000, 101_750_000_000])
        #expect(found.map { $0.position?.seaLevelHeight } == [400, nil, 401])
        #expect(found.map { $0.position?.ellipsoidalHeight } == [447, nil, 448])
        #expect(found[0].standardDeviation == TrackDeviation(east: 2, north: 3, up: 4))
        #expect(found[0].velocityENU == .init(east: 1, north: 2, up: nil))
    }

    @Test("heights above the sea are by EGM96 where no fix has a separation, and by the fixes alone where one has")
    func geoid() throws {
        let without = try points(try write([.fix(fix(1)), .pose(pose(2))]), .fused)
        // EGM96 is 47.82 m high there.
        #expect(abs(try #require(without.first?.position?.seaLevelHeight) - 402.18) < 1e-6)
        let path = try write([.fix(fix(1)), .pose(pose(2)), .fix(fix(3, separation: 46)), .pose(pose(4)), .fix(fix(5))])
        #expect(try points(path, .fused).map { $0.position?.seaLevelHeight } == [404, 404])
        #expect(try points(path, .receiver).map { $0.position?.seaLevelHeight } == [404, 404, 404])
    }

    @Test("a replay gives the poses of the estimator where none were published")
    func replayed() throws {
        _ = try RecordingImport.run(ListReader(smallWalk(seconds: 12)), to: folder.file("walk.mcap"))
        let path = folder.file("walk.mcap")
        #expect(try points(path, .fused).isEmpty)
        let found = try points(path, .replayed)
        var rows = 0
        _ = try Replay.run(RecordingReader(path: path)) { row throws(RecordingError) in rows += row.pose == nil ? 0 : 1
        }
        #expect(found.count == rows && found.contains { $0.position != nil })
        #expect(found.last?.utc != nil)
    }

    @Test("a recording that is cut gives the points up to there, and warns")
    func cut() throws {
        let whole = try write((1...2000).map { .pose(pose(Double($0) / 10)) })
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        let path = folder.file("cut.mcap")
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: path))
        let track = try RecordedTrack(path: path, content: .fused)
        var count = 0
        try track.read { _ throws(RecordingError) in count += 1 }
        #expect((100..<2000).contains(count) && track.warnings.contains { $0.contains("cut short") })
    }

    @Test("what is no recording is refused")
    func noRecording() {
        #expect(throws: RecordingError.self) { try RecordedTrack(path: folder.file("none"), content: .fused) }
    }
}
