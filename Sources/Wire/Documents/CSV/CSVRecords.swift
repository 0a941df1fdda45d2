import JSON

/// Records of a table in the format of RFC 4180, with commas, semicolons or tabs between the cells.
///
/// Quoted cells may contain separators, line ends and doubled quotes.
struct CSVRecords {
    /// A record: its cells, and the line on which it begins.
    struct Record {
        var cells: [String]
        var line: Int
    }

    /// Separators that spreadsheets write.
    static let separators = [",", ";", "\t"].map { UInt8(ascii: $0) }
    /// Greatest length of a record. Unit: bytes.
    static let maximumSize = 1 << 20
    private static let piece = 64 * 1024
    private static let quote = UInt8(ascii: "\"")

    /// Separator between the cells of records that have not been read yet; nil while unknown.
    var separator: UInt8?
    /// Number of bytes that have been read.
    private(set) var offset: UInt64 = 0
    /// Whether the rest cannot be parsed, because a quote or a record does not end within the limits.
    private(set) var isBroken = false

    private let source: JSONReader.Refill
    private var buffer = [UInt8](repeating: 0, count: CSVRecords.piece)
    private var start = 0
    private var end = 0
    private var line = 1

    init(source: @escaping JSONReader.Refill) { self.source = source }

    /// Reads the text of the next record, without its line end, and the line on which it begins; nil at the end.
    mutating func nextText() throws(DocumentProblem) -> (bytes: [UInt8], line: Int)? {
        var bytes: [UInt8] = []
        let first = line
        var (isInQuotes, canBeginQuotes, hasEnded) = (false, true, false)
        while let byte = try take() {
            if isInQuotes {
                // A doubled quote ends the quoted part and begins it again.
                isInQuotes = byte != Self.quote
                hasEnded = !isInQuotes
            } else if byte == UInt8(ascii: "\n") {
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
                return (bytes, first)
            } else {
                isInQuotes = byte == Self.quote && (canBeginQuotes || hasEnded)
                canBeginQuotes = separator.map { $0 == byte } ?? Self.separators.contains(byte)
                hasEnded = false
            }
            bytes.append(byte)
            guard bytes.count <= Self.maximumSize else {
                throw broken(
                    first, "a row of more than \(Self.maximumSize >> 20) MiB" + (isInQuotes ? Self.quoteHint : ""))
            }
        }
        guard !isInQuotes else { throw broken(first, "the document ends inside of quotes" + Self.quoteHint) }
        return bytes.isEmpty ? nil : (bytes, first)
    }

    /// Reads the next record that is not empty; nil at the end.
    mutating func next() throws(DocumentProblem) -> Record? {
        while let (bytes, line) = try nextText() {
            let cells = try Self.cells(of: bytes, separator: separator ?? Self.separators[0], line: line)
            if cells.contains(where: { !$0.isEmpty }) { return Record(cells: cells, line: line) }
        }
        return nil
    }

    private static let quoteHint = ": a quotation mark is not closed"

    private mutating func broken(_ line: Int, _ message: String) -> DocumentProblem {
        isBroken = true
        return Self.problem(line, nil, message)
    }

    private mutating func take() throws(DocumentProblem) -> UInt8? {
        if start == end {
            start = 0
            end = 0
            do throws(DocumentProblem) {
                end = try PlacesReader.read(source, &buffer, from: 0)
            } catch {
                isBroken = true
                throw error
            }
            offset += UInt64(end)
            guard end > 0 else { return nil }
        }
        let byte = buffer[start]
        start += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    // MARK: - Cells

    /// Largest number of cells in a record.
    static let maximumCellCount = 256

    /// Cells of a record, without their quotes and without the white space around them.
    static func cells(of bytes: [UInt8], separator: UInt8, line: Int) throws(DocumentProblem) -> [String] {
        var cells: [String] = []
        var index = 0
        while true {
            guard cells.count < maximumCellCount else {
                throw problem(line, nil, "more than \(maximumCellCount) columns")
            }
            let cell =
                index < bytes.count && bytes[index] == quote
                ? try quotedCell(bytes, &index, separator, (line, cells.count + 1))
                : plainCell(bytes, &index, separator)
            guard let text = String(validating: cell, as: UTF8.self) else {
                throw problem(line, cells.count + 1, "the text is not in UTF-8; save the table in this encoding")
            }
            cells.append(trimmed(text))
            guard index < bytes.count else { return cells }
            // Continues after the separator.
            index += 1
        }
    }

    private static func plainCell(_ bytes: [UInt8], _ index: inout Int, _ separator: UInt8) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, bytes[index] != separator { index += 1 }
        return bytes[start..<index]
    }

    private static func quotedCell(
        _ bytes: [UInt8], _ index: inout Int, _ separator: UInt8, _ place: (line: Int, column: Int)
    ) throws(DocumentProblem) -> ArraySlice<UInt8> {
        var cell: [UInt8] = []
        index += 1
        while index < bytes.count {
            if bytes[index] == quote {
                index += 1
                guard index < bytes.count, bytes[index] == quote else { break }
            }
            cell.append(bytes[index])
            index += 1
        }
        guard index == bytes.count || bytes[index] == separator else {
            throw problem(place.line, place.column, "text after the closing quotation mark")
        }
        return cell[...]
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\u{A0}" }
        guard text.first.map(isSpace) == true || text.last.map(isSpace) == true else { return text }
        let start = text.drop(while: isSpace)
        return String(start.dropLast(start.reversed().prefix(while: isSpace).count))
    }

    /// Problem at a line, and at a column if it concerns a single cell; both are counted from 1.
    static func problem(_ line: Int, _ column: Int?, _ message: String) -> DocumentProblem {
        DocumentProblem(path: "line \(line)" + (column.map { ", column \($0)" } ?? ""), message: message)
    }
}
