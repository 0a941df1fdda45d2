import Linux

/// Writes an MCAP file: first the channels, then the messages in compressed chunks with indexes, and last the summary.
///
/// Each chunk is written as a whole, so that a truncated file is readable up to its last whole chunk. Memory grows by
/// some 200 bytes per chunk for the index at the end.
struct MCAPWriter: ~Copyable {
    struct Counts: Hashable, Sendable {
        var messages: UInt64 = 0
        var bytes: UInt64 = 0
    }

    /// Duration after which a chunk is closed, and its size limit.
    ///
    /// A power failure loses the content of the open chunk. Chunks of twice the duration would make the file only 5 %
    /// smaller.
    static let chunkNanoseconds: UInt64 = 2_000_000_000
    static let chunkBytes = 1 << 20

    let path: String
    private let file: File
    /// Minimum size of a chunk that is closed because of its duration. Unit: bytes.
    private let minimumChunkSize: Int
    /// Whether each chunk is flushed to the disk before the next one.
    private let synchronizesChunks: Bool

    private var offset: UInt64 = 0
    private var crc: UInt32 = 0
    private var chunk = MCAPBuffer(capacity: MCAPWriter.chunkBytes + 64 * 1024)
    private var compressed: [UInt8] = []
    private var output = MCAPBuffer()
    private let compressor = ZstdCompressor()
    private var chunkTimes: (start: UInt64, end: UInt64) = (0, 0)
    private var channels: [Channel]
    /// Indices of the channels by their numbers.
    private let places: [UInt16: Int]
    private var chunkIndexes = MCAPBuffer()
    private var metadataIndexes = MCAPBuffer()
    private var metadataCount: UInt32 = 0
    private(set) var chunkCount: UInt32 = 0
    /// Range of the times of the written chunks.
    private var times: (start: UInt64, end: UInt64)?

    private struct Channel {
        let declaration: MCAPDeclaration
        var messages: UInt64 = 0
        /// Log time and offset of each message in the open chunk.
        var index = MCAPBuffer()
    }

    /// Begins the file, which has to be empty.
    ///
    /// - Parameter profile: MCAP profile, which names the conventions of the file; empty for a recording.
    init(
        path: String, file: consuming File, channels: [MCAPDeclaration] = Topic.declarations(Topic.written),
        profile: String = "", minimumChunkSize: Int = 0, synchronizesChunks: Bool
    ) throws(RecordingError) {
        self.init(emptyFile: file, path, channels, minimumChunkSize, synchronizesChunks)
        try writeHeader(profile)
    }

    private init(
        emptyFile: consuming File, _ path: String, _ channels: [MCAPDeclaration], _ minimumChunkSize: Int,
        _ synchronizesChunks: Bool
    ) {
        self.path = path
        self.channels = channels.map { Channel(declaration: $0) }
        places = Dictionary(uniqueKeysWithValues: zip(channels.map(\.id), channels.indices))
        self.minimumChunkSize = minimumChunkSize
        file = emptyFile
        self.synchronizesChunks = synchronizesChunks
    }

    private mutating func writeHeader(_ profile: String) throws(RecordingError) {
        output.append(raw: MCAP.magic)
        output.record(.header) { record in
            record.append(text: profile)
            // With a profile, the library has another name, because the file is not a Waymark recording.
            record.append(text: profile.isEmpty ? MCAP.library : "\(MCAP.library) \(profile)")
        }
        let declarations = channels.map(\.declaration)
        for each in declarations { each.appendSchema(to: &output) }
        for each in declarations { each.appendChannel(to: &output) }
        try writeOutput()
    }

    var counts: Counts {
        Counts(messages: channels.reduce(0) { $0 + $1.messages }, bytes: offset)
    }

    /// Free space on the file's file system, in bytes; nil if it is not reported.
    var freeBytes: UInt64? { file.freeBytes }

    /// Whether messages wait in an open chunk.
    var hasOpenChunk: Bool { chunk.count > 0 }

    /// Appends a message to the channel of this number, which must exist. Its log time may be earlier than the previous
    /// message's, as in files of other programs.
    mutating func append(
        _ id: UInt16, logTime: UInt64, publishTime: UInt64, data: [UInt8]
    ) throws(RecordingError) {
        guard let channel = places[id] else { preconditionFailure("the file has no channel \(id)") }
        let (start, end) = (min(chunkTimes.start, logTime), max(chunkTimes.end, logTime))
        let isLong = end - start >= MCAPWriter.chunkNanoseconds && chunk.count >= minimumChunkSize
        if hasOpenChunk, chunk.count >= MCAPWriter.chunkBytes || isLong { try closeChunk() }
        chunkTimes = hasOpenChunk ? (start, end) : (logTime, logTime)
        channels[channel].index.append(logTime)
        channels[channel].index.append(UInt64(chunk.count))
        let sequence = UInt32(truncatingIfNeeded: channels[channel].messages)
        channels[channel].messages += 1
        chunk.record(.message) { record in
            record.append(id)
            record.append(sequence)
            record.append(logTime)
            record.append(publishTime)
            record.append(raw: data)
        }
    }

    /// Writes names and values about the whole file, outside of the chunks.
    mutating func appendMetadata(_ name: String, _ values: [(name: String, value: String)]) throws(RecordingError) {
        let start = offset
        output.record(.metadata) { record in
            record.append(text: name)
            record.map(values)
        }
        let length = UInt64(output.count)
        try writeOutput()
        metadataIndexes.record(.metadataIndex) { record in
            record.append(start)
            record.append(length)
            record.append(text: name)
        }
        metadataCount += 1
    }

    /// Writes the open chunk, if there is one, and flushes it to the disk.
    mutating func closeChunk() throws(RecordingError) {
        guard hasOpenChunk else { return }
        compressor.compress(chunk.bytes, into: &compressed)
        let chunkOffset = offset
        appendChunk()
        let chunkLength = output.count
        let indexOffsets = appendMessageIndexes()
        let indexLength = output.count - chunkLength
        try writeOutput()
        appendChunkIndex(chunkOffset, chunkLength, indexOffsets, indexLength)
        chunkCount += 1
        times = (min(times?.start ?? .max, chunkTimes.start), max(times?.end ?? 0, chunkTimes.end))
        chunk.removeAll()
        for index in channels.indices { channels[index].index.removeAll() }
        if synchronizesChunks { try synchronize() }
    }

    /// Writes pending data and the summary, which completes the file.
    @discardableResult
    mutating func finish() throws(RecordingError) -> Counts {
        try closeChunk()
        let dataCRC = crc
        output.record(.dataEnd) { $0.append(dataCRC) }
        try writeOutput()
        appendSummary()
        try writeOutput()
        try synchronize()
        return counts
    }

    /// Removes the written part of a chunk for which the disk had no space, and drops the messages in it.
    mutating func dropOpenChunk() {
        // If even this fails, a reader skips the torn chunk by itself.
        try? file.truncate(to: Int64(offset))
        output.removeAll()
        chunk.removeAll()
        for index in channels.indices {
            channels[index].messages -= UInt64(channels[index].index.count / 16)
            channels[index].index.removeAll()
        }
    }

    // MARK: - Records

    private mutating func appendChunk() {
        let (times, plain, packed) = (chunkTimes, chunk.bytes, compressed)
        output.record(.chunk) { record in
            record.append(times.start)
            record.append(times.end)
            record.append(UInt64(plain.count))
            record.append(CRC32.of(plain))
            record.append(text: "zstd")
            record.append(UInt64(packed.count))
            record.append(raw: packed)
        }
    }

    /// Writes the index of each channel in the chunk, and returns their positions.
    private mutating func appendMessageIndexes() -> [(channel: UInt16, offset: UInt64)] {
        var offsets: [(channel: UInt16, offset: UInt64)] = []
        for channel in channels where channel.index.count > 0 {
            let (id, entries) = (channel.declaration.id, channel.index.bytes)
            offsets.append((id, offset + UInt64(output.count)))
            output.record(.messageIndex) { record in
                record.append(id)
                record.block { $0.append(raw: entries) }
            }
        }
        return offsets
    }

    private mutating func appendChunkIndex(
        _ chunkOffset: UInt64, _ chunkLength: Int, _ indexOffsets: [(channel: UInt16, offset: UInt64)],
        _ indexLength: Int
    ) {
        let (times, plain, packed) = (chunkTimes, chunk.count, compressed.count)
        chunkIndexes.record(.chunkIndex) { record in
            record.append(times.start)
            record.append(times.end)
            record.append(chunkOffset)
            record.append(UInt64(chunkLength))
            record.block { map in
                for entry in indexOffsets {
                    map.append(entry.channel)
                    map.append(entry.offset)
                }
            }
            record.append(UInt64(indexLength))
            record.append(text: "zstd")
            record.append(UInt64(packed))
            record.append(UInt64(plain))
        }
    }

    private mutating func appendSummary() {
        let (summaryStart, declarations) = (offset, channels.map(\.declaration))
        var groups: [(opcode: MCAP.Opcode, start: Int, end: Int)] = []
        func group(_ opcode: MCAP.Opcode, _ output: inout MCAPBuffer, _ body: (inout MCAPBuffer) -> Void) {
            let start = output.count
            body(&output)
            if output.count > start { groups.append((opcode, start, output.count)) }
        }
        let (statistics, indexes, metadata) = (statisticsRecord(), chunkIndexes.bytes, metadataIndexes.bytes)
        group(.schema, &output) { for each in declarations { each.appendSchema(to: &$0) } }
        group(.channel, &output) { for each in declarations { each.appendChannel(to: &$0) } }
        group(.statistics, &output) { $0.append(raw: statistics.bytes) }
        group(.chunkIndex, &output) { $0.append(raw: indexes) }
        group(.metadataIndex, &output) { $0.append(raw: metadata) }
        let offsetsStart = summaryStart + UInt64(output.count)
        for group in groups {
            output.record(.summaryOffset) { record in
                record.append(group.opcode.rawValue)
                record.append(summaryStart + UInt64(group.start))
                record.append(UInt64(group.end - group.start))
            }
        }
        // The checksum covers the summary and the footer up to the checksum itself.
        output.append(MCAP.Opcode.footer.rawValue)
        output.append(UInt64(20))
        output.append(summaryStart)
        output.append(offsetsStart)
        output.append(CRC32.of(output.bytes))
        output.append(raw: MCAP.magic)
    }

    private func statisticsRecord() -> MCAPBuffer {
        var buffer = MCAPBuffer()
        let channels = channels
        let (total, chunkCount, metadataCount, times) = (counts.messages, chunkCount, metadataCount, times ?? (0, 0))
        buffer.record(.statistics) { record in
            record.append(total)
            record.append(UInt16(channels.count))
            record.append(UInt32(channels.count))
            record.append(UInt32(0))
            record.append(metadataCount)
            record.append(chunkCount)
            record.append(times.start)
            record.append(times.end)
            record.block { map in
                for channel in channels where channel.messages > 0 {
                    map.append(channel.declaration.id)
                    map.append(channel.messages)
                }
            }
        }
        return buffer
    }

    // MARK: - File

    private mutating func writeOutput() throws(RecordingError) {
        do throws(FileError) {
            try file.write(output.bytes)
        } catch {
            throw .cannotWrite(path: path, reason: error.description)
        }
        crc = output.bytes.withUnsafeBytes { CRC32.update(crc, $0) }
        offset += UInt64(output.count)
        output.removeAll()
    }

    private func synchronize() throws(RecordingError) {
        do throws(FileError) {
            try file.synchronize()
        } catch {
            throw .cannotWrite(path: path, reason: error.description)
        }
    }
}
