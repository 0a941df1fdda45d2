import JSON
import WaymarkInterface

/// Form of the messages that other programs know.
public enum MessageEncoding: String, CaseIterable, Sendable {
    case protobuf
    case json
}

/// Writes messages by their schemas, as JSON or as protobuf, into a buffer that it keeps.
///
/// Numbers that are not finite are left out.
package struct MessageWriter: Sendable {
    /// Form of the messages.
    package let encoding: MessageEncoding
    private var json = JSONWriter(capacity: 4096)
    private var protobuf = ProtobufBuffer()
    /// Schemas of the message and of those within it that are being written.
    private var open: [MessageSchema] = []

    /// Makes a writer.
    package init(_ encoding: MessageEncoding) { self.encoding = encoding }

    /// The message that was written last.
    package var bytes: [UInt8] {
        switch encoding {
        case .json: json.bytes
        case .protobuf: protobuf.bytes
        }
    }

    /// Writes a message in place of the one before.
    package mutating func write(_ schema: MessageSchema, _ body: (inout MessageWriter) -> Void) {
        json.removeAll()
        protobuf.removeAll()
        writeObject(schema, body)
    }

    private mutating func writeObject(_ schema: MessageSchema, _ body: (inout MessageWriter) -> Void) {
        open.append(schema)
        if encoding == .json { json.beginObject() }
        body(&self)
        if encoding == .json { json.endObject() }
        open.removeLast()
    }

    private func field(_ name: StaticString) -> MessageSchema.Field {
        guard let schema = open.last else { preconditionFailure("\(name) is written outside of any message") }
        return schema.field(name)
    }

    // MARK: - Members

    /// Writes a number; nil is left out.
    ///
    /// - Parameter decimals: digits after the point in JSON; protobuf has the number itself.
    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int) {
        guard encoding == .protobuf else { return json.member(name, value, .fixed(decimals)) }
        guard let value, value.isFinite else { return }
        protobuf.number(field(name).number, value)
    }

    /// Writes an integer, or a word of a choice by its place.
    package mutating func member(_ name: StaticString, _ value: Int64) {
        guard encoding == .protobuf else { return json.member(name, value) }
        let field = field(name)
        switch field.kind {
        case .fixed: protobuf.fixed(field.number, UInt32(clamping: value))
        default: protobuf.varint(field.number, value)
        }
    }

    /// Writes a flag.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        guard encoding == .protobuf else { return json.member(name, value) }
        protobuf.varint(field(name).number, value ? 1 : 0)
    }

    /// Writes a text.
    package mutating func member(_ name: StaticString, _ value: String) {
        guard encoding == .protobuf else { return json.member(name, value) }
        protobuf.text(field(name).number, value)
    }

    /// Writes a time or a duration.
    package mutating func member(_ name: StaticString, _ time: PoseInterface.Time) {
        guard encoding == .protobuf else { return json.member(name, time) }
        message(name) { writer in
            writer.member("seconds", Int64(time.sec))
            writer.member("nanos", Int64(time.nsec))
        }
    }

    /// Writes an array of numbers.
    ///
    /// - Parameter decimals: digits of each number in JSON.
    mutating func member(_ name: StaticString, _ values: [Double], decimals: (Int) -> Int) {
        guard encoding == .json else { return protobuf.numbers(field(name).number, values) }
        json.key(name)
        json.beginArray()
        for (index, value) in values.enumerated() { json.value(value, .fixed(decimals(index))) }
        json.endArray()
    }

    /// Writes a message within this one.
    package mutating func message(_ name: StaticString, _ body: (inout MessageWriter) -> Void) {
        if encoding == .json { json.key(name) }
        element(field(name), body)
    }

    /// Writes messages within this one.
    package mutating func list<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ body: (Element, inout MessageWriter) -> Void
    ) {
        let field = field(name)
        if encoding == .json {
            json.key(name)
            json.beginArray()
        }
        for each in elements { element(field) { body(each, &$0) } }
        if encoding == .json { json.endArray() }
    }

    private mutating func element(_ field: MessageSchema.Field, _ body: (inout MessageWriter) -> Void) {
        guard case .message(let schema) = field.kind else { preconditionFailure("\(field.name) is no message") }
        guard encoding == .protobuf else { return writeObject(schema, body) }
        let start = protobuf.begin(field.number)
        writeObject(schema, body)
        protobuf.end(start)
    }

    // MARK: - Parts

    /// Writes a position, or another vector.
    package mutating func member(_ name: StaticString, _ vector: PoseInterface.Vector, decimals: Int = 4) {
        message(name) { writer in
            writer.member("x", vector.x, decimals: decimals)
            writer.member("y", vector.y, decimals: decimals)
            writer.member("z", vector.z, decimals: decimals)
        }
    }

    /// Writes a rotation.
    package mutating func member(_ name: StaticString, _ rotation: PoseInterface.Quaternion) {
        message(name) { writer in
            writer.member("x", rotation.x, decimals: 6)
            writer.member("y", rotation.y, decimals: 6)
            writer.member("z", rotation.z, decimals: 6)
            writer.member("w", rotation.w, decimals: 6)
        }
    }

    /// Writes the member `pose`.
    package mutating func pose(
        _ position: PoseInterface.Vector, _ orientation: PoseInterface.Quaternion, decimals: Int = 4
    ) {
        message("pose") { writer in
            writer.member("position", position, decimals: decimals)
            writer.member("orientation", orientation)
        }
    }
}
