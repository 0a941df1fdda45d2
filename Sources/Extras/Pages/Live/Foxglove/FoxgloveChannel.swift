import Recording

/// Channels of a live connection: topics and schemas of an exported recording, with status, placements and the sources
/// of offers beside them.
///
/// The raw value is the number by which clients subscribe.
package enum FoxgloveChannel: UInt32, CaseIterable, Sendable {
    case pose = 1
    case frame, location, transform, scenePose, route, places, status, placements, aids

    /// Messages of a channel: by a schema that Foxglove knows, as protobuf, or of Waymark's own, as JSON.
    private enum Content {
        case known(MessageSchema)
        case own(name: String, schema: String)
    }

    private var description: (topic: String, content: Content) {
        switch self {
        case .pose: Self.recorded(.pose)
        case .frame: Self.recorded(.frame)
        case .location: Self.recorded(.location)
        case .transform: Self.recorded(.transform)
        case .scenePose: Self.recorded(.scenePose)
        case .route: Self.recorded(.route)
        case .places: Self.recorded(.map)
        case .status: ("/status", .own(name: "org.waymark.Status", schema: FoxgloveSchemas.status))
        case .placements: ("/scene/placements", .known(.sceneUpdate))
        case .aids: ("/aid/sources", .own(name: "org.waymark.AidSources", schema: FoxgloveSchemas.aidSources))
        }
    }

    /// As exported recordings have it.
    private static func recorded(_ topic: Topic) -> (topic: String, content: Content) {
        (topic.name, topic.form.map { .known($0) } ?? .own(name: topic.schemaName, schema: topic.schema))
    }

    /// Name of the topic.
    package var topic: String { description.topic }

    /// Name of the schema, by which Foxglove knows the messages that it draws.
    package var schemaName: String {
        switch description.content {
        case .known(let schema): schema.name
        case .own(let name, _): name
        }
    }

    /// Encoding of the messages, and the schema with its own encoding: JSON Schema, or descriptors by base64.
    package var encoding: (messages: StaticString, schema: StaticString, text: String) {
        switch description.content {
        case .known(let schema): ("protobuf", "protobuf", Base64.text(schema.descriptorSet))
        case .own(_, let schema): ("json", "jsonschema", schema)
        }
    }

    /// What of the daemon the messages are made of.
    var needs: DaemonNeeds {
        switch self {
        case .pose, .location, .scenePose: .poses
        case .frame: .frames
        case .transform: [.poses, .frames]
        case .route: .route
        case .places: [.scene, .frames]
        case .status: .status
        case .placements: .scene
        case .aids: .aids
        }
    }
}

/// Messages that hold until the next one of their kind: who subscribes later gets the newest, and so does who read too
/// slowly for it.
enum FoxgloveLasting: CaseIterable {
    case frame, alignment, route, places, status, scene, aids

    /// Channel of the message.
    var channel: FoxgloveChannel {
        switch self {
        case .frame: .frame
        case .alignment: .transform
        case .route: .route
        case .places: .places
        case .status: .status
        case .scene: .placements
        case .aids: .aids
        }
    }
}

/// A message for all clients that subscribe to its channel.
struct FoxgloveOutput {
    let channel: FoxgloveChannel
    /// Time of the server's clock. Unit: ns.
    let time: UInt64
    let payload: [UInt8]
    /// nil for one that the next message of the stream replaces.
    var lasting: FoxgloveLasting?
}
