import Geometry

// Turns that a directions service names, together with those that the line shows.
extension RouteLine {
    /// A service places its maneuver so near to the line. Unit: metres.
    private static let maneuverReach = 20.0
    /// And so near, along the route, to where the line turns. Unit: metres.
    private static let sameTurn = 15.0
    /// Over which a change of direction at a maneuver is looked for, to each side. Unit: metres.
    private static let lookAround = 10.0
    /// A corner that no maneuver names is shown from here on; less is how streets run. Unit: radians.
    private static let leastBend = 45 * Double.pi / 180
    /// A route passes one place at most so often.
    private static let mostPasses = 16
    /// More than any walk has.
    private static let mostManeuvers = 10_000

    /// The service's turns, each where it is on the line, and the line's own where the service has none.
    func turns(with maneuvers: [RouteManeuver]) -> [RouteTurn] {
        var own = turns()
        guard !maneuvers.isEmpty else { return own }
        var turns: [RouteTurn] = []
        for (maneuver, along) in placed(maneuvers) where maneuver.isTurn {
            let nearest = own.indices.min { abs(own[$0].alongRoute - along) < abs(own[$1].alongRoute - along) }
            let match = nearest.flatMap { abs(own[$0].alongRoute - along) <= Self.sameTurn ? own.remove(at: $0) : nil }
            turns.append(turn(maneuver, along: along, match))
        }
        for var bend in own where abs(bend.angle) >= Self.leastBend {
            bend.kind = .bend
            turns.append(bend)
        }
        return turns.sorted { $0.alongRoute < $1.alongRoute }
    }

    /// Each maneuver with its distance along the route, in their order: a route that passes a place twice is walked on.
    private func placed(_ maneuvers: [RouteManeuver]) -> [(RouteManeuver, along: Double)] {
        let maneuvers = maneuvers.prefix(Self.mostManeuvers)
        var placed: [(RouteManeuver, along: Double)] = []
        var from = 0.0
        for (index, maneuver) in maneuvers.enumerated() {
            let found = passes(of: maneuver, from: from)
            let next = maneuvers.dropFirst(index + 1).first
            let agreeing = found.first { pass in
                // Not at the price of the one that follows.
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
            limit: Self.mostPasses)
    }

    /// Whether the line turns to the side that the maneuver says.
    private func agrees(_ maneuver: RouteManeuver, at along: Double) -> Bool {
        guard maneuver.isTurn, let angle = maneuver.angle, abs(angle) >= Self.leastBend else { return true }
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
    /// Whether the wearer has to choose or to change direction.
    fileprivate var isTurn: Bool {
        switch kind {
        case .turn, .keep, .roundabout, .uturn: true
        case .depart, .continue, .arrive: false
        }
    }
}
