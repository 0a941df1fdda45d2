import CJSON

/// Reads consecutive JSON values, from bytes or from a source of any length, in bounded memory.
///
/// A node belongs to its reader and is valid until the reader reads its next value.
public final class JSONReader {
    /// Fills the given buffer with the next bytes of the source and returns their number; 0 at the end of the source.
    public typealias Refill = (UnsafeMutableRawBufferPointer) throws -> Int

    private let handle: OpaquePointer
    private let refill: Refill?
    /// Reason why the source could not be read to its end.
    private var refillFailure: (any Error)?
    /// Nodes of the last tree, in the order of the text.
    private(set) var values = UnsafeBufferPointer<cjson_value>(start: nil, count: 0)
    private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Position of the current value in a sequence of values, for messages.
    package var place = Place.whole

    package enum Place {
        case whole
        /// Element of the array "features".
        case feature(Int)
        /// Text in a sequence of texts, numbered from 1.
        case text(Int)
    }

    /// First part of the path of each node.
    package var root: String {
        switch place {
        case .whole: "$"
        case .feature(let number): "$.features[\(number)]"
        case .text(let number): "text \(number): $"
        }
    }

    private init(limits: JSONLimits, refill: Refill?) {
        let bounds = cjson_limits(
            depth: UInt32(clamping: limits.depth), values: UInt32(clamping: limits.values),
            text: UInt32(clamping: limits.text))
        guard let handle = cjson_new(bounds) else { preconditionFailure("out of memory for a reader") }
        self.handle = handle
        self.refill = refill
    }

    /// Reads from a source, piece by piece.
    public convenience init(limits: JSONLimits = JSONLimits(), source: @escaping Refill) {
        self.init(limits: limits, refill: source)
        let pulled = cjson_pull(
            handle,
            { context, room, capacity in
                guard let context, let room else { return 0 }
                let reader = Unmanaged<JSONReader>.fromOpaque(context).takeUnretainedValue()
                return reader.fill(UnsafeMutableRawBufferPointer(start: room, count: capacity))
            }, Unmanaged.passUnretained(self).toOpaque())
        precondition(pulled, "out of memory for a reader")
    }

    deinit { cjson_free(handle) }

    /// Reads the only value of a document in memory.
    ///
    /// - Throws: a problem for invalid JSON, exceeded limits or more than one value.
    public static func read(
        _ bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(DocumentProblem) -> JSONNode {
        try JSONReader(limits: limits).read(bytes)
    }

    /// Makes a reader for consecutive documents in memory. It reuses its own memory.
    public convenience init(limits: JSONLimits = JSONLimits()) { self.init(limits: limits, refill: nil) }

    /// Reads the only value of a document in memory, which invalidates the nodes of the previous document.
    ///
    /// - Throws: a problem for invalid JSON, exceeded limits or more than one value.
    public func read(_ bytes: ArraySlice<UInt8>) throws(DocumentProblem) -> JSONNode {
        var problem: DocumentProblem?
        bytes.withUnsafeBytes { bytes in
            cjson_use(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            do throws(DocumentProblem) {
                try skipByteOrderMark()
                _ = try next()
                if cjson_peek(handle) >= 0 { problem = self.problem("more after the end of the document") }
            } catch {
                problem = error
            }
            // The bytes are valid only in this closure.
            cjson_use(handle, nil, 0)
        }
        if let problem { throw problem }
        return JSONNode(reader: self, index: 0)
    }

    /// Reads a text that consists of a single JSON value; throws the first problem with its path.
    public static func read(
        _ bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) throws(DocumentProblem) -> JSONNode {
        try read(bytes[...], limits: limits)
    }

    /// Reads the next value of the source, which invalidates the nodes of the previous value.
    ///
    /// - Parameter stop: name of a member of the outermost object. If the object has this member, reading ends after
    ///   its name: the node then has only the members before it, and `didStop` is true.
    public func next(stoppingAt stop: StaticString? = nil) throws(DocumentProblem) -> JSONNode {
        let problem = cjson_read(
            handle, stop.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) })
        var count = 0
        let start = cjson_values(handle, &count)
        values = UnsafeBufferPointer(start: start, count: count)
        text = UnsafeRawBufferPointer(start: cjson_text(handle), count: cjson_text_count(handle))
        try checkSource()
        guard problem == CJSON_FINE else {
            canGoOn =
                problem != CJSON_SYNTAX && problem != CJSON_NUMBER_TOO_LARGE && problem != CJSON_TOO_DEEP
                && problem != CJSON_NO_MEMORY
            let path = values.isEmpty ? root : JSONNode(reader: self, index: values.count - 1).path
            var found = DocumentProblem(
                path: path,
                message: "\(String(cString: cjson_message(handle))), at byte \(cjson_problem_offset(handle))")
            if problem == CJSON_NUMBER_TOO_LARGE { found.tooLargeNumber = Int(clamping: cjson_problem_offset(handle)) }
            throw found
        }
        return JSONNode(reader: self, index: 0)
    }

    /// Whether the last refused value was read to its end, so that reading can continue after it.
    package var canGoOn = true

    package var didStop: Bool { cjson_stopped(handle) }

    /// Position from the start of the source. Unit: bytes.
    public var offset: UInt64 { cjson_offset(handle) }

    // MARK: - Between values

    /// Returns the next byte that is not white space, without consuming it; nil at the end or at a delimiter.
    package func peek() throws(DocumentProblem) -> UInt8? {
        let byte = cjson_peek(handle)
        try checkSource()
        return byte < 0 ? nil : UInt8(truncatingIfNeeded: byte)
    }

    package func take() { cjson_take(handle) }

    package func expect(_ byte: UInt8) throws(DocumentProblem) {
        guard try peek() == byte else {
            throw problem("'\(Character(Unicode.Scalar(byte)))' is missing")
        }
        take()
    }

    /// Treats this byte as the end of the source until the next call; nil removes the delimiter.
    package func delimit(by byte: UInt8?) { cjson_delimit(handle, byte.map(Int32.init) ?? -1) }

    /// Skips past the next byte with this value; false if the source has none.
    package func skip(past byte: UInt8) throws(DocumentProblem) -> Bool {
        let found = cjson_skip_past(handle, Int32(byte))
        try checkSource()
        return found
    }

    package func skipByteOrderMark() throws(DocumentProblem) {
        guard try peek() == 0xEF else { return }
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try peek() == byte else { throw problem("no JSON") }
            take()
        }
    }

    /// Calls `body` with the part of the source that is in memory but has not been read yet.
    package func withBytesAhead<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafePointer<CChar>?
        let count = cjson_ahead(handle, &start)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Makes a problem at the current position.
    package func problem(_ message: String) -> DocumentProblem {
        DocumentProblem(path: root, message: "\(message), at byte \(offset)")
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let refill, refillFailure == nil else { return 0 }
        do {
            return try refill(room)
        } catch {
            refillFailure = error
            return 0
        }
    }

    private func checkSource() throws(DocumentProblem) {
        guard let refillFailure else { return }
        canGoOn = false
        throw DocumentProblem(path: "", message: "the document could not be read to its end: \(refillFailure)")
    }
}

/// Limits of one JSON value. A value that exceeds a limit is refused with the limit's name.
public struct JSONLimits: Hashable, Sendable {
    /// Maximum nesting of arrays and objects, at most 64.
    public var depth: Int
    /// Maximum number of nodes: numbers, strings, literals, names, arrays and objects. A node takes 16 bytes.
    public var values: Int
    /// Maximum size of all strings and names together. Unit: bytes.
    public var text: Int

    /// Makes limits; the defaults suit a document of any kind. Unit of `text`: bytes.
    public init(depth: Int = 64, values: Int = 1_000_000, text: Int = 32 << 20) {
        self.depth = depth
        self.values = values
        self.text = text
    }
}

/// Problem of a document from outside: the path of the value, and the reason.
public struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// JSON path such as `$.routes[0].geometry`, or in GPX a position such as `line 3, column 7`; empty for the
    /// document as a whole.
    public var path: String
    /// Reason for the problem, and the expected form.
    public var message: String
    /// Position of a number that is too large, if that is the problem. Unit: bytes.
    package var tooLargeNumber: Int?

    /// Makes a problem of the value at `path`. An empty path means the document as a whole.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// Message, after the path if there is one.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
