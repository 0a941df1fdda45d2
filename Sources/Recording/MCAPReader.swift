import Linux

/// Reads the messages of an MCAP file in file order, up to its end or to the first flaw.
///
/// The file is untrusted: no length in it is trusted, and memory stays below twice the largest chunk and some 40 MB for
/// the names of all the channels that can be.
final class MCAPReader {
    /// Maximum size of a chunk, uncompressed; more is refused.
    static let largestChunk = 64 << 20
    private static let largestOther = 16 << 20
    private static let largestMetadata = 64 << 10

    /// A message; its bytes are good until the next one is read.
    struct Message {
        var topic: Topic
        var logTime: UInt64
        var publishTime: UInt64
        fileprivate var range: Range<Int>
    }

    let path: String
    /// Position at which the present chunk or message begins. Unit: bytes.
    private(set) var recordOffset: UInt64 = 0
    /// Position and kind of the damage or cut; nil for a file that is whole as far as it was read.
    private(set) var flaw: RecordingError?

    /// What the file says of itself; nil until that has been read, and for a file of another program.
    private(set) var about: RecordingAbout?

    private let file: File
    /// Size when the file was opened: what a recorder appends meanwhile is not read. Unit: bytes.
    private let size: UInt64
    private var offset: UInt64 = 0
    private var ended = false
    private var channels = MCAPChannels()
    /// Content of the record last read.
    private var content: [UInt8] = []
    /// Records of the present chunk.
    private var records: [UInt8] = []
    private var cursor = 0
    private let decompressor = ZstdDecompressor()

    /// - Throws: when the file cannot be read or does not begin as MCAP does.
    init(path: String) throws(RecordingError) {
        self.path = path
        do throws(FileError) {
            file = try File.openForReading(path)
            size = UInt64(try file.status().size)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        guard try read(MCAP.magic.count), content == MCAP.magic else {
            throw .notARecording(path: path, reason: "it does not begin as an MCAP file does")
        }
    }

    /// Share of the file that has been read, 0 to 1.
    var fraction: Double { size == 0 ? 1 : Double(min(offset, size)) / Double(size) }

    /// The next message of a topic that is known; nil at the end or at the first flaw.
    ///
    /// - Throws: when the file asks for more than any recording needs.
    func next() throws(RecordingError) -> Message? {
        while true {
            if let message = try nextInChunk() { return message }
            if ended { return nil }
            if let message = try nextRecord() { return message }
        }
    }

    func withData<Result>(
        of message: Message, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        records.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[message.range])) }
    }

    // MARK: - Records of the file

    private func nextRecord() throws(RecordingError) -> Message? {
        recordOffset = offset
        guard try read(MCAP.recordHeaderSize) else {
            stop("the file ends here without its summary: it was cut short or is still being written")
            return nil
        }
        let (code, length) = content.withUnsafeBytes { bytes in
            (bytes[0], UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)))
        }
        switch MCAP.Opcode(rawValue: code) {
        case .chunk: try readChunk(length)
        case .header, .channel, .statistics, .message:
            guard try readContent(length, most: MCAPReader.largestOther) else { return nil }
            if code == MCAP.Opcode.message.rawValue {
                swap(&records, &content)
                cursor = records.count
                return message(in: 0..<records.count)
            }
            takeContent(code)
        case .metadata where length <= MCAPReader.largestMetadata:
            guard try readContent(length, most: MCAPReader.largestMetadata) else { return nil }
            about = about ?? content.withUnsafeBytes { RecordingAbout(metadata: $0) }
        case .footer: try readFooter(length)
        default: try skip(length)
        }
        return nil
    }

    /// Takes what describes the file rather than being a message of it.
    private func takeContent(_ code: UInt8) {
        let flaw = content.withUnsafeBytes { bytes -> MCAPChannels.Flaw? in
            do throws(MCAPChannels.Flaw) {
                switch MCAP.Opcode(rawValue: code) {
                case .header: channels.takeHeader(bytes)
                case .channel: try channels.declare(bytes)
                default: try channels.check(statistics: bytes)
                }
                return nil
            } catch {
                return error
            }
        }
        if let flaw { stop(flaw.problem) }
    }

    private func readContent(_ length: UInt64, most: Int) throws(RecordingError) -> Bool {
        guard length <= size - offset else {
            stop("the file is cut short inside this record")
            return false
        }
        guard length <= UInt64(most) else { throw damaged("a record of \(length) bytes; at most \(most) are read") }
        return try read(Int(length))
    }

    private func skip(_ length: UInt64) throws(RecordingError) {
        guard length <= size - offset else { return stop("the file is cut short inside this record") }
        offset += length
        do throws(FileError) {
            try file.seek(to: Int64(offset))
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }

    private func readFooter(_ length: UInt64) throws(RecordingError) {
        try skip(length)
        if ended { return }
        ended = true
        guard try read(MCAP.magic.count), content == MCAP.magic else { return stop("the end mark is missing") }
    }

    // MARK: - Chunks

    private func readChunk(_ length: UInt64) throws(RecordingError) {
        let rest = size - offset
        guard min(length, rest) <= UInt64(MCAPReader.largestChunk) + 4096 else {
            throw damaged("a chunk of \(length) bytes; at most \(MCAPReader.largestChunk) are read")
        }
        guard try read(Int(min(length, rest))) else { return stop("the file shrank while it was read") }
        let isCut = length > rest
        guard let header = content.withUnsafeBytes({ ChunkHeader($0) }) else {
            return stop(isCut ? "the file is cut short inside this chunk" : "the chunk's header is damaged")
        }
        guard header.plainSize <= UInt64(MCAPReader.largestChunk) else {
            throw damaged(
                "a chunk that unpacks to \(header.plainSize) bytes; at most \(MCAPReader.largestChunk) are read")
        }
        let whole = try unpack(header)
        cursor = 0
        if isCut { return stop("the file is cut short inside this chunk") }
        guard whole, header.crc == 0 || header.crc == CRC32.of(records) else {
            // Which of its bytes are wrong is not known: none is taken.
            records.removeAll(keepingCapacity: true)
            return stop("the chunk is damaged")
        }
    }

    /// Fills `records` with as much of the chunk as is there; returns whether it is all of it.
    private func unpack(_ header: ChunkHeader) throws(RecordingError) -> Bool {
        let available = content.count - header.dataStart
        let packed = header.dataStart..<(header.dataStart + Int(min(header.packedSize, UInt64(available))))
        let isWhole = header.packedSize == UInt64(available)
        switch header.compression {
        case "zstd":
            let sound = content.withUnsafeBytes { bytes in
                decompressor.decompress(
                    UnsafeRawBufferPointer(rebasing: bytes[packed]), size: Int(header.plainSize), into: &records)
            }
            return isWhole && sound
        case "":
            records = Array(content[packed])
            return isWhole && UInt64(records.count) == header.plainSize
        default: throw damaged("chunks compressed with '\(header.compression.printable)'; zstd and none are read")
        }
    }

    private struct ChunkHeader {
        var plainSize: UInt64
        var crc: UInt32
        var compression: String
        var packedSize: UInt64
        var dataStart: Int

        init?(_ bytes: UnsafeRawBufferPointer) {
            var fields = MCAPFields(bytes)
            guard fields.integer(UInt64.self) != nil, fields.integer(UInt64.self) != nil,
                let plainSize = fields.integer(UInt64.self), let crc = fields.integer(UInt32.self),
                let compression = fields.text(), compression.utf8.count <= 32,
                let packedSize = fields.integer(UInt64.self)
            else { return nil }
            self.plainSize = plainSize
            self.crc = crc
            self.compression = compression
            self.packedSize = packedSize
            dataStart = fields.position
        }
    }

    private func nextInChunk() throws(RecordingError) -> Message? {
        while records.count - cursor >= MCAP.recordHeaderSize {
            let (code, length) = records.withUnsafeBytes { bytes in
                (
                    bytes[cursor],
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: cursor + 1, as: UInt64.self))
                )
            }
            let start = cursor + MCAP.recordHeaderSize
            guard length <= UInt64(records.count - start) else { break }
            cursor = start + Int(length)
            if code == MCAP.Opcode.channel.rawValue {
                addChannel(in: start..<cursor)
            } else if code == MCAP.Opcode.message.rawValue, let message = message(in: start..<cursor) {
                return message
            }
        }
        if cursor < records.count {
            cursor = records.count
            stop("a record runs over the end of this chunk")
        }
        return nil
    }

    /// Nil for a message of a channel that is not ours, and for one that does not fit to the rest of the file.
    private func message(in range: Range<Int>) -> Message? {
        let read = records.withUnsafeBytes { bytes -> Result<Message?, MCAPChannels.Flaw> in
            var fields = MCAPFields(UnsafeRawBufferPointer(rebasing: bytes[range]))
            guard let channel = fields.integer(UInt16.self), let sequence = fields.integer(UInt32.self),
                let logTime = fields.integer(UInt64.self), let publishTime = fields.integer(UInt64.self)
            else { return .failure(MCAPChannels.Flaw(problem: "a message is too short")) }
            let data = (range.lowerBound + fields.position)..<range.upperBound
            return Result { () throws(MCAPChannels.Flaw) in
                try channels.take(channel: channel, sequence: sequence).map {
                    Message(topic: $0, logTime: logTime, publishTime: publishTime, range: data)
                }
            }
        }
        switch read {
        case .success(let message): return message
        case .failure(let flaw):
            stopInChunk(flaw.problem)
            return nil
        }
    }

    private func addChannel(in range: Range<Int>) {
        let flaw = records.withUnsafeBytes { bytes -> MCAPChannels.Flaw? in
            do throws(MCAPChannels.Flaw) {
                try channels.declare(UnsafeRawBufferPointer(rebasing: bytes[range]))
                return nil
            } catch {
                return error
            }
        }
        if let flaw { stopInChunk(flaw.problem) }
    }

    /// Ends reading of this chunk, including what follows in it.
    private func stopInChunk(_ problem: String) {
        cursor = records.count
        stop(problem)
    }

    // MARK: - File

    /// Reads `count` bytes into `content`; false where the file ends before.
    private func read(_ count: Int) throws(RecordingError) -> Bool {
        guard UInt64(count) <= size - offset else { return false }
        if content.count > count { content.removeLast(content.count - count) }
        if content.count < count { content += [UInt8](repeating: 0, count: count - content.count) }
        let filled: Int
        do throws(FileError) {
            filled = try content.withUnsafeMutableBufferPointer { buffer throws(FileError) in
                try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        offset += UInt64(filled)
        return filled == count
    }

    /// The first flaw ends the reading; what was read before is good.
    private func stop(_ problem: String) {
        ended = true
        if flaw == nil { flaw = damaged(problem) }
    }

    private func damaged(_ problem: String) -> RecordingError {
        .damaged(path: path, offset: recordOffset, problem: problem)
    }
}
