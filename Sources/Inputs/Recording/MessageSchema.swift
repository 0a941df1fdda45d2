/// Schema of a message type that other programs know by its name. `MessageWriter` encodes messages by their schema. The
/// descriptors, the JSON Schema and the ROS definition, which readers use, are also generated from it.
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

        /// Schema of nested messages.
        var schema: MessageSchema? {
            guard case .message(let schema) = kind else { return nil }
            return schema
        }
    }

    indirect enum Kind: Sendable {
        case number, text, flag
        case integer(IntegerType)
        /// Index of one of these words.
        case choice(String, of: [String])
        case message(MessageSchema)
    }

    /// Integer types by their ROS names; in protobuf `fixed32` has four bytes, and the others are varints.
    enum IntegerType: String {
        case int8, uint8, uint16, int32, uint32, int64, fixed32
    }

    enum Count: Hashable, Sendable {
        case one
        /// The field is omitted while its value is unknown.
        case optional
        case list
        case exactly(Int)
    }

    init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
    }

    /// Schemas of the fields, without duplicates.
    var parts: [MessageSchema] { Self.unique(fields.compactMap(\.schema)) }

    /// All schemas that this schema refers to, without duplicates, each after its own dependencies.
    var allParts: [MessageSchema] { Self.unique(parts.flatMap { $0.allParts + [$0] }) }

    private static func unique(_ schemas: [MessageSchema]) -> [MessageSchema] {
        var names: Set<String> = []
        return schemas.filter { names.insert($0.name).inserted }
    }

    /// Field of this name; a missing field is a programmer error.
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

    /// Whether the schema is a time or a duration, which JSON represents in its own way.
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
