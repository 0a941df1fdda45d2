import CExpat
import JSON

/// Receiver of the elements of an XML document; names are passed without their namespace.
protocol XMLHandler: AnyObject {
    func begin(_ name: String, attributes: [String: String], at place: XMLPlace) throws(DocumentProblem)
    /// - Parameter text: text of the element itself, without that of the elements inside it.
    func end(_ name: String, text: String, at place: XMLPlace) throws(DocumentProblem)
}

/// Line and column in a document, both counted from 1.
struct XMLPlace: Hashable {
    let line: UInt
    let column: UInt

    func problem(_ message: String) -> DocumentProblem {
        DocumentProblem(path: text, message: message)
    }

    var text: String { "line \(line), column \(column)" }
}

/// Reader of XML that uses expat. It reads element by element and keeps none of them.
///
/// Document type declarations are refused, and so are all entities except the five that XML defines.
final class XMLReader {
    static let maximumDepth = 64
    /// Maximum size of one element's text; longer text is truncated. Unit: bytes.
    static let maximumTextLength = 4096
    /// Maximum length of a tag or comment. It is limited because expat keeps a token until its end arrives, and parses
    /// it again with each piece. Unit: bytes.
    static let maximumTokenLength = 1 << 20

    private let state: XMLState

    init(handler: any XMLHandler) {
        // Expat passes each name as namespace, separator and name.
        guard let parser = XML_ParserCreateNS(nil, XMLState.separator) else {
            preconditionFailure("out of memory for a parser")
        }
        state = XMLState(parser: parser, handler: handler)
        XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in XMLState.of(context).begin(name, attributes) },
            { context, name in XMLState.of(context).end(name) })
        XML_SetCharacterDataHandler(parser) { context, text, count in XMLState.of(context).add(text, count) }
        // Handles comments and everything else that has no handler of its own.
        XML_SetDefaultHandler(parser) { context, _, _ in XMLState.of(context).pendingBytes = 0 }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            XMLState.of(context).refuse("document type declarations are not taken")
        }
    }

    deinit { XML_ParserFree(state.parser) }

    /// Reads a text in one piece, because expat parses a token again if its end has not arrived yet.
    static func read(_ text: ArraySlice<UInt8>, handler: some XMLHandler) throws(DocumentProblem) {
        try XMLReader(handler: handler).feed(text, isLast: true)
    }

    /// Reads the next piece and calls the handler for everything that is complete.
    func feed(_ text: ArraySlice<UInt8>, isLast: Bool) throws(DocumentProblem) {
        state.pendingBytes += text.count
        let status = text.withUnsafeBytes { bytes in
            XML_Parse(
                state.parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
                isLast ? 1 : 0)
        }
        if let problem = state.problem { throw problem }
        guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(state.parser)).map { String(cString: $0) }
            throw state.place.problem("no XML: \(words ?? "unknown error")")
        }
        guard isLast || state.pendingBytes <= Self.maximumTokenLength else {
            throw state.place.problem("a tag or comment longer than \(Self.maximumTokenLength >> 20) MiB")
        }
    }
}

/// State shared by expat's handlers.
private final class XMLState {
    static let separator = XML_Char(0x0C)

    let parser: XML_Parser
    private let handler: any XMLHandler
    private(set) var problem: DocumentProblem?
    /// Number of bytes fed after the piece that contained the last event.
    var pendingBytes = 0
    /// Texts of the elements that are open.
    private var texts: [[UInt8]] = []

    init(parser: XML_Parser, handler: any XMLHandler) {
        self.parser = parser
        self.handler = handler
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> XMLState {
        Unmanaged<XMLState>.fromOpaque(context!).takeUnretainedValue()
    }

    var place: XMLPlace {
        XMLPlace(line: cexpat_line(parser), column: cexpat_column(parser) + 1)
    }

    func begin(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        pendingBytes = 0
        guard problem == nil, let name else { return }
        guard texts.count < XMLReader.maximumDepth else {
            return refuse("elements nested more than \(XMLReader.maximumDepth) deep")
        }
        texts.append([])
        var named: [String: String] = [:]
        var next = attributes
        while let key = next?[0], let value = next?[1] {
            named[Self.local(key)] = String(cString: value)
            next = next?.advanced(by: 2)
        }
        run { () throws(DocumentProblem) in
            try handler.begin(Self.local(name), attributes: named, at: place)
        }
    }

    func end(_ name: UnsafePointer<XML_Char>?) {
        pendingBytes = 0
        guard problem == nil, let name, let text = texts.popLast() else { return }
        run { () throws(DocumentProblem) in
            try handler.end(Self.local(name), text: String(decoding: text, as: UTF8.self), at: place)
        }
    }

    func add(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        pendingBytes = 0
        guard problem == nil, let text, let last = texts.indices.last else { return }
        let taken = min(Int(count), XMLReader.maximumTextLength - texts[last].count)
        guard taken > 0 else { return }
        texts[last].append(contentsOf: UnsafeRawBufferPointer(start: text, count: taken))
    }

    func refuse(_ message: String) {
        guard problem == nil else { return }
        problem = place.problem(message)
        XML_StopParser(parser, 0)
    }

    private func run(_ work: () throws(DocumentProblem) -> Void) {
        do throws(DocumentProblem) {
            try work()
        } catch {
            problem = error
            XML_StopParser(parser, 0)
        }
    }

    /// Name without its namespace.
    private static func local(_ name: UnsafePointer<XML_Char>) -> String {
        let text = String(cString: name)
        return text.lastIndex(of: "\u{C}").map { String(text[text.index(after: $0)...]) } ?? text
    }
}
