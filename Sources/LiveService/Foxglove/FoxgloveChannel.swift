import Recording

/// Channels of a live connection: topics and schemas of an exported recording, with status, placements and the sources
/// of offers beside them.
///
/// The raw value is the number by which clients subscribe.
package enum FoxgloveChannel: UInt32, CaseIterable, Sendable {
    case pose = 1
    case frame, location, transform, scenePose, route, places, status, placements, aids

    /// Name of the topic, and name and JSON Schema of its messages.
    private var description: (topic: String, schemaName: String, schema: String) {
        switch self {
        case .pose: Self.recorded(.pose)
        case .frame: Self.recorded(.frame)
        case .location: Self.recorded(.location)
        case .transform: Self.recorded(.transform)
        case .scenePose: Self.recorded(.scenePose)
        case .route: Self.recorded(.route)
        case .places: Self.recorded(.map)
        case .status: ("/status", "org.waymark.Status", FoxgloveSchemas.status)
        case .placements: ("/scene/placements", "foxglove.SceneUpdate", FoxgloveSchemas.sceneUpdate)
        case .aids: ("/aid/sources", "org.waymark.AidSources", FoxgloveSchemas.aidSources)
        }
    }

    /// As exported recordings have it.
    private static func recorded(_ topic: Topic) -> (topic: String, schemaName: String, schema: String) {
        (topic.name, topic.schemaName, topic.schema)
    }

    /// Name of the topic.
    package var topic: String { description.topic }

    /// Name of the schema, by which Foxglove knows the messages that it draws.
    package var schemaName: String { description.schemaName }

    /// JSON Schema of the messages.
    package var schema: String { description.schema }

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
