import WaymarkClient
import WaymarkInterface

/// An object whose direction the compass ribbon and the radar show.
struct LiveTarget: Sendable {
    /// Kind. The first three, in this order, have priority over all other targets.
    enum Kind: Int, Sendable {
        case nextTurn
        case destination
        case wayBack
        case favorite
        case anchor
        case place
        case cluster
        case turn
        case start
    }

    let kind: Kind
    /// Name, sanitized for a line; empty if there is none.
    let name: String
    /// Bearing, clockwise from true north. Unit: degrees.
    let bearing: Double
    /// Distance. Unit: metres.
    let distance: Double
    /// Sign of the target. For a turn it depends on the turn's side and kind.
    let sign: Unicode.Scalar

    /// Maximum number of targets that are drawn, because a picture has no room for more.
    private static let limit = 300

    /// Targets of a scene: the next turn, the destination and the way back, then all others, nearest first.
    static func all(_ state: Waymark.SceneState) -> [LiveTarget] {
        let placements = state.placements.values.filter { $0.lock == .scene && $0.kind != .arrow && $0.kind != .node }
        let turns = placements.filter { $0.kind == .turn }
        let next = turns.min { ($0.alongRoute ?? .infinity, $0.id) < ($1.alongRoute ?? .infinity, $1.id) }?.id
        return placements.compactMap { placement in
            LiveTarget(placement, isNext: placement.id == next).map { ($0, placement.id) }
        }.sorted { ($0.0.group, $0.0.distance, $0.1) < ($1.0.group, $1.0.distance, $1.1) }.prefix(limit).map(\.0)
    }

    private init?(_ placement: Waymark.Placement, isNext: Bool) {
        guard let bearing = placement.bearing, bearing.isFinite, placement.distance.isFinite else { return nil }
        (self.bearing, distance) = (bearing, placement.distance)
        let kind = Self.kind(placement, isNext: isNext)
        self.kind = kind
        name = kind == .cluster ? Self.cluster(placement) : OutsideText.line(placement.name ?? "")
        sign = Self.appearance(kind).sign ?? TurnSign.of(placement.maneuver, placement.side)
    }

    /// Group by which targets are sorted. The next turn, the destination and the way back come before all other
    /// targets, even nearer ones.
    private var group: Int { min(kind.rawValue, LiveTarget.Kind.wayBack.rawValue + 1) }

    private static func kind(_ placement: Waymark.Placement, isNext: Bool) -> Kind {
        switch placement.kind {
        case .known(.turn): isNext ? .nextTurn : .turn
        case .known(.destination): .destination
        case .known(.route): .wayBack
        case .known(.start): .start
        case .known(.cluster): .cluster
        case .known(.anchor): .anchor
        default: placement.favorite == true ? .favorite : .place
        }
    }

    private static func cluster(_ placement: Waymark.Placement) -> String {
        guard let members = placement.members else { return OutsideText.line(placement.name ?? "") }
        return "\(members.count) places"
    }

    /// Appearance and sign of a kind; the sign is nil for turns, whose sign depends on the turn.
    private static func appearance(_ kind: Kind) -> (sign: Unicode.Scalar?, ink: Ink) {
        switch kind {
        case .nextTurn: (nil, .turn)
        case .destination: ("⚑", .destination)
        case .wayBack: ("↻", .warning)
        case .favorite: ("★", .favorite)
        case .anchor: ("✚", .strong)
        case .place: ("◆", .place)
        case .cluster: ("◇", .place)
        case .turn: (nil, .route)
        case .start: ("○", .route)
        }
    }

    var ink: Ink { Self.appearance(kind).ink }

    /// Style of the name beside the mark: turns and destination are coloured, places are plain text.
    var labelInk: Ink { kind == .place || kind == .cluster || kind == .start ? .plain : ink }
}

enum TurnSign {
    /// - Parameters:
    ///   - kind: kind of the turn; nil and unknown ones are drawn as normal turns.
    ///   - side: side to which the route turns; nil for straight ahead.
    static func of(_ kind: OpenWord<SceneInterface.TurnKind>?, _ side: SceneInterface.Side?) -> Unicode.Scalar {
        guard let side else { return "↑" }
        let isLeft = side == .left
        switch kind?.known {
        case .uturn: return isLeft ? "↶" : "↷"
        case .slight, .keep: return isLeft ? "↖" : "↗"
        case .sharp: return isLeft ? "↙" : "↘"
        case .roundabout: return "↻"
        case .normal, .bend, nil: return isLeft ? "↰" : "↱"
        }
    }

    /// Sign for ASCII-only terminals.
    static func ascii(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        ASCIIText.line(String(sign)).unicodeScalars.first ?? "?"
    }
}
