import Recording

/// Channels of a live connection: topics and schemas of an exported recording, with status and placements beside them.
///
/// The raw value is the number by which clients subscribe.
package enum FoxgloveChannel: UInt32, CaseIterable, Sendable {
    case pose = 1
    case frame, location, transform, scenePose, route, places, status, placements

    /// Topic of an exported recording; nil for what recordings do not have.
    private var recorded: Topic? {
        switch self {
        case .pose: .pose
        case .frame: .frame
        case .location: .location
        case .transform: .transform
        case .scenePose: .scenePose
        case .route: .route
        case .places: .map
        case .status, .placements: nil
        }
    }

    /// Name of the topic.
    package var topic: String { recorded?.name ?? (self == .status ? "/status" : "/scene/placements") }

    /// Name of the schema, by which Foxglove knows the messages that it draws.
    package var schemaName: String {
        recorded?.schemaName ?? (self == .status ? "org.waymark.Status" : "foxglove.SceneUpdate")
    }

    /// JSON Schema of the messages.
    package var schema: String {
        recorded?.schema ?? (self == .status ? FoxgloveSchemas.status : FoxgloveSchemas.sceneUpdate)
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
        }
    }
}

/// Messages that hold until the next one of their kind: who subscribes later gets the newest, and so does who read too
/// slowly for it.
enum FoxgloveLasting: CaseIterable {
    case frame, alignment, route, places, status, scene

    /// Channel of the message.
    var channel: FoxgloveChannel {
        switch self {
        case .frame: .frame
        case .alignment: .transform
        case .route: .route
        case .places: .places
        case .status: .status
        case .scene: .placements
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
