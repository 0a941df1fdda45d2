import CZlib
import Glibc
import JSON
import Linux
import Model

/// Reads a table of numbers row by row, with columns by name; decompresses gzip.
///
/// Memory is bounded whatever the file contains: a line has at most 4096 bytes.
final class CSVReader {
    static let maximumLineLength = 4096
    private static let chunk = 128 * 1024
    private static let maximumColumnCount = 256

    let path: String
    /// Line number of the last row read; the header is line 1.
    private(set) var line = 0
    /// Number of cells with `nan` or `inf`. These cells count as unknown, like empty cells, unless `keepsNotFinite` is
    /// set.
    private(set) var notFinite = 0
    /// Whether the file ends in the middle of a row.
    private(set) var endsInsideRow = false

    private let file: gzFile
    private let keepsNotFinite: Bool
    /// Size of the file on the disk. Unit: bytes.
    private let size: Int64
    private var buffer = [UInt8](repeating: 0, count: CSVReader.chunk)
    private var start = 0
    private var end = 0
    private var atEnd = false
    private var lineIsTerminated = false

    /// For each column of the file, its index among the wanted columns; -1 for an unwanted column.
    private var slots: [Int] = []
    private let names: [String]
    private let timeCount: Int
    private let textStart: Int
    private var known: [Bool]
    private var numbers: [Double]
    private var times: [Int64]
    private var texts: [String]

    /// Opens the table and reads its header.
    ///
    /// - Parameters:
    ///   - times: names of the columns in seconds, kept to the nanosecond.
    ///   - numbers: names of the wanted number columns.
    ///   - texts: names of the wanted text columns.
    ///   - keepsNotFinite: whether `number` returns `nan` and `inf` unchanged.
    init(
        path: String, times: [String], numbers: [String], texts: [String] = [], keepsNotFinite: Bool = false
    ) throws(RecordingError) {
        self.path = path
        self.keepsNotFinite = keepsNotFinite
        size = (try? File.status(of: path))?.size ?? 0
        names = times + numbers + texts
        timeCount = times.count
        textStart = times.count + numbers.count
        known = Array(repeating: false, count: names.count)
        self.numbers = Array(repeating: 0, count: names.count)
        self.times = Array(repeating: 0, count: times.count)
        self.texts = Array(repeating: "", count: texts.count)
        errno = 0
        guard let file = gzopen(path, "rbe") else {
            throw .cannotRead(path: path, reason: errno == 0 ? "out of memory" : String(cString: strerror(errno)))
        }
        self.file = file
        gzbuffer(file, UInt32(CSVReader.chunk))
        try readHeader()
    }

    deinit { gzclose(file) }

    /// Share of the file that has been read, 0…1.
    var fraction: Double { size > 0 ? min(1, Double(gzoffset(file)) / Double(size)) : 1 }

    /// Names of the wanted columns that the header has.
    var found: [String] { slots.filter { $0 >= 0 }.map { names[$0] } }

    /// Whether the file has a column of this name.
    func has(_ name: String) -> Bool {
        guard let wanted = names.firstIndex(of: name) else { return false }
        return slots.contains(wanted)
    }

    /// Cell of a time column in the last row read; nil if unknown.
    func time(_ index: Int) -> BootTime? { known[index] ? BootTime(nanoseconds: times[index]) : nil }

    /// Cell of a number column in the last row read; nil if unknown.
    func number(_ index: Int) -> Double? { known[timeCount + index] ? numbers[timeCount + index] : nil }

    /// Cell of a text column in the last row read; nil if unknown.
    func text(_ index: Int) -> String? { known[textStart + index] ? texts[index] : nil }

    /// Reads the next row that is not empty; false at the end.
    func next() throws(RecordingError) -> Bool {
        while let range = try nextLine() {
            if range.isEmpty { continue }
            if try parse(range) { return true }
        }
        return false
    }

    // MARK: - Lines

    /// The next line without its line break; nil after the last line.
    private func nextLine() throws(RecordingError) -> Range<Int>? {
        while true {
            if let newline = newline() {
                let range = start..<newline
                start = newline + 1
                lineIsTerminated = true
                return try counted(range)
            }
            if atEnd {
                guard start < end else { return nil }
                let range = start..<end
                start = end
                lineIsTerminated = false
                return try counted(range)
            }
            guard end - start <= CSVReader.maximumLineLength else { throw tooLong(line + 1) }
            try refill()
        }
    }

    private func counted(_ range: Range<Int>) throws(RecordingError) -> Range<Int> {
        line += 1
        guard range.count <= CSVReader.maximumLineLength else { throw tooLong(line) }
        let endsInReturn = range.count > 0 && buffer[range.upperBound - 1] == UInt8(ascii: "\r")
        return endsInReturn ? range.lowerBound..<(range.upperBound - 1) : range
    }

    private func tooLong(_ line: Int) -> RecordingError {
        .malformed(
            path: path, line: line, problem: "a line of more than \(CSVReader.maximumLineLength) bytes: not a table")
    }

    private func newline() -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard start < end, let found = memchr(bytes.baseAddress! + start, 10, end - start) else { return nil }
            return UnsafeRawPointer(found) - bytes.baseAddress!
        }
    }

    private func refill() throws(RecordingError) {
        let rest = end - start
        let count = buffer.withUnsafeMutableBytes { bytes in
            memmove(bytes.baseAddress!, bytes.baseAddress! + start, rest)
            return gzread(file, bytes.baseAddress! + rest, UInt32(bytes.count - rest))
        }
        start = 0
        end = rest + max(0, Int(count))
        if count > 0 { return }
        var code: Int32 = 0
        let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
        if code == Z_ERRNO { throw .cannotRead(path: path, reason: String(cString: strerror(errno))) }
        // Z_BUF_ERROR means that the compressed file is truncated at this point. The data before it is good.
        if code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR {
            throw .malformed(path: path, line: line + 1, problem: "the compressed data is damaged: \(message)")
        }
        if code == Z_BUF_ERROR { endsInsideRow = true }
        atEnd = true
    }

    // MARK: - Cells

    private func readHeader() throws(RecordingError) {
        guard let range = try nextLine() else {
            throw .malformed(
                path: path, line: 1, problem: "the file is empty; a header with the names of the columns is missing")
        }
        let text = String(decoding: buffer[range], as: UTF8.self).drop { $0 == "\u{FEFF}" }
        let columns = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\"" && $0 != "\t" } }
        guard columns.count <= CSVReader.maximumColumnCount else {
            throw .malformed(path: path, line: line, problem: "more than \(CSVReader.maximumColumnCount) columns")
        }
        slots = columns.map { names.firstIndex(of: $0) ?? -1 }
        for (index, slot) in slots.enumerated() where slot >= 0 && slots[..<index].contains(slot) {
            throw .malformed(path: path, line: line, problem: "the column \(names[slot]) is there twice")
        }
    }

    /// Parses a line; returns whether it was a whole row.
    private func parse(_ range: Range<Int>) throws(RecordingError) -> Bool {
        for index in known.indices { known[index] = false }
        var column = 0
        var cellStart = range.lowerBound
        for index in range.lowerBound...range.upperBound
        where index == range.upperBound || buffer[index] == UInt8(ascii: ",") {
            guard column < slots.count else {
                throw .malformed(
                    path: path, line: line, problem: "more cells than the \(slots.count) columns of the header")
            }
            if slots[column] >= 0 { try readCell(cellStart..<index, slots[column], lineStart: range.lowerBound) }
            column += 1
            cellStart = index + 1
        }
        // In a plain file, a last line without a line break is a whole row. Truncated compressed data may end within a
        // number.
        if column == slots.count, lineIsTerminated || !endsInsideRow { return true }
        if !lineIsTerminated {
            endsInsideRow = true
            return false
        }
        throw .malformed(
            path: path, line: line, problem: "\(column) cells where the header names \(slots.count) columns")
    }

    private func readCell(_ range: Range<Int>, _ slot: Int, lineStart: Int) throws(RecordingError) {
        var range = range
        while let first = range.first, buffer[first] == UInt8(ascii: " ") {
            range = (range.lowerBound + 1)..<range.upperBound
        }
        while let last = range.last, buffer[last] == UInt8(ascii: " ") {
            range = range.lowerBound..<(range.upperBound - 1)
        }
        if range.isEmpty { return }
        if slot >= textStart {
            texts[slot - textStart] = String(decoding: buffer[range], as: UTF8.self)
            known[slot] = true
            return
        }
        let isTime = slot < timeCount
        let (nanoseconds, value): (Int64?, Double?) = buffer.withUnsafeBytes { bytes in
            let cell = UnsafeRawBufferPointer(rebasing: bytes[range])
            if isTime, let nanoseconds = NumberParser.nanoseconds(cell) { return (nanoseconds, nil) }
            return (nil, NumberParser.double(cell))
        }
        if let nanoseconds {
            times[slot] = nanoseconds
            known[slot] = true
        } else if let value, value.isFinite || keepsNotFinite, !isTime {
            numbers[slot] = value
            known[slot] = true
            if !value.isFinite { notFinite += 1 }
        } else if let value, !value.isFinite {
            notFinite += 1
        } else {
            let text = String(decoding: buffer[range].prefix(40), as: UTF8.self)
            throw .malformed(
                path: path, line: line, column: range.lowerBound - lineStart + 1,
                problem: "\(names[slot]) is '\(text.printable)', which is not a number in range")
        }
    }
}

extension String {
    /// Text with every control character shown as a dot, for messages.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "." : $0 }))
    }
}
