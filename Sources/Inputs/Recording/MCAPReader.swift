import Linux

/// Reads the messages of an MCAP file in file order, and continues after damage.
///
/// The reader skips a damaged chunk as a whole. If the length of a record cannot be right, it searches for the next
/// intact chunk. It trusts no length in the file. Memory stays within a few times the largest chunk, plus some 40 MB
/// for the names of all possible channels. The time is proportional to the size of the file.
final class MCAPReader {
    private static let maximumMetadataSize = 64 << 10

    /// A message; its bytes are valid until the next one is read.
    struct Message {
        var topic: Topic
        var logTime: UInt64
        var publishTime: UInt64
        fileprivate var range: Range<Int>
    }

    var path: String { file.path }
    /// Position at which the current chunk or message begins. Unit: bytes.
    private(set) var recordOffset: UInt64 = 0
    /// Position at which the file was truncated, and the reason; nil for a file that is not truncated.
    private(set) var flaw: RecordingError?
    /// Missing messages; complete at the end.
    private(set) var loss = RecordingLoss()

    /// Description of the recording; nil until it has been read, and nil for another program's file.
    private(set) var about: RecordingAbout?
    /// Parts of the description that became known while the recording was made; complete at the end.
    private(set) var end: [(name: String, value: String)] = []
    /// Loss that was recorded when the file was recovered; nil for a file that was not recovered. Complete at the end.
    private(set) var recovery: RecoveryRecord?
    /// Number of messages that are not returned because their topics are unknown.
    private(set) var otherMessages: UInt64 = 0

    private let file: MCAPFile
    private var chunks = MCAPChunks()
    private var offset = UInt64(MCAP.magic.count)
    /// Place from which the next intact chunk is searched for if the record at `offset` is invalid. It may lie before
    /// `offset`, which a damaged length of the previous record may have made wrong.
    private var earliest = UInt64(MCAP.magic.count)
    /// End of the last intact chunk or of the last message outside of chunks.
    private var soundEnd = UInt64(MCAP.magic.count)
    /// Value of `soundEnd` before the last change.
    private var formerEnd = UInt64(MCAP.magic.count)
    private var ended = false
    private var channels = MCAPChannels()
    /// Whether the channels of the summary have been read.
    private var knowsSummary = false
    /// Log times of the messages from a summary with a correct checksum; nil if there is none.
    private var logTimes: ClosedRange<UInt64>?
    /// Content of the last record read.
    private var content: [UInt8] = []
    private var cursor = 0

    /// - Throws: if the file cannot be read or does not begin with MCAP's magic bytes.
    init(path: String) throws(RecordingError) { file = try MCAPFile(path: path) }

    /// Number of bytes that were read again, or were read in vain.
    var wasted: UInt64 { chunks.wasted }

    /// Share of the file that has been read, 0 to 1.
    var fraction: Double { Double(min(offset, file.size)) / Double(file.size) }

    /// The next message of a known topic; nil at the end.
    ///
    /// - Throws: if the file cannot be read.
    func next() throws(RecordingError) -> Message? {
        while true {
            if let message = try nextInChunk() { return message }
            if ended { return nil }
            try nextRecord()
        }
    }

    func withData<Result>(
        of message: Message, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try chunks.records.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[message.range])) }
    }

    // MARK: - Records of the file

    private func nextRecord() throws(RecordingError) {
        recordOffset = offset
        guard let head = try file.head(at: offset) else {
            return try resume(
                "no record is whole here",
                atEnd: "the file ends here without its summary: it was cut short or is still being written")
        }
        if head.opcode == .chunk, head.isPossible { return try readChunk(head) }
        guard file.fits(head, at: offset) else {
            return try resume(Self.wrongLength, atEnd: "the file is cut short inside this record")
        }
        guard head.isPossible else { return try resume("no record makes sense here") }
        let start = offset + UInt64(MCAP.recordHeaderSize)
        switch head.opcode {
        case .header, .channel, .message: try take(head, at: start)
        case .metadata where head.length <= Self.maximumMetadataSize: try take(head, at: start)
        case .footer, .dataEnd: return try finish()
        default: break
        }
        (earliest, offset) = (recordOffset + 1, start + head.length)
    }

    private func take(_ head: MCAPFile.Head, at start: UInt64) throws(RecordingError) {
        let range = recordOffset..<(start + head.length)
        guard head.length <= UInt64(MCAP.maximumRecordSize), try file.read(Int(head.length), at: start, into: &content)
        else { return try lose("a record of \(head.length) bytes; at most \(MCAP.maximumRecordSize) are read", range) }
        switch head.opcode {
        case .message where channels.areInChunksAlone:
            try lose("a message outside of the chunks, where the recorder writes none", range)
        case .message where !hasStatedTime:
            try lose("a message outside of the chunks, at a time when the file has none", range)
        case .message:
            // The message is read as if it were in a chunk of its own.
            var records = MCAPBuffer()
            records.record(.message) { $0.append(raw: content) }
            chunks.records = records.bytes
            begin(range)
        case .header:
            content.withUnsafeBytes { channels.takeHeader($0) }
            // A channel outside of the chunks has no checksum, so its copy in the summary is used if the summary has
            // one. Waymark's own channels are identified by their numbers instead.
            if !channels.areInChunksAlone, try MCAPSummary.hasChecksum(file) { try takeSummary() }
        case .metadata:
            about = about ?? content.withUnsafeBytes { RecordingAbout(metadata: $0) }
            end = content.withUnsafeBytes { RecordingAbout.values($0, named: RecordingAbout.endName) } ?? end
            recovery = content.withUnsafeBytes { RecoveryRecord(metadata: $0) } ?? recovery
        default: if let problem = content.withUnsafeBytes({ channels.declare($0) }) { try lose(problem, range) }
        }
    }

    /// Whether the time of the message in `content` is within the summary's range.
    ///
    /// Another program may write messages outside of the chunks. A channel with a damaged opcode looks like such a
    /// message, with letters of its name as the time.
    private var hasStatedTime: Bool {
        guard let logTimes else { return true }
        return content.withUnsafeBytes { bytes in
            var fields = MCAPFields(bytes)
            guard fields.integer(UInt16.self) != nil, fields.integer(UInt32.self) != nil,
                let time = fields.integer(UInt64.self)
            else { return false }
            return logTimes.contains(time)
        }
    }

    // MARK: - Chunks

    private func readChunk(_ head: MCAPFile.Head) throws(RecordingError) {
        let start = offset + UInt64(MCAP.recordHeaderSize)
        guard file.fits(head, at: offset) else {
            try resume(Self.wrongLength, atEnd: "the file is cut short inside this chunk")
            if flaw != nil {
                try chunks.readTorn(file, at: start)
                cursor = 0
            }
            return
        }
        let end = start + head.length
        guard let problem = try chunks.read(file, at: start, length: head.length) else { return begin(offset..<end) }
        earliest = offset + 1
        guard try file.mayHoldRecord(at: end) else { return try resume(problem) }
        try lose(problem, offset..<end)
        offset = end
    }

    /// Continues with the messages of an intact chunk.
    private func begin(_ range: Range<UInt64>) {
        (recordOffset, offset, earliest) = (range.lowerBound, range.upperBound, range.upperBound)
        (formerEnd, soundEnd) = (soundEnd, range.upperBound)
        cursor = 0
    }

    private static let wrongLength = "the record's length is damaged"

    /// Continues after an invalid record: at the next intact chunk, or else at the end of the file.
    ///
    /// - Parameter end: problem to report if no intact chunk is left; nil to report `problem`.
    private func resume(_ problem: String, atEnd end: String? = nil) throws(RecordingError) {
        let start = recordOffset
        // Bytes of the previous record may have been read already, so they count as read again.
        if earliest < start { chunks.wasted += start - earliest }
        if let found = try chunks.find(file, from: earliest) {
            let first = found.lowerBound < start ? earliest : start
            try lose(problem, first..<found.lowerBound)
            return begin(found)
        }
        guard let footer = try MCAPSummary.footer(of: file) else { return stop(end ?? problem) }
        let summary = try MCAPSummary.start(of: file) ?? footer
        try lose(problem, min(start, summary)..<summary)
        try finish()
    }

    /// Records skipped bytes as lost.
    private func lose(_ problem: String, _ range: Range<UInt64>) throws(RecordingError) {
        loss.add(problem, range)
        // A lost chunk may have contained channel declarations, which the summary repeats.
        try takeSummary()
    }

    /// Reads the channels of the summary, and its log times if it has a checksum. Later calls do nothing.
    private func takeSummary() throws(RecordingError) {
        guard !knowsSummary else { return }
        knowsSummary = true
        let isChecked = try MCAPSummary.hasChecksum(file)
        _ = try MCAPSummary.read(file) { opcode, bytes in
            switch opcode {
            case .channel: _ = channels.declare(bytes)
            case .statistics where isChecked: logTimes = MCAPStatistics(bytes)?.logTimes
            default: break
            }
        }
    }

    private func nextInChunk() throws(RecordingError) -> Message? {
        while chunks.records.count - cursor >= MCAP.recordHeaderSize {
            let head = chunks.records.withUnsafeBytes { MCAPFile.Head($0, at: cursor) }
            let start = cursor + MCAP.recordHeaderSize
            guard head.length <= UInt64(chunks.records.count - start) else { break }
            cursor = start + Int(head.length)
            if head.opcode == .channel {
                try addChannel(in: start..<cursor)
            } else if head.opcode == .message, let message = try message(in: start..<cursor) {
                return message
            }
        }
        if cursor < chunks.records.count {
            cursor = chunks.records.count
            // The end of a truncated file was reported already.
            if flaw == nil { try loseFromChunk("a record runs over the end of this chunk") }
        }
        return nil
    }

    /// Reads a message; nil if its channel is another program's, or if it is inconsistent with the rest of the file.
    private func message(in range: Range<Int>) throws(RecordingError) -> Message? {
        do throws(MCAPChannels.Flaw) {
            return try chunks.records.withUnsafeBufferPointer { bytes throws(MCAPChannels.Flaw) in
                var fields = MCAPFields(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
                guard let channel = fields.integer(UInt16.self), let sequence = fields.integer(UInt32.self),
                    let logTime = fields.integer(UInt64.self), let publishTime = fields.integer(UInt64.self)
                else { throw MCAPChannels.Flaw(problem: "a message is too short") }
                let arrival = try channels.take(channel: channel, sequence: sequence, damages: loss.places)
                note(arrival, logTime)
                let data = (range.lowerBound + fields.position)..<range.upperBound
                return arrival.topic.map { Message(topic: $0, logTime: logTime, publishTime: publishTime, range: data) }
            }
        } catch {
            try loseFromChunk(error.problem)
            return nil
        }
    }

    /// Counts a message, and the messages that are missing before it.
    private func note(_ arrival: MCAPChannels.Arrival, _ logTime: UInt64) {
        if arrival.missing > 0, !arrival.isBehindDamage {
            loss.add("messages before this are missing", formerEnd..<max(formerEnd, recordOffset))
        }
        loss.pass(logTime)
        if arrival.missing > 0 { loss.add(missing: arrival.missing, of: arrival.name) }
        if arrival.topic == nil { otherMessages += 1 }
    }

    private func addChannel(in range: Range<Int>) throws(RecordingError) {
        let problem = chunks.records.withUnsafeBytes { channels.declare(UnsafeRawBufferPointer(rebasing: $0[range])) }
        if let problem { try loseFromChunk(problem) }
    }

    /// Records the loss of a record in an intact chunk.
    private func loseFromChunk(_ problem: String) throws(RecordingError) {
        try lose(problem, recordOffset..<max(recordOffset, soundEnd))
    }

    // MARK: - End

    /// Compares the read messages with the summary.
    private func finish() throws(RecordingError) {
        ended = true
        var statistics: MCAPStatistics?
        let isSound = try MCAPSummary.read(file) { opcode, bytes in
            if opcode == .statistics { statistics = MCAPStatistics(bytes) }
        }
        guard isSound else { return stop("the summary from here on is damaged or cut short") }
        guard let statistics else { return }
        loss.finish(statistics, missing: channels.missing(of: statistics, damages: loss.places), end: file.size)
    }

    /// Stops reading a truncated file.
    private func stop(_ problem: String) {
        ended = true
        flaw = .damaged(path: path, offset: recordOffset, problem: problem)
    }
}
