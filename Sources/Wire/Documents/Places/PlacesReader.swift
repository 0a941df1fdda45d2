import JSON
import Scene

/// Reader of places from GeoJSON, GPX waypoints or a table (CSV). It reads one place after the other in constant
/// memory, and recognises the kind of document by the first character.
///
/// `next` throws a problem for each place that it refuses. While `canGoOn` is true, the next call continues after that
/// place.
public struct PlacesReader {
    private let source: JSONReader.Refill
    private var reader: (any PlaceStream)?

    /// - Parameter source: fills the given buffer with the next bytes and returns their number; 0 at the end.
    public init(source: @escaping JSONReader.Refill) { self.source = source }

    /// Whether reading can continue after the last problem that was thrown.
    public var canGoOn: Bool { reader?.canGoOn ?? false }

    /// Number of bytes that have been read.
    public var offset: UInt64 { reader?.offset ?? 0 }

    /// Reads the next place; nil at the end.
    ///
    /// - Throws: a problem, with its position, if a part is not a place or the document is of another kind.
    public mutating func next() throws(DocumentProblem) -> Place? {
        if reader == nil { reader = try open() }
        return try reader?.next()
    }

    /// Number of bytes that are read to recognise the kind of document.
    private static let beginning = 4096

    private func open() throws(DocumentProblem) -> any PlaceStream {
        var start = [UInt8](repeating: 0, count: Self.beginning)
        var count = 0
        while count < start.count, Self.firstLetter(start[..<count]) == nil {
            let read = try Self.read(source, &start, from: count)
            guard read > 0 else { break }
            count += read
        }
        let source = Self.source(start[..<count], before: self.source)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw DocumentProblem("the text is in UTF-16; save it as UTF-8")
        }
        switch Self.firstLetter(start[..<count]) {
        case UInt8(ascii: "<"): return GPXPlaceReader(source: source)
        // Record separators precede the texts of a GeoJSON sequence; an array is JSON too, and the GeoJSON reader
        // refuses it.
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: return PlaceDocumentReader(source: source)
        default: return CSVPlaceReader(source: source)
        }
    }

    /// First byte after any byte order mark and white space; nil if it has not arrived yet.
    private static func firstLetter(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        // A byte order mark may arrive in pieces.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if mark.starts(with: bytes) { return nil }
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private static func source(_ start: ArraySlice<UInt8>, before source: @escaping JSONReader.Refill)
        -> JSONReader.Refill
    {
        var start = start
        return { room in
            guard !start.isEmpty else { return try source(room) }
            let part = start.prefix(room.count)
            room.copyBytes(from: part)
            start = start.dropFirst(part.count)
            return part.count
        }
    }

    /// Fills a buffer from an index to its end; returns 0 at the end of the source.
    static func read(
        _ source: JSONReader.Refill, _ buffer: inout [UInt8], from index: Int
    ) throws(DocumentProblem) -> Int {
        do {
            return try buffer.withUnsafeMutableBytes {
                try source(UnsafeMutableRawBufferPointer(rebasing: $0[index...]))
            }
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem("cannot be read: \(error)")
        }
    }
}

/// Reader of the places of one kind of document.
protocol PlaceStream {
    /// Whether reading can continue after the last problem that was thrown.
    var canGoOn: Bool { get }
    /// Number of bytes that have been read.
    var offset: UInt64 { get }
    /// Reads the next place; nil at the end.
    mutating func next() throws(DocumentProblem) -> Place?
}

extension PlaceDocumentReader: PlaceStream {}
