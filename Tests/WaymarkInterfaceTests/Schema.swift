import JSON
import Geometry

/// What an interface file declares, for making values of its types.
struct Schema {
    indirect enum Kind {
        case boolean, integer, number, string, utc
        case numbers
        case named(String)
        case list(Kind)
        case dictionary(Kind)
        case optional(Kind)
    }

    struct SyntaxError: Error { let problem: String }

    private(set) var types: [String: [(name: String, kind: Kind)]] = [:]
    private(set) var words: [String: [String]] = [:]
    private(set) var open: Set<String> = []
    private(set) var methods: [String: [(name: String, kind: Kind)]] = [:]
    private(set) var replies: [String: [(name: String, kind: Kind)]] = [:]

    init(text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, next) in zip(lines, lines.dropFirst()) where line == "#: open" {
            open.insert(String(next.split(separator: " ")[1]))
        }
        let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: "\n")
        var tokens = code.matches(of: /->|\[\]|\[string\]|[A-Za-z0-9_.]+|[^\s]/).map { String($0.0) }.dropFirst(2)
        while let keyword = tokens.popFirst(), let name = tokens.popFirst() {
            let (fields, list) = try Self.parenthesis(&tokens)
            switch keyword {
            case "type" where list.isEmpty: types[name] = fields
            case "type": words[name] = list
            case "method":
                guard tokens.popFirst() == "->" else { throw SyntaxError(problem: name) }
                methods[name] = fields
                replies[name] = try Self.parenthesis(&tokens).0
            default: break
            }
        }
    }

    private static func parenthesis(
        _ rest: inout ArraySlice<String>
    ) throws -> ([(name: String, kind: Kind)], [String]) {
        guard rest.popFirst() == "(" else { throw SyntaxError(problem: "a parenthesis is missing") }
        var (fields, words): ([(name: String, kind: Kind)], [String]) = ([], [])
        while let name = rest.popFirst(), name != ")" {
            if rest.first == ":" {
                rest.removeFirst()
                let kind = try kind(&rest)
                if case .optional(.string) = kind, name == "utc" {
                    fields.append((name, .optional(.utc)))
                } else if case .string = kind, name == "imported" {
                    fields.append((name, .utc))
                } else {
                    fields.append((name, kind))
                }
            } else {
                words.append(name)
            }
            if rest.first == "," { rest.removeFirst() }
        }
        return (fields, words)
    }

    private static func kind(_ rest: inout ArraySlice<String>) throws -> Kind {
        switch rest.popFirst() {
        case "?": .optional(try kind(&rest))
        case "[]": .list(try kind(&rest))
        case "[string]": .dictionary(try kind(&rest))
        case "bool": .boolean
        case "int": .integer
        case "float": .number
        case "string": .string
        case "object": .numbers
        case let name?: .named(name)
        case nil: throw SyntaxError(problem: "a type is missing")
        }
    }

    // MARK: values

    /// An object with these fields, written as the interface's types are written.
    ///
    /// - Parameter optionals: the share of the optional fields that are there.
    func write(
        _ fields: [(name: String, kind: Kind)], optionals: Double, _ random: inout RandomSource,
        _ json: inout JSONWriter
    ) {
        json.beginObject()
        for (name, kind) in fields {
            if case .optional(let kind) = kind {
                guard random.uniform() < optionals else { continue }
                json.key(text: name)
                write(kind, optionals: optionals, &random, &json)
            } else {
                json.key(text: name)
                write(kind, optionals: optionals, &random, &json)
            }
        }
        json.endObject()
    }

    private static let texts = ["", "a", "Mühle \"3\"\n", "\u{7f}\u{0}\\", "日本"]

    private func write(_ kind: Kind, optionals: Double, _ random: inout RandomSource, _ json: inout JSONWriter) {
        func text() -> String { Self.texts[Int(random.next() % UInt64(Self.texts.count))] }
        switch kind {
        case .boolean: json.value(random.uniform() < 0.5)
        case .integer: json.value(Int64(truncatingIfNeeded: random.next()) >> 11)
        case .number: json.value(1000 * random.normal(), .exact)
        case .string: json.value(text())
        case .utc:
            // Whole microseconds, which is how finely it is written.
            json.value(rfc3339: Int64(truncatingIfNeeded: random.next()) / 1000 * 1000)
        case .numbers:
            json.beginArray()
            for _ in 0..<3 { json.value(random.normal(), .exact) }
            json.endArray()
        case .list(.named(let name)) where words[name] != nil:
            // A set, in the order of the declaration, with words of later versions behind it.
            json.beginArray()
            for word in words[name] ?? [] where random.uniform() < 0.4 { json.value(word) }
            if open.contains(name), random.uniform() < 0.5 { json.value("wordOfALaterVersion") }
            json.endArray()
        case .list(let kind):
            json.beginArray()
            for _ in 0..<(random.next() % 3) { write(kind, optionals: optionals, &random, &json) }
            json.endArray()
        case .dictionary(let kind):
            json.beginObject()
            for key in Self.texts.sorted() where random.uniform() < 0.5 {
                json.key(text: key)
                write(kind, optionals: optionals, &random, &json)
            }
            json.endObject()
        case .named(let name):
            guard let words = words[name] else {
                return write(types[name] ?? [], optionals: optionals, &random, &json)
            }
            let isLater = open.contains(name) && random.uniform() < 0.3
            json.value(isLater ? "wordOfALaterVersion" : words[Int(random.next() % UInt64(words.count))])
        case .optional(let kind): write(kind, optionals: optionals, &random, &json)
        }
    }
}
