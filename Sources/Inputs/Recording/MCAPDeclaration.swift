/// Channel of an MCAP file and the schema of its messages; both have the same number.
struct MCAPDeclaration: Sendable {
    /// Number of the channel and its schema; never 0, which means that there is no schema.
    var id: UInt16
    var topic: String
    var encoding: String
    var schemaName: String
    var schemaEncoding: String
    var schema: [UInt8]
    /// Values for readers that use the profile.
    var metadata: [(name: String, value: String)] = []

    func appendSchema(to output: inout MCAPBuffer) {
        output.record(.schema) { record in
            record.append(id)
            record.append(text: schemaName)
            record.append(text: schemaEncoding)
            record.append(UInt32(schema.count))
            record.append(raw: schema)
        }
    }

    func appendChannel(to output: inout MCAPBuffer) {
        output.record(.channel) { record in
            record.append(id)
            record.append(id)
            record.append(text: topic)
            record.append(text: encoding)
            record.map(metadata)
        }
    }
}

extension Topic {
    /// Offset of the channel numbers for protobuf. With it, the number also determines the encoding, so that a file
    /// whose beginning is damaged can be read by the numbers alone.
    private static let protobufChannels: UInt16 = 256

    /// Number of the channel and of its schema.
    ///
    /// - Parameter encoding: encoding of the messages with a third-party schema.
    func channel(_ encoding: MessageEncoding = .json) -> UInt16 {
        UInt16(rawValue + 1) + (encoding == .protobuf && form != nil ? Self.protobufChannels : 0)
    }

    /// Declares a channel for each topic.
    static func declarations(_ topics: [Topic], _ encoding: MessageEncoding = .json) -> [MCAPDeclaration] {
        topics.map { $0.declaration(encoding) }
    }

    private func declaration(_ encoding: MessageEncoding) -> MCAPDeclaration {
        guard encoding == .protobuf, let form else {
            return MCAPDeclaration(
                id: channel(), topic: name, encoding: "json", schemaName: schemaName, schemaEncoding: "jsonschema",
                schema: Array(schema.utf8))
        }
        return MCAPDeclaration(
            id: channel(encoding), topic: name, encoding: "protobuf", schemaName: form.name,
            schemaEncoding: "protobuf", schema: form.descriptorSet)
    }
}
