import JSON
import Messages
import Model
import PlanMatching
import Engine
import WaymarkInterface

/// Encodes the engine's inputs and outputs as messages of an MCAP file.
struct RecordingEncoder: ~Copyable {
    var writer: MCAPWriter
    private var json = JSONWriter(capacity: 4096)
    /// Writes the messages with a third-party schema.
    private var forms: MessageWriter
    private var samples = SampleBlock()
    private let clock: RecordingClock
    private var universalTime: UniversalTime
    private var about: RecordingAbout
    private var lastLogTime: UInt64 = 0
    /// Time at which the newest sample of the open block was received.
    private var blockTime = BootTime(nanoseconds: 0)
    /// Last published pose of the scene on the earth.
    private var alignment: PoseInterface.Alignment?
    /// Whether samples are gathered in blocks. If not, each sample is a message of its own, which any program can plot.
    private let hasBlocks: Bool
    private var alignmentTime: BootTime?
    /// Plans that were last written as in use.
    private var plans = PlanLibrary()

    private var offered: UInt64 = 0
    /// Number of entries in written chunks.
    private var written: UInt64 = 0
    /// Number of entries in the writer's open chunk.
    private var pending: UInt64 = 0
    private var chunks: UInt32 = 0

    /// Interval at which the transform from the scene to the earth is repeated, although it hardly ever changes. Unit:
    /// seconds.
    private static let alignmentInterval = 1.0

    /// - Parameters:
    ///   - hasBlocks: whether samples are gathered in blocks.
    ///   - encoding: encoding of the messages with a third-party schema; the file must have channels for it.
    init(
        writer: consuming MCAPWriter, about: RecordingAbout, hasBlocks: Bool = true, encoding: MessageEncoding = .json
    ) throws(RecordingError) {
        self.writer = writer
        forms = MessageWriter(encoding)
        self.hasBlocks = hasBlocks
        self.about = about
        clock = RecordingClock(utcOffset: about.utcOffset)
        universalTime = UniversalTime(offset: about.utcOffset)
        try self.writer.appendMetadata(RecordingAbout.name, about.metadata)
    }

    var counts: RecordingWriter.Counts {
        let kept = written + pending + UInt64(samples.count)
        return RecordingWriter.Counts(messages: kept, bytes: writer.counts.bytes, dropped: offered - kept)
    }

    private var foxglove: FoxgloveMessage { FoxgloveMessage(clock: clock) }

    // MARK: entries

    /// Appends a measurement; drops it if a number is not finite.
    ///
    /// - Parameter time: time at which the engine received the measurement. The file's own times never decrease, even
    ///   if a clock is set back.
    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError) {
        offered += 1
        guard MeasurementMessage.isFinite(measurement) else { return }
        if hasBlocks {
            if !samples.hasRoom(for: measurement.time) { try closeBlock() }
            if samples.append(measurement) { return blockTime = max(blockTime, time) }
        }
        // Closes the block first, to keep the order in which the engine received the measurements.
        try closeBlock()
        json.removeAll()
        MeasurementMessage.write(measurement, into: &json)
        try append(Topic(measurement), time, measurement.time, entries: 1)
        guard case .fix(let fix) = measurement else { return }
        universalTime.learn(from: fix)
        foxglove.writeLocation(fix, into: &forms)
        try append(.receiverLocation, time, fix.epoch, data: forms.bytes)
    }

    mutating func append(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError) {
        try append(pose.message(sequence: sequence, utcOffset: universalTime.offset), stamp: pose.time, at: time)
    }

    /// - Parameter stamp: time of the pose.
    mutating func append(
        _ pose: PoseInterface.Pose, stamp: BootTime, at time: BootTime
    ) throws(RecordingError) {
        offered += 1
        json.removeAll()
        pose.write(into: &json)
        try append(.pose, time, stamp, entries: 1)
        try appendAlignment(isDue: false, time, stamp)
        if pose.tracking.orientation != .invalid {
            foxglove.writeTransform(pose, at: stamp, into: &forms)
            try append(.transform, time, stamp, data: forms.bytes)
            foxglove.writePose(pose, at: stamp, into: &forms)
            try append(.scenePose, time, stamp, data: forms.bytes)
        }
        if foxglove.writeLocation(pose, at: stamp, into: &forms) {
            try append(.location, time, stamp, data: forms.bytes)
        }
    }

    mutating func append(_ frame: FrameEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError) {
        try append(frame.message(sequence: sequence, time: time), at: time)
    }

    mutating func append(_ frame: PoseInterface.Frame, at time: BootTime) throws(RecordingError) {
        offered += 1
        json.removeAll()
        frame.write(into: &json)
        try append(.frame, time, time, entries: 1)
        try append(alignment: frame.published, isOnEarth: frame.origin != nil, at: time)
    }

    /// Appends the pose of the scene on the earth that was published before the recording began.
    mutating func append(standing frame: FrameEstimate, at time: BootTime) throws(RecordingError) {
        try append(alignment: frame.published.message, isOnEarth: frame.origin != nil, at: time)
    }

    private mutating func append(
        alignment published: PoseInterface.Alignment, isOnEarth: Bool, at time: BootTime
    ) throws(RecordingError) {
        guard isOnEarth else { return }
        alignment = published
        try appendAlignment(isDue: true, time, time)
    }

    mutating func append(_ start: WarmStart, at time: BootTime) throws(RecordingError) {
        offered += 1
        try closeBlock()
        json.removeAll()
        WarmStartMessage.write(start, into: &json)
        guard !json.hasOmittedNumber else { return }
        try append(.warmStart, time, time, entries: 1)
    }

    /// Appends the state of the estimator. Its UTC offset applies to all later poses.
    mutating func append(_ state: EstimatorState, at time: BootTime) throws(RecordingError) {
        offered += 1
        if state.utcOffset != nil { universalTime = UniversalTime(offset: state.utcOffset) }
        try closeBlock()
        // The state is rare and large, so it has a buffer of its own, which is freed afterwards.
        var json = JSONWriter(capacity: state.words.count * 11 + 512)
        EstimatorStateMessage.write(state, at: time, into: &json)
        try append(.estimatorState, time, time, entries: 1, data: json.bytes)
    }

    /// Appends the plans that are in use for all later measurements. Documents of newly used plans precede them.
    mutating func append(_ library: PlanLibrary, at time: BootTime) throws(RecordingError) {
        offered += 1
        try closeBlock()
        for drawn in library.plans where !plans.plans.contains(where: { $0.plan == drawn.plan }) {
            // The document has a buffer of its own, as the state has.
            var json = JSONWriter()
            PlanMessages.write(drawn.plan, at: time, into: &json)
            try append(.plan, time, time, data: json.bytes)
        }
        plans = library
        json.removeAll()
        PlanMessages.write(inUse: library.plans, at: time, into: &json)
        try append(.plansInUse, time, time, entries: 1)
    }

    mutating func append(_ topic: Topic, geoJSON: String, at time: BootTime) throws(RecordingError) {
        foxglove.writeMap(geoJSON, into: &forms)
        try append(topic, time, time, data: forms.bytes)
    }

    mutating func append(_ line: RecordedLine, at time: BootTime) throws(RecordingError) {
        foxglove.writeLog(line, at: time, into: &forms)
        try append(.log, time, time, data: forms.bytes)
    }

    /// Updates the sensors' names, which are written at the end of the file.
    mutating func note(_ sensors: WarmStart.Sensors) { about.sensors = sensors }

    private mutating func appendAlignment(
        isDue: Bool, _ time: BootTime, _ stamp: BootTime
    ) throws(RecordingError) {
        let last = alignmentTime
        guard let alignment,
            isDue || last.map({ stamp.seconds(since: $0).magnitude >= Self.alignmentInterval }) ?? true
        else { return }
        alignmentTime = stamp
        foxglove.writeTransform(alignment, at: stamp, into: &forms)
        try append(.transform, time, stamp, data: forms.bytes)
    }

    // MARK: file

    /// Writes pending data and flushes it to the disk.
    mutating func closeChunk() throws(RecordingError) {
        try closeBlock()
        try writer.closeChunk()
        noteChunk()
    }

    /// Whether entries wait to be written.
    var hasOpenChunk: Bool { writer.hasOpenChunk || !samples.isEmpty }

    /// Writes pending data and the summary, which completes the file.
    mutating func finish() throws(RecordingError) {
        try closeChunk()
        about.utcOffset = universalTime.offset
        try writer.appendMetadata(RecordingAbout.endName, about.changeable)
        try writer.finish()
    }

    /// Removes the written part of a chunk for which the disk had no space, and drops pending data.
    mutating func dropOpenChunk() {
        writer.dropOpenChunk()
        noteChunk()
        pending = 0
        samples.removeAll()
    }

    private mutating func closeBlock() throws(RecordingError) {
        guard !samples.isEmpty, let first = samples.start else { return }
        json.removeAll()
        samples.write(into: &json)
        let count = UInt64(samples.count)
        samples.removeAll()
        try append(.samples, blockTime, first, entries: count)
    }

    /// - Parameters:
    ///   - entries: number of entries in the message; 0 if the message only repeats an entry in another schema.
    ///   - data: the message; nil to use the message in `json`.
    private mutating func append(
        _ topic: Topic, _ time: BootTime, _ stamp: BootTime, entries: UInt64 = 0, data: [UInt8]? = nil
    ) throws(RecordingError) {
        lastLogTime = max(lastLogTime, clock.time(time))
        try writer.append(
            topic.channel(forms.encoding), logTime: lastLogTime, publishTime: clock.time(stamp),
            data: data ?? json.bytes)
        noteChunk()
        pending += entries
    }

    /// Counts pending entries as written once the writer has written their chunk.
    private mutating func noteChunk() {
        guard writer.chunkCount != chunks else { return }
        chunks = writer.chunkCount
        written += pending
        pending = 0
    }
}
