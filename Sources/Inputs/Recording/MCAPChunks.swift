import Glibc

/// Unpacks the chunks of an MCAP file, and finds the next intact one after damage.
///
/// No length in a chunk is trusted: memory stays within a few times the size of the largest chunk, and the work wasted
/// on damaged chunks is proportional to the size of the file.
struct MCAPChunks: ~Copyable {
    /// Maximum size of an uncompressed chunk. Unit: bytes.
    static let maximumSize = 64 << 20
    private static let maximumHeaderSize = 4096

    /// Records of the last chunk read.
    var records: [UInt8] = []
    private var content: [UInt8] = []
    private let decompressor = ZstdDecompressor()
    /// Number of bytes read and unpacked in vain from damaged chunks, plus bytes that were read again.
    var wasted: UInt64 = 0

    /// Reads a chunk's records into `records`, which stay empty if the chunk is damaged.
    ///
    /// - Returns: description of the damage; nil for an intact chunk.
    mutating func read(
        _ file: MCAPFile, at place: UInt64, length: UInt64
    ) throws(RecordingError) -> String? {
        let problem = try unpack(file, at: place, length: length)
        // It is not known which bytes of a damaged chunk are wrong, so all are dropped.
        if problem != nil { records.removeAll(keepingCapacity: true) }
        return problem
    }

    private mutating func unpack(
        _ file: MCAPFile, at place: UInt64, length: UInt64
    ) throws(RecordingError) -> String? {
        guard length <= UInt64(Self.maximumSize + Self.maximumHeaderSize) else {
            return "a chunk of \(length) bytes; at most \(Self.maximumSize) are read"
        }
        // The limit is far above the cost of the intact chunks of any recording, at any compression.
        guard wasted / 64 <= file.size + 1 << 24 else { return "too much of the file is damaged to go on" }
        guard try file.read(Int(length), at: place, into: &content) else { return "the file shrank while it was read" }
        wasted += length
        guard let header = content.withUnsafeBytes({ ChunkHeader($0) }) else { return "the chunk's header is damaged" }
        if let problem = header.problem { return problem }
        let whole = unpack(header)
        guard whole, header.crc == 0 || header.crc == CRC32.of(records) else {
            wasted += header.plainSize
            return "the chunk is damaged"
        }
        wasted -= length
        return nil
    }

    /// Reads the available records of a chunk that the end of the file cuts off. If the packed records are complete but
    /// their checksum is wrong, the chunk is damaged and no record is read.
    mutating func readTorn(_ file: MCAPFile, at place: UInt64) throws(RecordingError) {
        records.removeAll(keepingCapacity: true)
        let length = min(file.size - place, UInt64(Self.maximumSize + Self.maximumHeaderSize))
        guard try file.read(Int(length), at: place, into: &content),
            let header = content.withUnsafeBytes({ ChunkHeader($0) }), header.problem == nil
        else { return }
        _ = unpack(header)
        let isWhole = header.packedSize <= UInt64(content.count - header.size)
        if isWhole, header.crc != 0, header.crc != CRC32.of(records) { records.removeAll(keepingCapacity: true) }
    }

    /// Fills `records` with the available part of the chunk; returns whether it is complete.
    private mutating func unpack(_ header: ChunkHeader) -> Bool {
        let available = content.count - header.size
        let packed = header.size..<(header.size + Int(min(header.packedSize, UInt64(available))))
        let isWhole = header.packedSize == UInt64(available)
        guard !header.compression.isEmpty else {
            records = Array(content[packed])
            return isWhole && UInt64(records.count) == header.plainSize
        }
        let isSound = content.withUnsafeBytes { bytes in
            decompressor.decompress(
                UnsafeRawBufferPointer(rebasing: bytes[packed]), size: Int(header.plainSize), into: &records)
        }
        return isWhole && isSound
    }

    // MARK: - Search

    /// Sizes of the blocks that are searched. The first is small, because the next chunk is usually near. Unit: bytes.
    private static let blocks = (first: 4 << 10, maximumSize: 1 << 20)

    /// Reads the next intact chunk into `records`.
    ///
    /// - Returns: byte range of the chunk's record; nil if no intact chunk follows.
    mutating func find(_ file: MCAPFile, from start: UInt64) throws(RecordingError) -> Range<UInt64>? {
        var (block, place, blockSize) = ([UInt8](), start, Self.blocks.first)
        while place < file.size, file.size - place >= UInt64(ChunkHeader.minimumRecordSize) {
            let rest = file.size - place
            let count = Int(min(UInt64(blockSize), rest))
            guard try file.read(count, at: place, into: &block) else { return nil }
            // A header that crosses the end of this block is found in the next block.
            let end = count - (UInt64(count) == rest ? ChunkHeader.minimumRecordSize : ChunkHeader.maximumByteCount) + 1
            var index = 0
            while let (found, length) = Self.candidate(in: block, index..<end, rest: rest) {
                let content = place + UInt64(found + MCAP.recordHeaderSize)
                if try read(file, at: content, length: length) == nil {
                    return (place + UInt64(found))..<(content + length)
                }
                index = found + 1
            }
            place += UInt64(end)
            blockSize = min(2 * blockSize, Self.blocks.maximumSize)
        }
        return nil
    }

    /// First of the given places in a block where a consistent record head and chunk header begin.
    ///
    /// - Parameter rest: number of bytes from the beginning of the block to the end of the file.
    private static func candidate(
        in block: [UInt8], _ places: Range<Int>, rest: UInt64
    ) -> (index: Int, length: UInt64)? {
        block.withUnsafeBytes { bytes in
            let end = places.upperBound
            var index = places.lowerBound
            while index < end, let code = memchr(bytes.baseAddress! + index, Int32(code), end - index) {
                index = UnsafeRawPointer(code) - bytes.baseAddress!
                if let length = chunk(in: bytes, at: index, rest: rest) { return (index, length) }
                index += 1
            }
            return nil
        }
    }

    private static let code = MCAP.Opcode.chunk.rawValue

    /// Length of the chunk that may begin at a place; nil if its record head and header are inconsistent, or if it has
    /// no checksum and therefore cannot be verified.
    private static func chunk(in bytes: UnsafeRawBufferPointer, at index: Int, rest: UInt64) -> UInt64? {
        let length = MCAPFile.Head(bytes, at: index).length
        let content = index + MCAP.recordHeaderSize
        guard length <= rest - UInt64(content),
            let header = ChunkHeader(UnsafeRawBufferPointer(rebasing: bytes[content...].prefix(100))),
            header.problem == nil, header.crc != 0, header.packedSize == length &- UInt64(header.size)
        else { return nil }
        return length
    }
}

/// Fields before the packed records of a chunk.
private struct ChunkHeader {
    /// Minimum size of a chunk's record, without compression. Unit: bytes.
    static let minimumRecordSize = MCAP.recordHeaderSize + MCAP.minimumChunkSize
    private static let maximumCompressionLength = 32
    /// Maximum size of a chunk's record head and header. Unit: bytes.
    static let maximumByteCount = minimumRecordSize + maximumCompressionLength

    var plainSize: UInt64
    var crc: UInt32
    var compression: String
    var packedSize: UInt64
    /// Number of bytes before the packed records.
    var size: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
        var fields = MCAPFields(bytes)
        guard fields.integer(UInt64.self) != nil, fields.integer(UInt64.self) != nil,
            let plainSize = fields.integer(UInt64.self), let crc = fields.integer(UInt32.self),
            let compression = fields.text(), compression.utf8.count <= Self.maximumCompressionLength,
            let packedSize = fields.integer(UInt64.self)
        else { return nil }
        self.plainSize = plainSize
        self.crc = crc
        self.compression = compression
        self.packedSize = packedSize
        size = fields.position
    }

    /// Reason why the chunk cannot be unpacked; nil if it can.
    var problem: String? {
        guard ["zstd", ""].contains(compression) else {
            return "chunks compressed with '\(compression.printable)'; zstd and none are read"
        }
        guard plainSize <= UInt64(MCAPChunks.maximumSize) else {
            return "a chunk that unpacks to \(plainSize) bytes; at most \(MCAPChunks.maximumSize) are read"
        }
        return nil
    }
}
