import JSON
import Messages
import Model
import WaymarkInterface

/// Turns what the engine takes and gives into messages of an MCAP file.
struct RecordingEncoder: ~Copyable {
    var writer: MCAPWriter
    private var offered: UInt64 = 0
    private var json = JSONWriter(capacity: 4096, precision: .exact)
    private var universalTime = UniversalTime()
    private var lastLogTime: UInt64 = 0

    init(writer: consuming MCAPWriter) { self.writer = writer }

    var counts: RecordingWriter.Counts {
        let written = writer.counts
        return RecordingWriter.Counts(
            messages: written.messages, bytes: written.bytes, dropped: offered - written.messages)
    }

    /// A measurement with a number that is not finite has no place in a recording and is dropped.
    ///
    /// - Parameter time: when the engine took it. The file's own times never go back, whatever a clock does.
    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError) {
        offered += 1
        json.removeAll()
        guard MeasurementMessage.write(measurement, into: &json) else { return }
        if case .fix(let fix) = measurement { universalTime.learn(from: fix) }
        try append(Topic(measurement), time, measurement.time)
    }

    mutating func append(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError) {
        offered += 1
        json.removeAll()
        pose.message(sequence: sequence, utcOffset: universalTime.offset).write(into: &json)
        try append(.pose, time, pose.time)
    }

    mutating func append(_ frame: FrameEstimate, sequence: UInt64, at time: BootTime) throws(RecordingError) {
        offered += 1
        json.removeAll()
        frame.message(sequence: sequence, time: time).write(into: &json)
        try append(.frame, time, time)
    }

    mutating func append(_ start: WarmStart, at time: BootTime) throws(RecordingError) {
        offered += 1
        json.removeAll()
        guard WarmStartMessage.write(start, into: &json) else { return }
        try append(.warmStart, time, time)
    }

    private mutating func append(_ topic: Topic, _ logTime: BootTime, _ stamp: BootTime) throws(RecordingError) {
        lastLogTime = max(lastLogTime, UInt64(clamping: logTime.nanoseconds))
        try writer.append(
            topic, logTime: lastLogTime, publishTime: UInt64(clamping: stamp.nanoseconds), data: json.bytes)
    }
}
