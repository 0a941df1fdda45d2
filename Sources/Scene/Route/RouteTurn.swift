/// Turn of a route: a change of direction or a choice of the way that a walker must be told about.
public struct RouteTurn: Hashable, Sendable {
    /// Side to which a turn leads.
    public enum Side: UInt8, Hashable, Sendable {
        case left
        case right
    }

    /// Kind of turn.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// Bend of the street itself, which the service does not report.
        case bend
        case slight
        case normal
        case sharp
        case uturn
        /// To one side of a fork.
        case keep
        case roundabout
    }

    /// Distance along the route from its start. Unit: metres.
    public var alongRoute: Double
    /// Change of direction, clockwise, so that right is positive; radians in [−π, π].
    public var angle: Double
    /// Kind of turn.
    public var kind: Kind
    /// Instruction of the directions service; nil without one.
    public var text: String?

    /// Turn with the given properties; without a kind it is classified by its angle.
    public init(alongRoute: Double, angle: Double, kind: Kind? = nil, text: String? = nil) {
        self.alongRoute = alongRoute
        self.angle = angle
        self.kind = kind ?? Kind(angle: angle)
        self.text = text
    }

    /// Side to which the turn leads, by the sign of its angle.
    public var side: Side { angle < 0 ? .left : .right }

    /// Instruction in words: the service's, else one such as `Turn left`.
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
    /// Angles from which on a turn is a normal one, a sharp one and a U-turn. Unit: radians.
    ///
    /// Source: the sectors by which directions services classify turns for walkers.
    private static let bounds = (
        normal: 50 * Double.pi / 180, sharp: 120 * Double.pi / 180, back: 160 * Double.pi / 180
    )

    /// Kind by the angle alone. Unit: radians.
    public init(angle: Double) {
        let size = angle.magnitude
        self =
            size < Self.bounds.normal
            ? .slight : size < Self.bounds.sharp ? .normal : size < Self.bounds.back ? .sharp : .uturn
    }
}
