/// The summary at the end of an MCAP file.
enum MCAPSummary {
    private static let blockSize = 1 << 20

    /// Position of the footer's record; nil for a file that was truncated or is still being written.
    static func footer(of file: MCAPFile) throws(RecordingError) -> UInt64? {
        let tail = UInt64(MCAP.recordHeaderSize + MCAP.footerSize + MCAP.magic.count)
        guard file.size > tail else { return nil }
        let place = file.size - tail
        var mark: [UInt8] = []
        guard let head = try file.head(at: place), head.opcode == .footer, head.isPossible,
            try file.read(MCAP.magic.count, at: file.size - UInt64(MCAP.magic.count), into: &mark), mark == MCAP.magic
        else { return nil }
        return place
    }

    /// Reads the channels and the statistics, if the checksum is correct.
    ///
    /// - Returns: false if the summary is damaged or the file is truncated.
    static func read(
        _ file: MCAPFile, _ record: (MCAP.Opcode, UnsafeRawBufferPointer) -> Void
    ) throws(RecordingError) -> Bool {
        guard let footer = try footer(of: file), let start = try start(of: file) else { return false }
        return try records(file, start..<footer, record)
    }

    /// Position at which the summary begins, or the footer's position if there is no summary; nil if its checksum is
    /// wrong or the file is truncated.
    static func start(of file: MCAPFile) throws(RecordingError) -> UInt64? {
        guard let stated = try statement(of: file) else { return nil }
        // The summary is optional.
        if stated.start == 0 { return stated.footer }
        guard stated.start <= stated.footer else { return nil }
        let found = stated.crc == 0 ? 0 : try crc(file, from: stated.start)
        return stated.crc == found ? stated.start : nil
    }

    /// Whether the summary has a checksum, which is optional.
    static func hasChecksum(_ file: MCAPFile) throws(RecordingError) -> Bool {
        try statement(of: file).map { $0.crc != 0 } ?? false
    }

    /// Position of the footer, and the position and checksum of the summary that it states, each 0 if absent.
    private static func statement(
        of file: MCAPFile
    ) throws(RecordingError) -> (footer: UInt64, start: UInt64, crc: UInt32)? {
        var content: [UInt8] = []
        guard let footer = try footer(of: file),
            try file.read(MCAP.footerSize, at: footer + UInt64(MCAP.recordHeaderSize), into: &content)
        else { return nil }
        return content.withUnsafeBytes { bytes in
            var fields = MCAPFields(bytes)
            guard let start = fields.integer(UInt64.self), fields.integer(UInt64.self) != nil,
                let crc = fields.integer(UInt32.self)
            else { return nil }
            return (footer, start, crc)
        }
    }

    /// Checksum of the summary and of the footer up to the checksum itself.
    private static func crc(_ file: MCAPFile, from start: UInt64) throws(RecordingError) -> UInt32 {
        let end = file.size - UInt64(MCAP.magic.count + 4)
        var (crc, place, block) = (UInt32(0), start, [UInt8]())
        while place < end {
            let count = min(UInt64(blockSize), end - place)
            guard try file.read(Int(count), at: place, into: &block) else { break }
            crc = block.withUnsafeBytes { CRC32.update(crc, $0) }
            place += count
        }
        return crc
    }

    private static func records(
        _ file: MCAPFile, _ range: Range<UInt64>, _ record: (MCAP.Opcode, UnsafeRawBufferPointer) -> Void
    ) throws(RecordingError) -> Bool {
        var (place, content) = (range.lowerBound, [UInt8]())
        while place < range.upperBound {
            guard let head = try file.head(at: place), file.fits(head, at: place) else { return false }
            let start = place + UInt64(MCAP.recordHeaderSize)
            if let opcode = head.opcode, [.channel, .statistics].contains(opcode) {
                guard head.length <= UInt64(MCAP.maximumRecordSize),
                    try file.read(Int(head.length), at: start, into: &content)
                else { return false }
                content.withUnsafeBytes { record(opcode, $0) }
            }
            place = start + head.length
        }
        return true
    }
}
