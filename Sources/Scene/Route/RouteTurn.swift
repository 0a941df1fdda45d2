/// A place on the route where the direction changes so much, or the way is chosen so, that a walker must be told.
public struct RouteTurn: Hashable, Sendable {
    public enum Side: UInt8, Hashable, Sendable {
        case left
        case right
    }

    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// The street itself leads round a corner; its service says nothing of it.
        case bend
        case slight
        case normal
        case sharp
        case uturn
        /// To one side of a fork.
        case keep
        case roundabout
    }

    /// From the start, along the route. Unit: metres.
    public var alongRoute: Double
    /// Clockwise, so that a turn to the right is positive; radians in [−π, π].
    public var angle: Double
    public var kind: Kind
    /// The instruction of the service that found the route; nil without one.
    public var text: String?

    public init(alongRoute: Double, angle: Double, kind: Kind? = nil, text: String? = nil) {
        self.alongRoute = alongRoute
        self.angle = angle
        self.kind = kind ?? Kind(angle: angle)
        self.text = text
    }

    public var side: Side { angle < 0 ? .left : .right }

    /// The instruction in words: the service's, else such as `Turn left`.
    public var words: String {
        if let text, !text.isEmpty { return text }
        let side = side == .left ? "left" : "right"
        return switch kind {
        case .bend: "Follow the bend to the \(side)"
        case .slight: "Turn slightly \(side)"
        case .normal: "Turn \(side)"
        case .sharp: "Turn sharply \(side)"
        case .uturn: "Turn round"
        case .keep: "Keep \(side)"
        case .roundabout: "Enter the roundabout"
        }
    }
}

extension RouteTurn.Kind {
    /// From which on a turn is a normal one, a sharp one and one back. Unit: radians.
    ///
    /// Source: the sectors into which directions services part what a walker calls slight, plain and sharp.
    private static let bounds = (
        normal: 50 * Double.pi / 180, sharp: 120 * Double.pi / 180, back: 160 * Double.pi / 180
    )

    /// By the angle alone.
    public init(angle: Double) {
        let size = angle.magnitude
        self =
            size < Self.bounds.normal
            ? .slight : size < Self.bounds.sharp ? .normal : size < Self.bounds.back ? .sharp : .uturn
    }
}
