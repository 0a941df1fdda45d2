import Linux
import Messages
import Model
import PlanMatching
import Engine
import WaymarkInterface

/// A recording as a file that other programs plot: each sample a message, and UTC from the beginning wherever the
/// recording knows it.
public enum MCAPExport {
    /// Messages of the file.
    public enum Format: Sendable {
        /// Those of the recording, of which a replay gives the same poses; positions, frames, maps and lines of the
        /// journal by Foxglove's schemas, in this form.
        case foxglove(MessageEncoding)
        /// Messages of ROS 2.
        case ros2
    }

    /// Counts of what came into the file.
    public struct Outcome: Sendable {
        /// Measurements, poses and other entries.
        public var counts: RecordingWriter.Counts
        /// Number of poses.
        public var poses: Int
        /// Flaw up to which the recording was exported; nil for a whole one.
        public var flaw: RecordingError?
        /// Flaws that did not make the recording useless.
        public var warnings: [String]
    }

    /// Exports a recording into a new file, which is removed where it cannot be written to its end.
    ///
    /// - Parameters:
    ///   - content: poses to export; with `receiver` none, but the fixes, which are always there.
    ///   - rate: poses a second; nil for all. Unit: hertz.
    ///   - progress: given the number of entries and the share of the recording that was read: once the file is there,
    ///     and now and then.
    /// - Throws: `cannotWrite`, also where the file exists, and for a path that leads to no recording.
    public static func run(
        _ recording: String, to path: String, as format: Format, content: RecordedTrack.Content, rate: Double?,
        progress: (Int, Double?) -> Void
    ) throws(RecordingError) -> Outcome {
        let first = try RecordingSource.open(recording)
        let offset = RecordedTrack.reference(first).offset
        var about = (first as? RecordingReader)?.about ?? RecordingAbout()
        about.utcOffset = offset
        let reader = try RecordingSource.open(recording)
        let file = try File.createRecording(path)
        do throws(RecordingError) {
            switch format {
            case .foxglove(let encoding):
                let writer = try MCAPWriter(
                    path: path, file: file, channels: Topic.declarations(Topic.allCases, encoding),
                    synchronizesChunks: false)
                let encoder = try RecordingEncoder(
                    writer: writer, about: about, hasBlocks: false, encoding: encoding)
                return try ExportPass.run(reader, encoder, content, rate, progress)
            case .ros2:
                let writer = try MCAPWriter(
                    path: path, file: file, channels: ROS2Encoder.channels, profile: "ros2", synchronizesChunks: false)
                let encoder = try ROS2Encoder(writer: writer, about: about)
                return try ExportPass.run(reader, encoder, content, rate, progress)
            }
        } catch {
            File.remove(path)
            throw error
        }
    }
}

/// Turns what is exported into the messages of a file, in the order of the file.
protocol ExportEncoder: ~Copyable {
    /// Counts of what is in the file.
    var counts: RecordingWriter.Counts { get }

    /// - Parameter time: when the engine took it.
    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError)
    /// - Parameter stamp: time of the pose.
    mutating func append(_ pose: PoseInterface.Pose, stamp: BootTime, at time: BootTime) throws(RecordingError)
    mutating func append(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError)
    mutating func append(_ frame: PoseInterface.Frame, at time: BootTime) throws(RecordingError)
    /// What the estimator begins with, without which others do.
    mutating func append(_ start: WarmStart, at time: BootTime) throws(RecordingError)
    mutating func append(_ state: EstimatorState, at time: BootTime) throws(RecordingError)
    mutating func append(_ library: PlanLibrary, at time: BootTime) throws(RecordingError)
    /// Writes what is open and the summary; the file is complete then.
    mutating func finish() throws(RecordingError)
}

extension RecordingEncoder: ExportEncoder {}

/// A recording on its way through an encoder.
private struct ExportPass<Encoder: ExportEncoder & ~Copyable>: ~Copyable {
    private var encoder: Encoder
    private let content: RecordedTrack.Content
    private var timer: RowTimer
    /// Estimator of the replayed poses; nil where others are exported.
    private var odometry: Odometry?
    private var isPrepared = false
    /// What the estimator begins with, which has no time of its own: it gets that of the measurement after it.
    private var waiting: [RecordingReader.Entry] = []
    /// What was published, with its times.
    private var held: [(time: BootTime, entry: RecordingReader.Entry)] = []
    /// Several seconds of every pose at 1 kHz.
    private static var mostHeld: Int { 4096 }
    private var poses = 0
    private var frames = 0

    static func run(
        _ reader: any MeasurementReader, _ encoder: consuming Encoder, _ content: RecordedTrack.Content,
        _ rate: Double?,
        _ progress: (Int, Double?) -> Void
    ) throws(RecordingError) -> MCAPExport.Outcome {
        var pass = ExportPass(encoder, content, rate)
        let flaw = try pass.copy(reader, progress)
        try pass.appendHeld(before: nil)
        try pass.encoder.finish()
        return MCAPExport.Outcome(
            counts: pass.encoder.counts, poses: pass.poses, flaw: flaw, warnings: reader.warnings)
    }

    private init(_ encoder: consuming Encoder, _ content: RecordedTrack.Content, _ rate: Double?) {
        self.encoder = encoder
        self.content = content
        timer = RowTimer(rate: rate)
        odometry = content == .replayed ? Odometry() : nil
    }

    /// Returns the flaw at which the recording ends; throws where the output does.
    private mutating func copy(
        _ reader: any MeasurementReader, _ progress: (Int, Double?) -> Void
    ) throws(RecordingError) -> RecordingError? {
        var count = 0
        progress(count, nil)
        while true {
            let entry: RecordingReader.Entry?
            do throws(RecordingError) {
                entry = try Self.next(reader)
            } catch {
                return error
            }
            guard let entry else { return nil }
            try take(entry, of: reader)
            count += 1
            if count % 20_000 == 0 { progress(count, reader.fraction) }
        }
    }

    /// Tables have measurements alone.
    private static func next(_ reader: any MeasurementReader) throws(RecordingError) -> RecordingReader.Entry? {
        if let reader = reader as? RecordingReader { return try reader.nextEntry() }
        return try reader.next().map { .measurement($0) }
    }

    private mutating func take(
        _ entry: RecordingReader.Entry, of reader: any MeasurementReader
    ) throws(RecordingError) {
        switch entry {
        case .measurement(let measurement):
            for entry in waiting { try append(entry, at: measurement.arrival) }
            waiting.removeAll()
            try appendHeld(before: measurement.arrival)
            try encoder.append(measurement, at: measurement.arrival)
            if content == .replayed { try replay(measurement, reader) }
        case .pose(let pose) where content == .fused: try take(pose)
        case .frame(let frame) where content == .fused:
            if let time = frame.time.nanoseconds { try hold(BootTime(nanoseconds: time), entry) }
        case .warmStart(let start):
            prepare(start)
            waiting.append(entry)
        case .estimatorState, .plans: waiting.append(entry)
        case .pose, .frame: return
        }
    }

    private mutating func append(_ entry: RecordingReader.Entry, at time: BootTime) throws(RecordingError) {
        switch entry {
        case .warmStart(let start): try encoder.append(start, at: time)
        case .estimatorState(let state): try encoder.append(state, at: time)
        case .plans(let library): try encoder.append(library, at: time)
        case .measurement, .pose, .frame: return
        }
    }

    private mutating func take(_ pose: PoseInterface.Pose) throws(RecordingError) {
        guard let nanoseconds = pose.time.nanoseconds else { return }
        let time = BootTime(nanoseconds: nanoseconds)
        guard timer.isDue(time) else { return }
        poses += 1
        try hold(time, .pose(pose))
    }

    /// Keeps what was published until the samples it came of are there: in a recording these follow, half a second at a
    /// time, and times in a file only go on.
    private mutating func hold(_ time: BootTime, _ entry: RecordingReader.Entry) throws(RecordingError) {
        held.append((time, entry))
        if held.count > Self.mostHeld { try appendHeld(before: nil) }
    }

    private mutating func appendHeld(before end: BootTime?) throws(RecordingError) {
        var count = 0
        for (time, entry) in held {
            if let end, time >= end { break }
            count += 1
            switch entry {
            case .pose(let pose): try encoder.append(pose, stamp: time, at: time)
            case .frame(let frame): try encoder.append(frame, at: time)
            case .measurement, .warmStart, .estimatorState, .plans: continue
            }
        }
        held.removeFirst(count)
    }

    // MARK: replay

    private mutating func prepare(_ start: WarmStart) {
        guard !isPrepared else { return }
        isPrepared = true
        odometry?.prepare(start)
    }

    private mutating func replay(_ measurement: Measurement, _ reader: any MeasurementReader) throws(RecordingError) {
        reader.usePlans { odometry?.use($0) }
        reader.restoreState { state throws(EstimatorStateProblem) in odometry = try odometry?.restored(state) }
        var (found, corrections): ([PoseEstimate], [FrameEstimate]) = ([], [])
        odometry?.feed(measurement) { events in
            if let pose = events.pose { found.append(pose) }
            if let frame = events.frame { corrections.append(frame) }
        }
        for frame in corrections {
            frames += 1
            try encoder.append(
                frame.message(sequence: UInt64(frames), time: measurement.time), at: measurement.time)
        }
        for pose in found where timer.isDue(pose.time) {
            poses += 1
            try encoder.append(pose, sequence: UInt64(poses), at: pose.time)
        }
    }
}
