import Geometry

/// Turn of a route. It is a change of direction or a choice of the way that must be announced to a walker.
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
        /// Keep to one side of a fork.
        case keep
        case roundabout
    }

    /// Distance along the route from its start. Unit: metres.
    public var alongRoute: Double
    /// Change of direction, clockwise, so that right is positive; radians in [−π, π].
    public var angle: Double
    package var kind: Kind
    /// Instruction of the directions service; nil if there is none.
    public var text: String?

    /// Makes a turn with the given properties. If no kind is given, the angle determines it.
    public init(alongRoute: Double, angle: Double, kind: Kind? = nil, text: String? = nil) {
        self.alongRoute = alongRoute
        self.angle = angle
        self.kind = kind ?? Kind(angle: angle)
        self.text = text
    }

    package var side: Side { angle < 0 ? .left : .right }
}

extension RouteTurn.Kind {
    /// Least angles of a normal turn, a sharp turn and a U-turn. Unit: radians.
    ///
    /// Source: the sectors into which directions services classify turns for walkers.
    private static let bounds = (
        normal: 50 * Double.pi / 180, sharp: 120 * Double.pi / 180, back: 160 * Double.pi / 180
    )

    /// Makes the kind of turn that the angle alone determines. Unit: radians.
    public init(angle: Double) {
        let size = angle.magnitude
        self =
            size < Self.bounds.normal
            ? .slight : size < Self.bounds.sharp ? .normal : size < Self.bounds.back ? .sharp : .uturn
    }
}

// Turns found in the polyline itself.
extension RouteLine {
    /// Least change of direction of a turn. Smaller changes are bends of the street. Unit: radians.
    private static let minimumTurn = 30 * Double.pi / 180
    /// Distance within which bends to the same side count as one turn. Unit: metres.
    private static let oneTurn = 12.0
    /// Tolerance of the simplification, for the noise of a track recorded along a straight street. Unit: metres.
    private static let waver = 3.0
    /// Recursion depth above which spans are halved, so that a maliciously shaped polyline takes no more time than
    /// others.
    private static let maximumSplitDepth = 48

    func turns() -> [RouteTurn] {
        let kept = simplified()
        var turns: [RouteTurn] = []
        var bend: (along: Double, angle: Double, sharpest: Double, last: Double)?
        func close() {
            guard let bend, abs(bend.angle) >= Self.minimumTurn else { return }
            turns.append(RouteTurn(alongRoute: bend.along, angle: Angle.wrapped(bend.angle)))
        }
        for index in kept.indices.dropFirst().dropLast() {
            let along = alongs[kept[index]]
            let angle = turn(kept[index - 1], kept[index], kept[index + 1])
            if var open = bend, along - open.last <= Self.oneTurn, (open.angle < 0) == (angle < 0) {
                if abs(angle) > open.sharpest { (open.along, open.sharpest) = (along, abs(angle)) }
                open.angle += angle
                open.last = along
                bend = open
            } else {
                close()
                bend = (along, angle, abs(angle), along)
            }
        }
        close()
        return turns
    }

    /// Returns the change of direction between two distances along the route, clockwise, radians in [−π, π].
    func turn(from start: Double, to end: Double) -> Double {
        let (before, after) = (leg(at: max(0, start)), leg(at: min(length, end)))
        return Angle.wrapped(bearing(leg: after) - bearing(leg: before))
    }

    /// Returns the indices of the vertices that are needed to stay within `waver` of the polyline.
    ///
    /// Source: Douglas and Peucker, 1973, with an explicit stack, so that no route can overflow the call stack.
    private func simplified() -> [Int] {
        var kept = [Bool](repeating: false, count: points.count)
        kept[0] = true
        kept[points.count - 1] = true
        var spans = [(first: 0, last: points.count - 1, depth: 0)]
        while let (first, last, depth) = spans.popLast() {
            guard last - first >= 2, var split = farthest(between: first, last) else { continue }
            if depth > Self.maximumSplitDepth { split = (first + last) / 2 }
            kept[split] = true
            spans.append((first, split, depth + 1))
            spans.append((split, last, depth + 1))
        }
        return kept.indices.filter { kept[$0] }
    }

    /// Returns the index of the point farthest from the segment between two other points; nil if no point is farther
    /// than `waver`.
    private func farthest(between first: Int, _ last: Int) -> Int? {
        let start = points[first]
        let offset = points[last] - start
        let square = offset.squaredNorm
        var farthest: Int?
        var distance = Self.waver * Self.waver
        for index in (first + 1)..<last {
            let toPoint = points[index] - start
            let share = square > 0 ? min(1, max(0, toPoint.dot(offset) / square)) : 0
            let candidate = (toPoint - offset * share).squaredNorm
            if candidate > distance { (distance, farthest) = (candidate, index) }
        }
        return farthest
    }
}

// Turns that a directions service reports, combined with the turns found in the polyline.
extension RouteLine {
    /// Greatest distance of a maneuver from the polyline. Unit: metres.
    private static let maneuverReach = 20.0
    /// Greatest distance along the route between a maneuver and a turn of the polyline at which they count as the same
    /// turn. Unit: metres.
    private static let sameTurn = 15.0
    /// Distance before and after a maneuver over which its change of direction is measured. Unit: metres.
    private static let lookAround = 10.0
    /// Least angle of a bend that is shown although the service reports no maneuver there. Unit: radians.
    private static let minimumBend = 45 * Double.pi / 180
    /// Maximum number of times that the route is assumed to pass one point.
    private static let maximumPassageCount = 16
    /// Maximum number of maneuvers. No walk has more.
    private static let maximumManeuverCount = 10_000

    /// Returns the turns of the service, each at its distance along the polyline, and bends of the polyline where the
    /// service reports no turn.
    func turns(with maneuvers: [RouteManeuver]) -> [RouteTurn] {
        var own = turns()
        guard !maneuvers.isEmpty else { return own }
        var turns: [RouteTurn] = []
        for (maneuver, along) in placed(maneuvers) where maneuver.isTurn {
            let nearest = own.indices.min { abs(own[$0].alongRoute - along) < abs(own[$1].alongRoute - along) }
            let match = nearest.flatMap { abs(own[$0].alongRoute - along) <= Self.sameTurn ? own.remove(at: $0) : nil }
            turns.append(turn(maneuver, along: along, match))
        }
        for var bend in own where abs(bend.angle) >= Self.minimumBend {
            bend.kind = .bend
            turns.append(bend)
        }
        return turns.sorted { $0.alongRoute < $1.alongRoute }
    }

    /// Returns the maneuvers with their distances along the route, in order. The order also decides between several
    /// passes of the route at one point.
    private func placed(_ maneuvers: [RouteManeuver]) -> [(RouteManeuver, along: Double)] {
        let maneuvers = maneuvers.prefix(Self.maximumManeuverCount)
        var placed: [(RouteManeuver, along: Double)] = []
        var from = 0.0
        for (index, maneuver) in maneuvers.enumerated() {
            let found = passes(of: maneuver, from: from)
            let next = maneuvers.dropFirst(index + 1).first
            let agreeing = found.first { pass in
                // A later pass is chosen only if the next maneuver can still be placed after it.
                agrees(maneuver, at: pass.along)
                    && (pass == found[0] || next.map { !passes(of: $0, from: pass.along).isEmpty } ?? true)
            }
            guard let along = (agreeing ?? found.first)?.along else { continue }
            placed.append((maneuver, along))
            from = along
        }
        return placed
    }

    private func passes(of maneuver: RouteManeuver, from along: Double) -> [Nearest] {
        valleys(
            near: point(of: maneuver.position), within: along...length, bound: Self.maneuverReach,
            limit: Self.maximumPassageCount)
    }

    /// Whether the polyline turns to the side that the maneuver reports.
    private func agrees(_ maneuver: RouteManeuver, at along: Double) -> Bool {
        guard maneuver.isTurn, let angle = maneuver.angle, abs(angle) >= Self.minimumBend else { return true }
        let change = turn(from: along - Self.lookAround, to: along + Self.lookAround)
        return maneuver.kind == .uturn
            ? abs(change) > .pi / 2 : (change < 0) == (angle < 0) && abs(change) > abs(angle) / 3
    }

    private func turn(_ maneuver: RouteManeuver, along: Double, _ own: RouteTurn?) -> RouteTurn {
        let angle =
            maneuver.angle ?? own?.angle ?? turn(from: along - Self.lookAround, to: along + Self.lookAround)
        let kind: RouteTurn.Kind? =
            switch maneuver.kind {
            case .keep: .keep
            case .roundabout: .roundabout
            case .uturn: .uturn
            default: nil
            }
        return RouteTurn(
            alongRoute: own?.alongRoute ?? along, angle: Angle.wrapped(angle), kind: kind, text: maneuver.text)
    }
}

extension RouteManeuver {
    /// Whether the wearer has to choose a way or change direction.
    fileprivate var isTurn: Bool {
        switch kind {
        case .turn, .keep, .roundabout, .uturn: true
        case .depart, .continue, .arrive: false
        }
    }
}
