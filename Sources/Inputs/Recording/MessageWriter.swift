import JSON
import WaymarkInterface

/// Encoding of the messages with a third-party schema.
public enum MessageEncoding: String, Sendable {
    case protobuf
    case json
    /// The encoding of ROS 2.
    case cdr

    /// Encodings of messages in Foxglove's schemas; the first is the default.
    public static let foxglove = [MessageEncoding.protobuf, .json]
}

/// Writes messages by their schemas into a buffer that it reuses.
///
/// JSON and protobuf omit unknown numbers. In CDR each field has a fixed place, so an unknown number is NaN.
package struct MessageWriter: Sendable {
    package let encoding: MessageEncoding
    private var json = JSONWriter(capacity: 4096)
    private var protobuf = ProtobufBuffer()
    private var cdr = CDRBuffer()
    /// Schemas of the open message and its open nested messages, each with the number of fields written so far.
    private var open: [(schema: MessageSchema, written: Int)] = []

    package init(_ encoding: MessageEncoding) { self.encoding = encoding }

    /// The message that was written last.
    package var bytes: [UInt8] {
        switch encoding {
        case .json: json.bytes
        case .protobuf: protobuf.bytes
        case .cdr: cdr.bytes
        }
    }

    /// Writes a message, which replaces the previous one.
    package mutating func write(_ schema: MessageSchema, _ body: (inout MessageWriter) -> Void) {
        json.removeAll()
        protobuf.removeAll()
        cdr.begin()
        writeObject(schema, body)
    }

    private mutating func writeObject(_ schema: MessageSchema, _ body: (inout MessageWriter) -> Void) {
        open.append((schema, 0))
        if encoding == .json { json.beginObject() }
        body(&self)
        if encoding == .json { json.endObject() }
        let written = open.removeLast().written
        precondition(encoding != .cdr || written == schema.fields.count, "\(schema.name) has fields without values")
    }

    /// Field of this name in the open message, which in CDR has to be the next one.
    private mutating func field(_ name: StaticString) -> MessageSchema.Field {
        guard let (schema, written) = open.last else { preconditionFailure("\(name) is outside of any message") }
        let field = schema.field(name)
        precondition(encoding != .cdr || field.number == written + 1, "\(name) is not the next field of \(schema.name)")
        open[open.count - 1].written += 1
        return field
    }

    // MARK: - Members

    /// Writes a number. Nil is omitted, except in CDR, where it becomes NaN.
    ///
    /// - Parameter decimals: number of decimals in JSON; the other encodings contain the exact number.
    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int) {
        switch encoding {
        case .json: json.member(name, value, .fixed(decimals))
        case .protobuf:
            guard let value, value.isFinite else { return }
            protobuf.number(field(name).number, value)
        case .cdr:
            _ = field(name)
            cdr.append(value ?? .nan)
        }
    }

    /// Writes an integer, or the index of a word.
    package mutating func member(_ name: StaticString, _ value: Int64) {
        guard encoding != .json else { return json.member(name, value) }
        let field = field(name)
        guard case .integer(let type) = field.kind else { return protobuf.varint(field.number, value) }
        switch (encoding, type) {
        case (.cdr, .int8), (.cdr, .uint8): cdr.append(UInt8(truncatingIfNeeded: value))
        case (.cdr, .uint16): cdr.append(UInt16(truncatingIfNeeded: value))
        case (.cdr, _): cdr.append(UInt32(truncatingIfNeeded: value))
        case (_, .fixed32): protobuf.fixed(field.number, UInt32(clamping: value))
        default: protobuf.varint(field.number, value)
        }
    }

    /// Writes a flag. ROS messages have no flags.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        guard encoding == .protobuf else { return json.member(name, value) }
        protobuf.varint(field(name).number, value ? 1 : 0)
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        switch encoding {
        case .json: json.member(name, value)
        case .protobuf: protobuf.text(field(name).number, value)
        case .cdr:
            _ = field(name)
            cdr.append(text: value)
        }
    }

    /// Writes a time or a duration.
    package mutating func member(_ name: StaticString, _ time: PoseInterface.Time) {
        guard encoding != .json else { return json.member(name, time) }
        let isROS = encoding == .cdr
        message(name) { writer in
            writer.member(isROS ? "sec" : "seconds", Int64(time.sec))
            writer.member(isROS ? "nanosec" : "nanos", Int64(time.nsec))
        }
    }

    /// Writes an array of fixed length.
    ///
    /// - Parameter decimals: number of decimals of each element in JSON.
    mutating func member(_ name: StaticString, _ values: [Double], decimals: (Int) -> Int = { _ in 6 }) {
        switch encoding {
        case .json:
            json.key(name)
            json.beginArray()
            for (index, value) in values.enumerated() { json.value(value, .fixed(decimals(index))) }
            json.endArray()
        case .protobuf: protobuf.numbers(field(name).number, values)
        case .cdr:
            precondition(field(name).count == .exactly(values.count), "\(name) has another number of elements")
            for value in values { cdr.append(value) }
        }
    }

    /// Writes a nested message.
    package mutating func message(_ name: StaticString, _ body: (inout MessageWriter) -> Void) {
        let field = field(name)
        if encoding == .json { json.key(name) }
        element(field, body)
    }

    /// Writes a list of nested messages.
    package mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ body: (Element, inout MessageWriter) -> Void
    ) {
        let field = field(name)
        if encoding == .cdr { cdr.append(UInt32(elements.count)) }
        if encoding == .json {
            json.key(name)
            json.beginArray()
        }
        for each in elements { element(field) { body(each, &$0) } }
        if encoding == .json { json.endArray() }
    }

    private mutating func element(_ field: MessageSchema.Field, _ body: (inout MessageWriter) -> Void) {
        guard let schema = field.schema else { preconditionFailure("\(field.name) is no message") }
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
