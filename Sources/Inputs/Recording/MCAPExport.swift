import Linux
import Messages
import Model
import PlanMatching
import Engine
import WaymarkInterface

/// Exports a recording to a file that other programs can plot. Each sample is a message of its own, and all times are
/// UTC if any fix or pose in the recording states UTC.
public enum MCAPExport {
    /// Messages of the file.
    public enum Format: Sendable {
        /// Messages of the recording, so that a replay of the file gives the same poses. Positions, frames, maps and
        /// journal lines are in Foxglove's schemas, in the given encoding.
        case foxglove(MessageEncoding)
        /// Messages of ROS 2.
        case ros2
    }

    /// Counts of the exported content.
    public struct Outcome: Sendable {
        /// Measurements, poses and other entries.
        public var counts: RecordingWriter.Counts
        package var poses: Int
        /// Flaw at which the export stopped; nil if the whole recording was exported.
        public var flaw: RecordingError?
        /// Warnings about flaws that did not make the recording useless.
        public var warnings: [String]
    }

    /// Exports a recording into a new file, which is removed if it cannot be completed.
    ///
    /// - Parameters:
    ///   - content: poses to export; `receiver` exports none. Fixes are always exported.
    ///   - rate: maximum rate of poses; nil for all. Unit: hertz.
    ///   - progress: called with the number of entries and the share of the recording that was read, first when the
    ///     file has been created and then from time to time.
    /// - Throws: `cannotWrite`, for example if the file exists; other errors if the path does not lead to a recording.
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

/// Encodes exported entries as messages of a file, in the order of the file.
protocol ExportEncoder: ~Copyable {
    /// Counts of the file's content.
    var counts: RecordingWriter.Counts { get }

    /// - Parameter time: time at which the engine received the measurement.
    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError)
    /// - Parameter stamp: time of the pose.
    mutating func append(_ pose: PoseInterface.Pose, stamp: BootTime, at time: BootTime) throws(RecordingError)
    mutating func append(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError)
    mutating func append(_ frame: PoseInterface.Frame, at time: BootTime) throws(RecordingError)
    /// Appends the estimator's initial state. Some encoders do not write it.
    mutating func append(_ start: WarmStart, at time: BootTime) throws(RecordingError)
    mutating func append(_ state: EstimatorState, at time: BootTime) throws(RecordingError)
    mutating func append(_ library: PlanLibrary, at time: BootTime) throws(RecordingError)
    /// Writes pending data and the summary, which completes the file.
    mutating func finish() throws(RecordingError)
}

extension RecordingEncoder: ExportEncoder {}

/// Passes a recording through an encoder.
private struct ExportPass<Encoder: ExportEncoder & ~Copyable>: ~Copyable {
    private var encoder: Encoder
    private let content: RecordedTrack.Content
    private var timer: RowTimer
    /// Estimator for replayed poses; nil if other poses are exported.
    private var odometry: Odometry?
    private var isPrepared = false
    /// Initial states of the estimator. They have no time of their own, and get the time of the next measurement.
    private var waiting: [RecordingReader.Entry] = []
    /// Published entries that are held back, with their times.
    private var held: [(time: BootTime, entry: RecordingReader.Entry)] = []
    /// Maximum number of entries held: several seconds of poses at 1 kHz.
    private static var maximumHeldCount: Int { 4096 }
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

    /// Copies the recording; throws if the output fails. Returns the flaw at which the recording ends, or nil.
    private mutating func copy(
        _ reader: any MeasurementReader, _ progress: (Int, Double?) -> Void
    ) throws(RecordingError) -> RecordingError? {
        var count = 0
        progress(count, nil)
        while true {
            let entry: RecordingReader.Entry?
            do throws(RecordingError) {
                entry = try reader.nextEntry(among: Topic.allCases)
            } catch {
                return error
            }
            guard let entry else { return nil }
            try take(entry, of: reader)
            count += 1
            if count % 20_000 == 0 { progress(count, reader.fraction) }
        }
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

    /// Holds a published entry back until its samples have been written. In a recording the samples follow later, in
    /// blocks of half a second, but times in a file must not decrease.
    private mutating func hold(_ time: BootTime, _ entry: RecordingReader.Entry) throws(RecordingError) {
        held.append((time, entry))
        if held.count > Self.maximumHeldCount { try appendHeld(before: nil) }
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
