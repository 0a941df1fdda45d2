/// Descriptors of a schema for protobuf readers. Field numbers and types: descriptor.proto of protobuf.
extension MessageSchema {
    /// The message `google.protobuf.FileDescriptorSet` with this schema and all schemas that it refers to, each in its
    /// own file after its dependencies.
    package var descriptorSet: [UInt8] {
        var set = ProtobufBuffer()
        for schema in allParts + [self] { schema.appendFile(to: &set) }
        return set.bytes
    }

    private func appendFile(to set: inout ProtobufBuffer) {
        set.message(1) { file in
            file.text(1, fileName)
            file.text(2, package)
            for part in parts { file.text(3, part.fileName) }
            file.message(4, appendDescriptor)
            file.text(12, "proto3")
        }
    }

    private func appendDescriptor(to message: inout ProtobufBuffer) {
        message.text(1, ownName)
        let optional = fields.filter { $0.count == .optional }.map(\.number)
        for field in fields { message.message(2) { append(field, optional.firstIndex(of: field.number), &$0) } }
        for case .choice(let name, let words) in fields.map(\.kind) {
            message.message(4) { Self.append(name, words, &$0) }
        }
        // In protobuf, each optional field has a `oneof` of its own.
        for field in fields where field.count == .optional {
            message.message(8) { $0.text(1, "_\(field.name)") }
        }
    }

    private func append(_ field: Field, _ group: Int?, _ output: inout ProtobufBuffer) {
        output.text(1, "\(field.name)")
        output.varint(3, field.number)
        output.varint(4, field.isRepeated ? 3 : 1)
        output.varint(5, field.kind.type)
        switch field.kind {
        case .message(let schema): output.text(6, ".\(schema.name)")
        case .choice(let choice, _): output.text(6, ".\(name).\(choice)")
        case .number, .text, .flag, .integer: break
        }
        guard let group else { return }
        output.varint(9, group)
        output.varint(17, 1)
    }

    private static func append(_ name: String, _ words: [String], _ output: inout ProtobufBuffer) {
        output.text(1, name)
        for (number, word) in words.enumerated() {
            output.message(2) { value in
                value.text(1, word)
                value.varint(2, number)
            }
        }
    }

    private var ownName: String { String(name.split(separator: ".").last ?? "") }
    private var package: String { String(name.dropLast(ownName.count + 1)) }
    /// The published name of the file, so that a reader that already has this file recognizes it.
    private var fileName: String {
        let own = package == "foxglove" ? ownName : ownName.lowercased()
        return package.split(separator: ".").joined(separator: "/") + "/\(own).proto"
    }
}

extension MessageSchema.Field {
    var isRepeated: Bool {
        switch count {
        case .one, .optional: false
        case .list, .exactly: true
        }
    }
}

extension MessageSchema.Kind {
    fileprivate var type: Int {
        switch self {
        case .number: 1
        case .integer(.int64): 3
        case .integer(.int32): 5
        case .integer(.fixed32): 7
        case .flag: 8
        case .text: 9
        case .message: 11
        case .choice: 14
        case .integer(let type): preconditionFailure("protobuf has no \(type)")
        }
    }
}
