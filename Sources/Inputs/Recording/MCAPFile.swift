import Linux

/// Random access to the bytes of an MCAP file, up to its size when it was opened.
final class MCAPFile {
    /// Fields before the content of a record.
    struct Head {
        var code: UInt8
        /// Length of the content. Unit: bytes.
        var length: UInt64

        var opcode: MCAP.Opcode? { MCAP.Opcode(rawValue: code) }

        /// Reads the fields at a place. The bytes must contain all of them.
        init(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) {
            code = bytes[place]
            length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 1, as: UInt64.self))
        }
    }

    let path: String
    private let file: File
    /// Size when the file was opened. Data that a recorder appends later is not read. Unit: bytes.
    let size: UInt64

    /// - Throws: if the file cannot be read or does not begin with MCAP's magic bytes.
    init(path: String) throws(RecordingError) {
        self.path = path
        do throws(FileError) {
            file = try File.openForReading(path)
            size = UInt64(try file.status().size)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        var start: [UInt8] = []
        guard try read(MCAP.magic.count, at: 0, into: &start), start == MCAP.magic else {
            throw .notARecording(path: path, reason: "it does not begin as an MCAP file does")
        }
    }

    /// Fills a buffer with `count` bytes; false if the file ends earlier.
    func read(_ count: Int, at place: UInt64, into buffer: inout [UInt8]) throws(RecordingError) -> Bool {
        guard place <= size, UInt64(count) <= size - place else { return false }
        if buffer.count > count { buffer.removeLast(buffer.count - count) }
        if buffer.count < count { buffer += [UInt8](repeating: 0, count: count - buffer.count) }
        do throws(FileError) {
            try file.seek(to: Int64(place))
            return try buffer.withUnsafeMutableBufferPointer { buffer throws(FileError) in
                try file.read(into: UnsafeMutableRawBufferPointer(buffer)) == count
            }
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }

    /// Head of the record at a place; nil if the file ends before the end of the head.
    func head(at place: UInt64) throws(RecordingError) -> Head? {
        var bytes: [UInt8] = []
        guard try read(MCAP.recordHeaderSize, at: place, into: &bytes) else { return nil }
        return bytes.withUnsafeBytes { Head($0) }
    }

    /// Whether a record may begin at a place, because it is complete and its kind permits its length. Also true at the
    /// end of the file.
    func mayHoldRecord(at place: UInt64) throws(RecordingError) -> Bool {
        guard place != size else { return true }
        guard let head = try head(at: place) else { return false }
        return head.isPossible && fits(head, at: place)
    }

    /// Whether the record ends within the file.
    func fits(_ head: Head, at place: UInt64) -> Bool {
        head.length <= size - place - UInt64(MCAP.recordHeaderSize)
    }
}

extension MCAPFile.Head {
    /// Whether a record of this kind may have this length. Unknown kinds may be from later versions of the format, with
    /// any length.
    var isPossible: Bool {
        switch opcode {
        case nil: code != 0
        case .chunk: length >= UInt64(MCAP.minimumChunkSize)
        case .messageIndex: length % 16 == 6
        case .dataEnd: length == 4
        case .footer: length == UInt64(MCAP.footerSize)
        default: true
        }
    }
}
