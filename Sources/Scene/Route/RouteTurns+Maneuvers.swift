import Geometry

// Turns that a directions service reports, combined with those found in the polyline.
extension RouteLine {
    /// Greatest distance of a maneuver from the polyline. Unit: metres.
    private static let maneuverReach = 20.0
    /// Greatest distance along the route between a maneuver and a turn of the polyline that are the same turn. Unit:
    /// metres.
    private static let sameTurn = 15.0
    /// Distance to each side of a maneuver over which its change of direction is measured. Unit: metres.
    private static let lookAround = 10.0
    /// Least angle of a bend that is shown without a maneuver. Unit: radians.
    private static let leastBend = 45 * Double.pi / 180
    /// Maximum number of passages of one point that are considered.
    private static let mostPasses = 16
    /// Maximum number of maneuvers, more than any walk has.
    private static let mostManeuvers = 10_000

    /// Turns of the service, each at its distance along the polyline, and bends of the polyline where the service
    /// reports none.
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

    /// Maneuvers with their distances along the route, in order, so that a route that passes a point twice is handled.
    private func placed(_ maneuvers: [RouteManeuver]) -> [(RouteManeuver, along: Double)] {
        let maneuvers = maneuvers.prefix(Self.mostManeuvers)
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
            limit: Self.mostPasses)
    }

    /// Whether the polyline turns to the side that the maneuver reports.
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
    /// Whether the wearer has to choose or change direction.
    fileprivate var isTurn: Bool {
        switch kind {
        case .turn, .keep, .roundabout, .uturn: true
        case .depart, .continue, .arrive: false
        }
    }
}
