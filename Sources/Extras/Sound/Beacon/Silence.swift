/// Reasons why the beacon is silent; the first one that applies is reported.
package enum Silence: String, Hashable, Sendable {
    case paused
    case noDaemon
    /// The newest pose is so old that its direction would be wrong after the next turn of the head.
    case stalePose
    /// The scene does not have the chosen placement, or has no route.
    case noTarget
    case arrived
    /// Pose and placement belong to different generations of the scene frame.
    case otherGeneration
    case positionUnknown
    /// The heading is unknown or unconfirmed.
    case headingUnconfirmed
    /// The direction is too uncertain to be useful.
    case directionUncertain

    package var text: String {
        switch self {
        case .paused: "paused"
        case .noDaemon: "the daemon does not answer"
        case .stalePose: "no fresh pose"
        case .noTarget: "nothing to sound in the scene"
        case .arrived: "arrived"
        case .otherGeneration: "pose and scene are of different generations"
        case .positionUnknown: "the position is unknown"
        case .headingUnconfirmed: "the heading is not confirmed"
        case .directionUncertain: "the direction is too uncertain"
        }
    }
}
