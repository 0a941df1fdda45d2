import Foundation
import Varlink

/// What an interface says of the parameters of its calls, replies and errors, with their types.
struct InterfaceTypes {
    indirect enum Kind {
        case boolean, integer, number, string, object
        case named(String)
        case words([String])
        case fields([(name: String, kind: Kind)])
        case list(Kind)
        case dictionary(Kind)
        case optional(Kind)
    }

    struct SyntaxError: Error { let problem: String }

    let description: InterfaceDescription
    private(set) var parameters: [String: Kind] = [:]
    private(set) var replies: [String: Kind] = [:]
    private(set) var errors: [String: Kind] = [:]
    private var types: [String: Kind] = [:]
    /// Enumerations to which later versions may add words.
    private var open: Set<String> = []

    /// Reads one of the daemon's own interfaces, by the last word of its name.
    init(ofDaemon name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/WaymarkInterface/org.waymark.\(name).varlink")
        try self.init(text: String(contentsOf: file, encoding: .utf8))
    }

    init(text: String) throws {
        // It sees to the grammar of all but the types.
        description = try InterfaceDescription(text: text)
        let words = text.matches(of: /#.*|->|[A-Za-z0-9_.]+|[^\s]/).map { String($0.0) }.filter { !$0.hasPrefix("#") }
        var rest = words.dropFirst(2)
        open = Set(text.matches(of: /#: open\ntype (\w+)/).map { String($0.1) })
        while let keyword = rest.popFirst(), let name = rest.popFirst() {
            let kind = try Self.kind(&rest)
            switch keyword {
            case "type": types[name] = kind
            case "error": errors[name] = kind
            default:
                parameters[name] = kind
                guard rest.popFirst() == "->" else { throw SyntaxError(problem: "\(name) replies nothing") }
                replies[name] = try Self.kind(&rest)
            }
        }
        guard Set(replies.keys) == Set(description.methods.keys), Set(errors.keys) == description.errors else {
            throw SyntaxError(problem: "not the methods and errors of the interface")
        }
    }

    private static func kind(_ words: inout ArraySlice<String>) throws -> Kind {
        switch words.popFirst() {
        case "?": return .optional(try kind(&words))
        case "[":
            if words.first == "]" {
                words.removeFirst()
                return .list(try kind(&words))
            }
            guard words.popFirst() == "string", words.popFirst() == "]" else {
                throw SyntaxError(problem: "neither a list nor a dictionary")
            }
            return .dictionary(try kind(&words))
        case "(": return try parenthesis(&words)
        case "bool": return .boolean
        case "int": return .integer
        case "float": return .number
        case "string": return .string
        case "object": return .object
        case let name?: return .named(name)
        case nil: throw SyntaxError(problem: "a type is missing")
        }
    }

    /// What follows an opening parenthesis: fields with types, or words alone.
    private static func parenthesis(_ rest: inout ArraySlice<String>) throws -> Kind {
        var (fields, words): ([(name: String, kind: Kind)], [String]) = ([], [])
        while let name = rest.popFirst(), name != ")" {
            if rest.first == ":" {
                rest.removeFirst()
                fields.append((name, try kind(&rest)))
            } else {
                words.append(name)
            }
            if rest.first == "," { rest.removeFirst() }
        }
        guard fields.isEmpty || words.isEmpty else { throw SyntaxError(problem: "fields among words: \(words)") }
        return words.isEmpty ? .fields(fields) : .words(words)
    }

    // MARK: judging

    /// What is wrong with a value that should be of a type, each with its path.
    func problems(_ value: JSON, _ kind: Kind, at path: String) -> [String] {
        switch (kind, value) {
        case (.boolean, .boolean), (.integer, .integer), (.number, .integer), (.number, .number), (.string, .string),
            (.object, .object), (.object, .list):
            return []
        case (.optional(let kind), _): return problems(value, kind, at: path)
        case (.named(let name), .string) where open.contains(name): return []
        case (.named(let name), _):
            guard let kind = types[name] else { return ["\(path): no type \(name)"] }
            return problems(value, kind, at: path)
        case (.words(let words), .string(let word)):
            return words.contains(word) ? [] : ["\(path): \(word) is none of \(words)"]
        case (.list(let kind), .list(let values)):
            return values.enumerated().flatMap { problems($1, kind, at: "\(path)[\($0)]") }
        case (.dictionary(let kind), .object(let values)):
            return values.flatMap { problems($1, kind, at: "\(path).\($0)") }
        case (.fields(let fields), .object(let values)):
            let unknown = Set(values.keys).subtracting(fields.map(\.name)).sorted()
            return unknown.map { "\(path).\($0): no such field" }
                + fields.flatMap { name, kind -> [String] in
                    if let value = values[name] { return problems(value, kind, at: "\(path).\(name)") }
                    if case .optional = kind { return [] }
                    return ["\(path).\(name): missing"]
                }
        default: return ["\(path): \(value) is not of the type \(kind)"]
        }
    }
}

/// Any JSON value but null, which the daemon never sends: what is not known is left out.
enum JSON: Decodable, Equatable {
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}
