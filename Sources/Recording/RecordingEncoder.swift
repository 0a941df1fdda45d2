import Estimation
import Formats
import Measurements

/// Turns what the engine takes and gives into messages of an MCAP file.
struct RecordingEncoder: ~Copyable {
    var writer: MCAPWriter
    /// Measurements with numbers that are not finite: they have no place in a recording.
    private(set) var refused: UInt64 = 0
    private var json = JSONWriter(capacity: 4096)
    private var lastLogTime: UInt64 = 0
    private var poses: UInt64 = 0
    private var frames: UInt64 = 0

    init(writer: consuming MCAPWriter) { self.writer = writer }

    /// - Parameter time: when the engine took it. The file's own times never go back, whatever a clock does.
    mutating func append(_ measurement: Measurement, at time: BootTime) throws(RecordingError) {
        json.removeAll()
        guard MeasurementMessage.write(measurement, into: &json) else {
            refused += 1
            return
        }
        try append(Topic(measurement), time, measurement.time)
    }

    mutating func append(_ pose: PoseEstimate, at time: BootTime) throws(RecordingError) {
        json.removeAll()
        poses += 1
        PoseMessage.write(pose, sequence: poses, precision: .exact, into: &json)
        try append(.pose, time, pose.time)
    }

    mutating func append(_ frame: FrameEstimate, at time: BootTime) throws(RecordingError) {
        json.removeAll()
        frames += 1
        FrameMessage.write(frame, sequence: frames, time: time, precision: .exact, into: &json)
        try append(.frame, time, time)
    }

    private mutating func append(_ topic: Topic, _ logTime: BootTime, _ stamp: BootTime) throws(RecordingError) {
        lastLogTime = max(lastLogTime, UInt64(clamping: logTime.nanoseconds))
        try writer.append(
            topic, logTime: lastLogTime, publishTime: UInt64(clamping: stamp.nanoseconds), data: json.bytes)
    }
}
