/// Constants of the MCAP file format, version 0. Source: the public specification at mcap.dev.
enum MCAP {
    static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    /// Size of the opcode and length before each record. Unit: bytes.
    static let recordHeaderSize = 9
    /// Size of the content of the footer's record. Unit: bytes.
    static let footerSize = 20
    /// Minimum size of the content of a chunk's record, without records. Unit: bytes.
    static let minimumChunkSize = 40
    /// Maximum size of a record other than a chunk. Unit: bytes.
    static let maximumRecordSize = 16 << 20
    /// Name of the writing program in the header of Waymark's own files.
    static let library = "waymark"

    enum Opcode: UInt8 {
        case header = 0x01
        case footer = 0x02
        case schema = 0x03
        case channel = 0x04
        case message = 0x05
        case chunk = 0x06
        case messageIndex = 0x07
        case chunkIndex = 0x08
        case statistics = 0x0B
        case metadata = 0x0C
        case metadataIndex = 0x0D
        case summaryOffset = 0x0E
        case dataEnd = 0x0F
    }
}

/// Builds the bytes of MCAP records, with little-endian numbers and length-prefixed strings.
struct MCAPBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    var count: Int { bytes.count }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    mutating func append(text: String) {
        append(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a record; its length is filled in after `body`.
    mutating func record(_ opcode: MCAP.Opcode, _ body: (inout MCAPBuffer) -> Void) {
        append(opcode.rawValue)
        let place = count
        append(UInt64(0))
        body(&self)
        patch(UInt64(count - place - 8), at: place)
    }

    /// Appends a list or a map, prefixed by its length in bytes.
    mutating func block(_ body: (inout MCAPBuffer) -> Void) {
        let place = count
        append(UInt32(0))
        body(&self)
        patch(UInt32(count - place - 4), at: place)
    }

    /// Appends a map of texts.
    mutating func map(_ entries: [(name: String, value: String)]) {
        block { map in
            for entry in entries {
                map.append(text: entry.name)
                map.append(text: entry.value)
            }
        }
    }

    private mutating func patch(_ value: some FixedWidthInteger, at place: Int) {
        withUnsafeBytes(of: value.littleEndian) { source in
            for index in source.indices { bytes[place + index] = source[index] }
        }
    }
}

/// Reads the fields of a record one after another; returns nil beyond the record's end.
struct MCAPFields {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        let size = MemoryLayout<Value>.size
        guard bytes.count - position >= size else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: Value.self)
        position += size
        return Value(littleEndian: value)
    }

    /// Reads a length-prefixed string and repairs invalid UTF-8.
    mutating func text() -> String? {
        guard let length = integer(UInt32.self), bytes.count - position >= Int(length) else { return nil }
        let text = String(decoding: bytes[position..<(position + Int(length))], as: UTF8.self)
        position += Int(length)
        return text
    }
}
