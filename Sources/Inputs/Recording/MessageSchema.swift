/// Type of messages that other programs know by its name. `MessageWriter` writes the bytes by it; the descriptors, the
/// JSON Schema and the ROS definition, by which others read them, are made from it too.
package struct MessageSchema: Sendable {
    /// Full name, with its package.
    package let name: String
    let fields: [Field]

    struct Field: Sendable {
        let name: StaticString
        let number: Int
        let kind: Kind
        let count: Count

        init(_ number: Int, _ name: StaticString, _ kind: Kind, _ count: Count = .one) {
            (self.number, self.name, self.kind, self.count) = (number, name, kind, count)
        }

        /// Schema of the messages in it.
        var schema: MessageSchema? {
            guard case .message(let schema) = kind else { return nil }
            return schema
        }
    }

    indirect enum Kind: Sendable {
        case number, text, flag
        case integer(IntegerType)
        /// One of these words, by its place among them.
        case choice(String, of: [String])
        case message(MessageSchema)
    }

    /// Types of whole numbers by their names in ROS; in protobuf `fixed32` has four bytes, and others are as short as
    /// the number permits.
    enum IntegerType: String {
        case int8, uint8, uint16, int32, uint32, int64, fixed32
    }

    enum Count: Hashable, Sendable {
        case one
        /// Absent while unknown.
        case optional
        case list
        case exactly(Int)
    }

    init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
    }

    /// Schemas of the fields, each once.
    var parts: [MessageSchema] { Self.unique(fields.compactMap(\.schema)) }

    /// All schemas that it refers to, each once and after those that it refers to itself.
    var allParts: [MessageSchema] { Self.unique(parts.flatMap { $0.allParts + [$0] }) }

    private static func unique(_ schemas: [MessageSchema]) -> [MessageSchema] {
        var names: Set<String> = []
        return schemas.filter { names.insert($0.name).inserted }
    }

    /// Field of this name; a schema without it is an error of the program.
    func field(_ name: StaticString) -> Field {
        guard let field = fields.first(where: { $0.name.equals(name) }) else {
            preconditionFailure("\(self.name) has no field \(name)")
        }
        return field
    }
}

extension StaticString {
    fileprivate func equals(_ other: StaticString) -> Bool {
        withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } }
    }
}

// MARK: - JSON Schema

extension MessageSchema {
    /// JSON Schema of the messages; times are objects of seconds and nanoseconds.
    package var jsonSchema: String { jsonSchema(description: name) }

    private func jsonSchema(description: String?) -> String {
        guard !isTime else { return Topic.object(required: "sec nsec", Topic.integer("sec nsec")) }
        let required = fields.filter { $0.count != .optional }.map { "\($0.name)" }
        return Topic.object(
            description, required: required.joined(separator: " "),
            fields.map { Topic.each("\($0.name)", Self.jsonSchema($0)) }.joined(separator: ","))
    }

    /// Whether JSON has a form of its own for it.
    private var isTime: Bool { name.hasPrefix("google.protobuf.") }

    private static func jsonSchema(_ field: Field) -> String {
        let value =
            switch field.kind {
            case .number: "{\"type\":\"number\"}"
            case .text: "{\"type\":\"string\"}"
            case .flag: "{\"type\":\"boolean\"}"
            case .integer, .choice: "{\"type\":\"integer\"}"
            case .message(let schema): schema.jsonSchema(description: nil)
            }
        return switch field.count {
        case .one, .optional: value
        case .list: "{\"type\":\"array\",\"items\":\(value)}"
        case .exactly(let count): "{\"type\":\"array\",\"items\":\(value),\"minItems\":\(count),\"maxItems\":\(count)}"
        }
    }
}
