import Foundation
import Geometry
import Linux
import Model
import Engine
import Recording
import Testing

@Suite("A recording begun under way")
struct EstimatorStateRecordingTests {
    private let folder = TemporaryFolder()

    /// Records from a split on, as the daemon does, what an estimator gives that has run before.
    private func record(
        _ walk: [Measurement], from split: Int, to name: String, change: (inout EstimatorState) -> Void = { _ in }
    ) throws {
        var odometry = Odometry()
        for measurement in walk[..<split] { odometry.feed(measurement) { _ in } }
        let writer = RecordingWriter(path: folder.file(name)) {}
        let now = walk[split].time
        for var calibration in odometry.calibrations {
            calibration.time = now
            writer.offer(.calibration(calibration), at: now)
        }
        if let known = odometry.learned() { writer.offer(.warmStart(known), at: now) }
        let saved = odometry.state()
        var state = try #require(saved)
        change(&state)
        writer.offer(.estimatorState(state), at: now)
        var (poses, frames): (UInt64, UInt64) = (0, 0)
        for measurement in walk[split...] {
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
        try #require(writer.finish().dropped == 0)
    }

    private func entries(_ name: String) throws -> [RecordingReader.Entry] {
        let reader = try RecordingReader(path: folder.file(name))
        var entries: [RecordingReader.Entry] = []
        while let entry = try reader.nextEntry() { entries.append(entry) }
        return entries
    }

    /// Takes what a reader gives through an estimator, and records that as the daemon does.
    private func again(_ name: String) throws -> [RecordingReader.Entry] {
        let reader = try RecordingReader(path: folder.file(name))
        var odometry = Odometry()
        var restored = 0
        let writer = RecordingWriter(path: folder.file("again-" + name)) {}
        var (poses, frames): (UInt64, UInt64) = (0, 0)
        while let measurement = try reader.next() {
            var state: EstimatorState?
            reader.restoreState { found throws(EstimatorStateProblem) in state = found }
            if let state {
                odometry = try odometry.restored(state)
                restored += 1
            }
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
        #expect(reader.warnings.isEmpty && reader.warmStart == nil)
        #expect(restored == 1)
        try #require(writer.finish().dropped == 0)
        return try entries("again-" + name)
    }

    private static func published(_ entries: [RecordingReader.Entry]) -> [RecordingReader.Entry] {
        entries.filter {
            switch $0 {
            case .pose, .frame: true
            default: false
            }
        }
    }

    /// A pose without the time of day, which a replay knows from the first fix on.
    private static func timeless(_ entries: [RecordingReader.Entry]) -> [RecordingReader.Entry] {
        entries.map {
            guard case .pose(var pose) = $0 else { return $0 }
            pose.utc = nil
            return .pose(pose)
        }
    }

    @Test("replays to the poses and frames that were published, bit by bit", arguments: SampleWalk.allCases)
    func replays(kind: SampleWalk) throws {
        let walk = kind.measurements(seconds: 40)
        try record(walk, from: walk.count * 2 / 3, to: "live.mcap")
        let recorded = Self.timeless(Self.published(try entries("live.mcap")))
        #expect(recorded.count > 500)
        #expect(Self.timeless(Self.published(try again("live.mcap"))) == recorded)
    }

    @Test("gives the first row of a replay a pose of its own, where a start would have none")
    func rows() throws {
        let walk = smallWalk(seconds: 40)
        try record(walk, from: walk.count * 2 / 3, to: "live.mcap")
        var first: ReplayRow?
        let summary = try Replay.run(RecordingReader(path: folder.file("live.mcap"))) { row throws(RecordingError) in
            if first == nil { first = row }
        }
        #expect(try #require(first).pose != nil)
        #expect(summary.poses > 500)
    }

    @Test("with a state of another layout begins with what was learned, and says so")
    func otherLayout() throws {
        let walk = smallWalk(seconds: 40)
        try record(walk, from: walk.count * 2 / 3, to: "live.mcap") { $0.layout ^= 1 }
        let reader = try RecordingReader(path: folder.file("live.mcap"))
        let summary = try Replay.run(reader) { _ throws(RecordingError) in }
        #expect(summary.poses > 0)
        #expect(reader.warmStart != nil)
        #expect(reader.warnings.count == 1)
        let warning = "was not restored: it is of an estimator with another layout"
        #expect(reader.warnings.first?.contains(warning) == true)
    }

    @Test("with an impossible state begins with what was learned, and names the member")
    func impossible() throws {
        let walk = smallWalk(seconds: 40)
        try record(walk, from: walk.count * 2 / 3, to: "live.mcap") { $0.words[14] = 2 }
        let reader = try RecordingReader(path: folder.file("live.mcap"))
        let summary = try Replay.run(reader) { _ throws(RecordingError) in }
        #expect(summary.poses > 0)
        #expect(reader.warnings.count == 1)
        #expect(reader.warnings.first?.contains("its member hasSteppedBack has an impossible value") == true)
    }

    @Test("that has lost its beginning to damage starts cold, and says that its poses are others")
    func lostState() throws {
        let walk = smallWalk(seconds: 40)
        try record(walk, from: walk.count * 2 / 3, to: "live.mcap")
        var data = folder.read("live.mcap")
        let chunk = try #require(FileRecord.all(in: data).first { $0.opcode == FileRecord.chunk }).range
        data[chunk.lowerBound + chunk.count / 2] ^= 1
        folder.write(data, to: "damaged.mcap")
        let reader = try RecordingReader(path: folder.file("damaged.mcap"))
        let summary = try Replay.run(reader) { _ throws(RecordingError) in }
        #expect(summary.poses > 0)
        #expect(reader.warnings.count == 2)
        #expect(reader.warnings[0].contains("from the beginning to "))
        #expect(reader.warnings[0].contains("/estimator_state 1"))
        #expect(
            reader.warnings[1].hasSuffix(
                "what the estimator began with is missing; the poses are not those that were recorded"))
    }

    @Test("its state is read as it was written, whatever its length")
    func roundTrip() throws {
        for count in [0, 1, 2, 3, 4, 100] {
            let words = (0..<count).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
            let state = EstimatorState(layout: UInt64.max - UInt64(count), words: words, utcOffset: -5)
            let writer = RecordingWriter(path: folder.file("\(count).mcap")) {}
            writer.offer(.estimatorState(state), at: BootTime(nanoseconds: 7))
            writer.finish()
            #expect(try entries("\(count).mcap") == [.estimatorState(state)])
        }
    }

    /// Real sensors, with late fixes and gaps.
    static let recordings = ["walk_rtk", "walk_ethz_phone", "drive_rtk"].filter(RecordingData.has)

    @Test("real recordings go on from any instant, bit by bit", arguments: recordings)
    func real(name: String) throws {
        let reader = try SensorFolder(path: RecordingData.folder + "/" + name)
        var measurements: [Measurement] = []
        while measurements.count < 120_000, let measurement = try reader.next() { measurements.append(measurement) }
        for split in [500, 7001, measurements.count / 3 + 11, measurements.count * 3 / 4 + 5] {
            var odometry = Odometry()
            for measurement in measurements[..<split] { odometry.feed(measurement) { _ in } }
            let saved = odometry.state()
            var other = try Odometry().restored(try #require(saved))
            for measurement in measurements[split...].prefix(20_000) {
                var (own, others): ([OdometryEvents], [OdometryEvents]) = ([], [])
                odometry.feed(measurement) { own.append($0) }
                other.feed(measurement) { others.append($0) }
                let areSame =
                    own.count == others.count
                    && zip(own, others).allSatisfy { $0.pose == $1.pose && $0.frame == $1.frame }
                guard areSame else {
                    Issue.record("\(name) from \(split) on")
                    break
                }
            }
            let (last, otherLast) = (odometry.state(), other.state())
            #expect(last == otherLast)
        }
    }
}
