import Linux
import Model

/// Copies the intact part of a damaged recording into a new one.
public enum RecordingRecovery {
    /// Result of the copy.
    public struct Outcome: Sendable {
        /// Number of messages in the new file.
        public var messages: UInt64
        package var bytes: UInt64
        /// Number of messages that were not copied, because this version does not know their topics.
        public var others: UInt64
        /// A line for each damaged place, for a missing beginning, for an earlier loss, and for a truncated file; empty
        /// for an intact file.
        public var warnings: [String]
    }

    /// Size that a chunk of the copy has to reach before it is closed because of its duration. Without this limit,
    /// wrong times in a damaged file could cause tiny chunks. Unit: bytes.
    private static let minimumChunkSize = 4096

    /// Number of messages between two calls of `progress`.
    private static let step: UInt64 = 10_000

    /// Copies the messages of Waymark's topics in the order of the file, with unchanged bytes and times. The new file
    /// is removed if the copy fails.
    ///
    /// - Parameter progress: called with the number of messages and the share of the recording that was read, first
    ///   when the file has been created and then from time to time.
    /// - Throws: `notARecording`, for example if no message can be read; `cannotWrite`, for example if the file exists.
    public static func run(
        _ recording: String, to path: String, progress: (UInt64, Double) -> Void = { _, _ in }
    ) throws(RecordingError) -> Outcome {
        let reader = try RecordingSource.openFile(recording)
        guard let first = try reader.next() else {
            throw .notARecording(path: recording, reason: "no message of it can be read")
        }
        let file = try File.createRecording(path)
        do throws(RecordingError) {
            // All topics are declared, because the beginning of the file has to declare them before it is known which
            // of them have messages.
            var writer = try MCAPWriter(
                path: path, file: file, channels: Topic.declarations(Topic.allCases),
                minimumChunkSize: minimumChunkSize,
                synchronizesChunks: false)
            // The description of the recording is known once the first message is read.
            if let about = reader.about { try writer.appendMetadata(RecordingAbout.name, about.metadata) }
            try copy(first, of: reader, to: &writer, progress)
            let counts = try finish(&writer, reader)
            return Outcome(
                messages: counts.messages, bytes: counts.bytes, others: reader.otherMessages,
                warnings: warnings(reader))
        } catch {
            File.remove(path)
            throw error
        }
    }

    private static func copy(
        _ first: MCAPReader.Message, of reader: MCAPReader, to writer: inout MCAPWriter,
        _ progress: (UInt64, Double) -> Void
    ) throws(RecordingError) {
        var (next, count): (MCAPReader.Message?, UInt64) = (first, 0)
        while let message = next {
            if count % step == 0 { progress(count, reader.fraction) }
            count += 1
            try writer.append(
                message.topic.channel(), logTime: message.logTime, publishTime: message.publishTime,
                data: reader.withData(of: message) { Array($0) })
            next = try reader.next()
        }
    }

    private static func finish(
        _ writer: inout MCAPWriter, _ reader: MCAPReader
    ) throws(RecordingError) -> MCAPWriter.Counts {
        try writer.closeChunk()
        if !reader.end.isEmpty { try writer.appendMetadata(RecordingAbout.endName, reader.end) }
        var record = reader.recovery ?? RecoveryRecord()
        record.add(reader.loss, isCutShort: reader.flaw != nil)
        try writer.appendMetadata(RecoveryRecord.name, record.metadata)
        return try writer.finish()
    }

    private static func warnings(_ reader: MCAPReader) -> [String] {
        let loss = reader.loss
        return loss.lines(reader.path)
            + [
                loss.beginning(reader.path), reader.recovery?.line(reader.path),
                reader.flaw.map { "\($0); \(loss.restBefore) was copied" },
            ].compactMap(\.self)
    }
}
