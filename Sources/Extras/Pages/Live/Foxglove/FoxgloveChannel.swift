import Recording

/// Channels of a live connection. Their topics and schemas are those of an exported recording. There are also status,
/// placements and sources of aid measurements.
///
/// The raw value is the number by which clients subscribe to the channel.
package enum FoxgloveChannel: UInt32, CaseIterable, Sendable {
    case pose = 1
    case frame, location, transform, scenePose, route, places, status, placements, aids

    /// Messages of a channel. They have either a schema that Foxglove knows, encoded as protobuf, or Waymark's own,
    /// encoded as JSON.
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

    /// Topic and content that exported recordings have.
    private static func recorded(_ topic: Topic) -> (topic: String, content: Content) {
        (topic.name, topic.form.map { .known($0) } ?? .own(name: topic.schemaName, schema: topic.schema))
    }

    package var topic: String { description.topic }

    /// Name of the schema. By this name, Foxglove recognizes messages that it can draw.
    package var schemaName: String {
        switch description.content {
        case .known(let schema): schema.name
        case .own(let name, _): name
        }
    }

    /// Encoding of the messages, and their schema with its own encoding: JSON Schema, or descriptors in base64.
    package var encoding: (messages: StaticString, schema: StaticString, text: String) {
        switch description.content {
        case .known(let schema): ("protobuf", "protobuf", Base64.text(schema.descriptorSet))
        case .own(_, let schema): ("json", "jsonschema", schema)
        }
    }

    /// Data from the daemon that the messages require.
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

/// Messages that are valid until the next message of their kind. Clients that subscribe late or read too slowly get the
/// newest one.
enum FoxgloveLasting: CaseIterable {
    case frame, alignment, route, places, status, scene, aids

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

/// A message for all subscribers of its channel.
struct FoxgloveOutput {
    let channel: FoxgloveChannel
    /// Time of the server's clock. Unit: ns.
    let time: UInt64
    let payload: [UInt8]
    /// Kind of a lasting message; nil if the next message of its stream replaces this one.
    var lasting: FoxgloveLasting?
}
