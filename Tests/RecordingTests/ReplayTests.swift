import Foundation
import Geometry
import Linux
import Model
import Engine
import Recording
import Testing

@Suite("A replay")
struct ReplayTests {
    private let folder = TemporaryFolder()

    private func table(_ reader: any MeasurementReader, rate: Double? = nil) throws -> String {
        let path = folder.file(UUID().uuidString)
        var writer = PoseCSVWriter(path: path, file: try File.createNew(path, mode: 0o600))
        let summary = try Replay.run(reader, rate: rate) { row throws(RecordingError) in
            try writer.write(row)
        }
        try writer.finish()
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(text.split(separator: "\n").count == summary.rows + 1)
        return text
    }

    private func rows(_ table: String) -> [[String: String]] {
        let lines = table.split(separator: "\n").map { $0.components(separatedBy: ",") }
        return lines.dropFirst().map { cells in
            #expect(cells.count == lines[0].count)
            return Dictionary(uniqueKeysWithValues: zip(lines[0], cells))
        }
    }

    @Test("the same recording gives the same bytes, from memory, from a file, and on four threads at once")
    func deterministic() async throws {
        let walk = offeredWalk(seconds: 20)
        _ = try RecordingImport.run(ListReader(walk), to: folder.file("a.mcap"))
        let first = try table(ListReader(walk))
        #expect(try table(ListReader(smallWalk(seconds: 20))) != first, "odometry has no influence")
        #expect(first.contains("47.00"))
        let path = folder.file("a.mcap")
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { try table(RecordingReader(path: path)) } }
            for try await other in group { #expect(other == first) }
        }
    }

    @Test(
        "a real walk gives the same bytes twice, as a folder and as MCAP", .enabled(if: RecordingData.has("walk_rtk")))
    func realWalk() throws {
        let source = RecordingData.folder + "/walk_rtk"
        _ = try RecordingImport.run(SensorFolder(path: source), to: folder.file("a.mcap"))
        let first = try table(SensorFolder(path: source))
        #expect(try table(SensorFolder(path: source)) == first)
        #expect(try table(RecordingReader(path: folder.file("a.mcap"))) == first)
        #expect(rows(first).count == 20455)
    }

    @Test(
        "poses recorded beside the engine come out of the replay as they were published",
        arguments: SampleWalk.allCases)
    func recordedPoses(kind: SampleWalk) throws {
        let walk = kind.measurements(seconds: 15)
        let writer = RecordingWriter(path: folder.file("live.mcap")) {}
        try record(walk, from: Odometry(), into: writer)
        let recorded = try entries("live.mcap")

        var replayed: [Measurement] = []
        for case .measurement(let measurement) in recorded { replayed.append(measurement) }
        #expect(replayed == walk)
        let again = RecordingWriter(path: folder.file("again.mcap")) {}
        try record(replayed, from: Odometry(), into: again)
        let published = published(recorded)
        #expect(published.count > 1000)
        #expect(self.published(try entries("again.mcap")) == published)
    }

    /// Poses and frames; how they stand among the samples depends on when a block of these was full.
    private func published(_ entries: [RecordingReader.Entry]) -> [RecordingReader.Entry] {
        entries.filter { if case .measurement = $0 { false } else { true } }
    }

    private func record(
        _ measurements: [Measurement], from odometry: consuming Odometry, into writer: RecordingWriter
    ) throws {
        var poses: UInt64 = 0
        var frames: UInt64 = 0
        for measurement in measurements {
            writer.offer(measurement, at: measurement.time)
            odometry.feed(measurement) { events in
                if let frame = events.frame {
                    frames += 1
                    writer.offer(.frame(frame, sequence: frames), at: measurement.time)
                }
                if let pose = events.pose {
                    poses += 1
                    writer.offer(pose, sequence: poses, at: measurement.time)
                }
            }
            writer.waitForQueue()
        }
        let counts = writer.finish()
        try #require(counts.dropped == 0)
    }

    private func entries(_ name: String) throws -> [RecordingReader.Entry] {
        let reader = try RecordingReader(path: folder.file(name))
        var entries: [RecordingReader.Entry] = []
        while let entry = try reader.nextEntry() { entries.append(entry) }
        #expect(reader.warnings.isEmpty)
        return entries
    }

    @Test("each inertial sample gives one row, with its time to the last digit, whatever its clock does")
    func oneRowEach() throws {
        folder.write(
            """
            t_s,ax,ay,az,gx,gy,gz
            -0.001250,0,0,9.8,0,0,0
            0.008750123,0,0,9.8,0,0,0
            0.008750123,0,0,9.8,0,0,0
            0.5,0,0,9.8,0,0,0
            0.25,0,0,9.8,0,0,0
            0.6,,,,0,0,0
            0.7,0,0,9.8,0,0,0
            1e3,0,0,9.8,0,0,0

            """, to: "imu.csv")
        let times = rows(try table(SensorFolder(path: folder.path))).map { $0["t_s"]! }
        let expected = [
            "-0.001250000", "0.008750123", "0.008750123", "0.500000000", "0.250000000", "0.600000000", "0.700000000",
            "1000.000000000",
        ]
        #expect(times.sorted() == expected.sorted())
    }

    @Test("the start gives the same rows whether the rest follows or not")
    func causal() throws {
        let walk = smallWalk(seconds: 20)
        let whole = try table(ListReader(walk))
        let start = try table(ListReader(Array(walk.prefix(walk.count / 2))))
        #expect(whole.hasPrefix(start))
    }

    @Test(
        "rows at a rate have that number per second, at samples",
        arguments: [(50.0, 500), (30, 300), (1, 10), (1000, 1000), (0.5, 5)])
    func rate(hertz: Double, expected: Int) throws {
        let walk = smallWalk(seconds: 10)
        let all = Set(try table(ListReader(walk)).split(separator: "\n"))
        let some = try table(ListReader(walk), rate: hertz).split(separator: "\n")
        #expect(some.count - 1 == expected)
        #expect(all.isSuperset(of: some))
    }

    @Test("cells hold what the pose knows, and nothing where it knows nothing")
    func cells() throws {
        let path = folder.file("poses.csv")
        var writer = PoseCSVWriter(path: path, file: try File.createNew(path, mode: 0o600))
        try writer.write(ReplayRow(time: BootTime(nanoseconds: 1)))
        var pose = knownPose
        let map = MapPose(
            position: try #require(
                GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: -8.25, ellipsoidalHeight: 401)),
            yaw: -.pi / 2)
        try writer.write(ReplayRow(time: BootTime(nanoseconds: 2), pose: pose, map: map))
        pose.geodetic = nil
        pose.velocityENU = nil
        pose.accuracy = PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)
        pose.orientationTracking = .invalid
        pose.motion = nil
        try writer.write(ReplayRow(time: BootTime(nanoseconds: 3), pose: pose))
        try writer.finish()
        let rows = rows(String(decoding: folder.read("poses.csv"), as: UTF8.self))
        #expect(rows[0].filter { !$0.value.isEmpty } == ["t_s": "0.000000001"])
        #expect(
            rows[1] == [
                "t_s": "0.000000002", "qw": "1.000000000", "qx": "0.000000000", "qy": "0.000000000",
                "qz": "0.000000000", "lat_deg": "47.123456789", "lon_deg": "8.000000000", "height_m": "400.250000",
                "ve_mps": "1.000000", "vn_mps": "-2.000000", "vu_mps": "0.500000", "hacc_m": "3.000000",
                "vacc_m": "4.000000", "yaw_acc_deg": "180.000000", "scene_x_m": "7.000000", "scene_y_m": "8.000000",
                "scene_z_m": "-9.000000", "scene_qw": "0.000000000", "scene_qx": "0.600000000",
                "scene_qy": "0.000000000", "scene_qz": "0.800000000", "map_lat_deg": "47.500000000",
                "map_lon_deg": "-8.250000000", "map_height_m": "401.000000", "map_yaw_deg": "-90.000000000",
                "motion": "vehicle", "motion_probability": "0.875000",
            ])
        let known = rows[2].filter { !$0.value.isEmpty }.keys.sorted()
        #expect(known == ["scene_x_m", "scene_y_m", "scene_z_m", "t_s"])
    }

    @Test("the map is the scene's published alignment at the wearer, from the first position on")
    func map() throws {
        let walk = smallWalk(seconds: 20)
        var odometry = Odometry()
        var published: [BootTime: SceneAlignment] = [:]
        for measurement in walk {
            odometry.feed(measurement) { _ in }
            if let time = odometry.filter?.state.time { published[time] = odometry.alignment }
        }
        let reached = odometry.plane
        let plane = try #require(reached)
        var compared = 0
        var lagging = 0
        _ = try Replay.run(ListReader(walk)) { row in
            #expect((row.map == nil) == (row.pose?.geodetic == nil))
            // Where one measurement released several poses, only the newest is known here.
            guard let pose = row.pose, let map = row.map, let alignment = published[row.time] else { return }
            #expect(map.yaw == alignment.yaw)
            #expect(map.position == plane.position(ofENU: alignment.pointENU(ofScene: pose.positionInScene)))
            compared += 1
            if let geodetic = pose.geodetic, map.position != geodetic { lagging += 1 }
        }
        #expect(compared > 1000)
        // The published alignment slews after the filter's own position; equal ones would be the filter's.
        #expect(lagging > 100)
    }

    private var knownPose: PoseEstimate {
        PoseEstimate(
            time: BootTime(nanoseconds: 2), generation: 1,
            rotationSceneFromBody: Rotation3(w: 0, x: 0.6, y: 0, z: 0.8)!, positionInScene: Vector3(7, 8, -9),
            velocityInScene: .zero, angularVelocityInBody: .zero, rotationENUFromBody: .identity,
            velocityENU: Vector3(1, -2, 0.5),
            geodetic: GeodeticPosition(latitudeDegrees: 47.123456789, longitudeDegrees: 8, ellipsoidalHeight: 400.25),
            headingReference: .trueNorth, accuracy: PoseAccuracy(horizontal: 3, vertical: 4, yaw: .pi),
            orientationTracking: .tracked, positionTracking: .tracked, state: .localized, reasons: [], sources: [],
            motion: MotionEstimate(kind: .riding, probability: 0.875))
    }
}
