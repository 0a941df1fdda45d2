/// A channel of an MCAP file, with the schema of its messages, which has the same number.
struct MCAPDeclaration: Sendable {
    /// Number of channel and schema; not 0, which stands for no schema.
    var id: UInt16
    var topic: String
    /// Encoding of the messages.
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
    /// Offset of the channel numbers for protobuf. With it a number also determines the encoding, which is needed to
    /// read a file with a damaged beginning by the numbers alone.
    private static let protobufChannels: UInt16 = 256

    /// Number of the channel and of its schema.
    ///
    /// - Parameter encoding: encoding of the messages that other programs know.
    func channel(_ encoding: MessageEncoding = .json) -> UInt16 {
        UInt16(rawValue + 1) + (encoding == .protobuf && form != nil ? Self.protobufChannels : 0)
    }

    /// Channels of a recording.
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
