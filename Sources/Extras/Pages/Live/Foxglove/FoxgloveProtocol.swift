import JSON

/// Server messages of Foxglove's protocol.
///
/// Source: Foxglove WebSocket protocol v1, docs/spec.md of github.com/foxglove/ws-protocol.
package enum FoxgloveProtocol {
    /// WebSocket subprotocols of this protocol. The server's messages are the same for both.
    package static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]

    package enum Level: Int64, Sendable {
        case info = 0
        case warning = 1
        case error = 2
    }

    /// First byte of a binary message.
    private enum Opcode: UInt8 {
        case messageData = 1
        case time = 2
    }

    /// Size of the header of `messageData`. Unit: bytes.
    package static let headerSize = 13

    /// The first message of a connection.
    ///
    /// The clock is the daemon's UTC, which is different in a simulation or a replay. Without the capability `time`,
    /// clients would look up transforms by the clock of their own computer.
    ///
    /// - Parameter session: identifier of this run of the server.
    package static func serverInfo(version: String, session: String) -> [UInt8] {
        JSONWriter.object(capacity: 256) { json in
            json.member("op", word: "serverInfo")
            json.member("name", word: "Waymark")
            json.member("capabilities", ["time"])
            json.member("metadata", ["waymark": version])
            json.member("sessionId", session)
        }
    }

    /// Announces channels, with their schemas.
    package static func advertise(_ channels: [FoxgloveChannel]) -> [UInt8] {
        JSONWriter.object(capacity: 16 * 1024) { json in
            json.member("op", word: "advertise")
            json.objects("channels", channels) { channel, json in
                let encoding = channel.encoding
                json.member("id", Int64(channel.rawValue))
                json.member("topic", channel.topic)
                json.member("encoding", word: encoding.messages)
                json.member("schemaName", channel.schemaName)
                json.member("schema", encoding.text)
                json.member("schemaEncoding", word: encoding.schema)
            }
        }
    }

    /// Message with a line of text for the client's user.
    ///
    /// - Parameter identifier: identifier by which a later message replaces this one; nil if this message stays.
    package static func status(_ level: Level, _ message: String, identifier: String? = nil) -> [UInt8] {
        JSONWriter.object(capacity: 256) { json in
            json.member("op", word: "status")
            json.member("level", level.rawValue)
            json.member("message", message)
            json.member("id", identifier)
        }
    }

    /// A message of a channel.
    ///
    /// - Parameters:
    ///   - subscription: number chosen by the client.
    ///   - time: time of the server's clock. Unit: ns.
    package static func messageData(subscription: UInt32, time: UInt64, payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + payload.count)
        bytes.append(Opcode.messageData.rawValue)
        append(subscription, to: &bytes)
        append(time, to: &bytes)
        bytes += payload
        return bytes
    }

    /// Message with the time of the server's clock. Unit: ns.
    package static func time(_ time: UInt64) -> [UInt8] {
        var bytes = [Opcode.time.rawValue]
        append(time, to: &bytes)
        return bytes
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
