import Geometry
import JSON
import Scene

/// Reader of places from GeoJSON of any length: a FeatureCollection, a single feature or a sequence of features. The
/// features of a sequence are concatenated, on one line each, or preceded by record separators.
///
/// Source: RFC 7946 and RFC 8142. `next` throws a problem for each feature that it refuses. While `canGoOn` is true,
/// the next call continues after that feature, so the caller decides whether one bad feature rejects the document.
public struct PlaceDocumentReader {
    /// Limits of one feature.
    public static let limits = JSONLimits(values: 400_000, text: 1 << 20)

    private let reader: JSONReader
    private var state = State.texts
    private var delimiter: UInt8?
    private var texts = 0
    /// Problem after which reading cannot continue.
    private var end: DocumentProblem?

    private enum State {
        case start
        /// State before a text, or at the end.
        case texts
        /// State inside the array of a FeatureCollection, before the feature with this number.
        case features(Int)
    }

    /// - Parameter source: fills the given buffer with the next bytes and returns their number; 0 at the end.
    public init(source: @escaping JSONReader.Refill) {
        reader = JSONReader(limits: Self.limits, source: source)
        state = .start
    }

    /// Whether reading can continue after the last problem that was thrown.
    public var canGoOn: Bool { end == nil }

    /// Position in the source, after the part that was read. Unit: bytes.
    public var offset: UInt64 { reader.offset }

    /// Reads the next place; nil at the end.
    ///
    /// - Throws: a problem if a feature is not a place, with the number of the feature in the path, or if the document
    ///   is incomplete.
    public mutating func next() throws(DocumentProblem) -> Place? {
        if let end { throw end }
        while true {
            switch state {
            case .start: try guarded { document throws(DocumentProblem) in try document.begin() }
            case .texts:
                guard try guarded({ document throws(DocumentProblem) in try document.beginText() }) else { return nil }
                if let place = try readText() { return place }
            case .features(let number):
                if let place = try readFeature(number) { return place }
            }
        }
    }

    // MARK: - Texts

    private static let recordSeparator: UInt8 = 0x1E
    private static let lineFeed = UInt8(ascii: "\n")

    private mutating func begin() throws(DocumentProblem) {
        try reader.skipByteOrderMark()
        state = .texts
    }

    /// Moves to the next text; false at the end.
    private mutating func beginText() throws(DocumentProblem) -> Bool {
        reader.place = .whole
        reader.delimit(by: nil)
        while try reader.peek() == Self.recordSeparator {
            reader.take()
            delimiter = Self.recordSeparator
        }
        guard let byte = try reader.peek() else { return false }
        if delimiter == nil, isLineOfLines() { delimiter = Self.lineFeed }
        reader.delimit(by: delimiter)
        texts += 1
        if delimiter != nil || texts > 1 { reader.place = .text(texts) }
        guard byte == UInt8(ascii: "{") else { throw reader.problem("an object of GeoJSON is needed") }
        return true
    }

    /// Whether the text ahead is one line and the next line begins another text. If so, reading can resume after a
    /// broken text.
    private func isLineOfLines() -> Bool {
        reader.withBytesAhead { bytes in
            guard let feed = bytes.firstIndex(of: Self.lineFeed) else { return false }
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
            guard bytes[..<feed].last(where: { !isSpace($0) }) == UInt8(ascii: "}") else { return false }
            // If the next line begins with one of these characters, the two lines are parts of one text.
            let next = bytes[(feed + 1)...].first { !isSpace($0) && $0 != Self.lineFeed }
            return next != UInt8(ascii: ",") && next != UInt8(ascii: "]") && next != UInt8(ascii: "}")
        }
    }

    /// Reads a text that is a single feature. If the text is a collection, enters it and returns nil.
    private mutating func readText() throws(DocumentProblem) -> Place? {
        // The reader owns the node, which has to be evaluated before the next node is read.
        var place: Place?
        var problem: DocumentProblem?
        try guarded { document throws(DocumentProblem) in
            let node = try document.reader.next(stoppingAt: "features")
            if document.reader.didStop { return try document.enterCollection(node) }
            do throws(DocumentProblem) { place = try PlaceFeature.read(node) } catch { problem = error }
            try document.endText()
        }
        if let problem { throw problem }
        return place
    }

    private mutating func enterCollection(_ head: JSONNode) throws(DocumentProblem) {
        if let type = head["type"], !type.equals("FeatureCollection") {
            throw type.problem("only a FeatureCollection has \"features\"")
        }
        try reader.expect(UInt8(ascii: ":"))
        guard try reader.peek() == UInt8(ascii: "[") else { throw reader.problem("\"features\" has to be an array") }
        reader.take()
        state = .features(0)
    }

    /// Throws unless only white space remains before the delimiter.
    private mutating func endText() throws(DocumentProblem) {
        state = .texts
        guard let delimiter else { return }
        guard try reader.peek() == nil else { throw reader.problem("more after the end of the text") }
        _ = try reader.skip(past: delimiter)
    }

    // MARK: - Features of a collection

    private mutating func readFeature(_ number: Int) throws(DocumentProblem) -> Place? {
        reader.place = .feature(number)
        var isAtEnd = false
        var place: Place?
        var problem: DocumentProblem?
        try guarded { document throws(DocumentProblem) in
            if try document.reader.peek() == UInt8(ascii: "]") {
                isAtEnd = true
                document.reader.take()
                document.reader.place = .whole
                return try document.leaveCollection()
            }
            if number > 0 { try document.reader.expect(UInt8(ascii: ",")) }
            document.state = .features(number + 1)
            let node = try document.reader.next()
            do throws(DocumentProblem) { place = try PlaceFeature.read(node) } catch { problem = error }
        }
        if let problem { throw problem }
        return isAtEnd ? nil : place
    }

    /// Skips the members after the array of features; they have to be valid.
    private mutating func leaveCollection() throws(DocumentProblem) {
        while try reader.peek() == UInt8(ascii: ",") {
            reader.take()
            try reader.next().require(.text)
            try reader.expect(UInt8(ascii: ":"))
            _ = try reader.next()
        }
        try reader.expect(UInt8(ascii: "}"))
        try endText()
    }

    /// Runs a part of the reading. If a problem makes the rest of a text unreadable, reading continues with the next
    /// text if its start can be found, and otherwise ends.
    private mutating func guarded<Result>(
        _ work: (inout PlaceDocumentReader) throws(DocumentProblem) -> Result
    ) throws(DocumentProblem) -> Result {
        reader.canGoOn = false
        do throws(DocumentProblem) {
            return try work(&self)
        } catch {
            if reader.canGoOn, case .features = state { throw error }
            state = .texts
            if reader.canGoOn, delimiter == nil { throw error }
            // If no delimiter follows, skipping reaches the end of the source, which is harmless.
            if let delimiter, (try? reader.skip(past: delimiter)) != nil { throw error }
            end = error
            throw error
        }
    }
}
