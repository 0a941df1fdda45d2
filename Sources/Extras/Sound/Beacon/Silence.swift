/// Why the beacon is silent, the first reason that holds.
public enum Silence: String, Hashable, Sendable {
    /// The wearer has paused it.
    case paused
    /// The daemon does not answer.
    case noDaemon
    /// The newest pose is too old: a direction by it would be wrong after the next turn of the head.
    case stalePose
    /// The scene has no such placement, or no route.
    case noTarget
    /// The wearer has arrived.
    case arrived
    /// Pose and placement are of different scene frames.
    case otherGeneration
    case positionUnknown
    /// The heading is unknown, or nothing has confirmed it yet.
    case headingUnconfirmed
    /// The direction is known too poorly to be of use.
    case directionUncertain

    /// Words for a person.
    public var text: String {
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
