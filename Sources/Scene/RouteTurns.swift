import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// A place on the route where the direction changes so much that a walker must be told.
public struct RouteTurn: Hashable, Sendable {
    public enum Side: UInt8, Hashable, Sendable {
        case left
        case right
    }

    /// From the start, along the route. Unit: metres.
    public var alongRoute: Double
    /// Clockwise, so that a turn to the right is positive; radians in [−π, π].
    public var angle: Double

    public var side: Side { angle < 0 ? .left : .right }
}

extension RouteLine {
    /// Changes of direction below this are bends of the street. Unit: radians.
    private static let leastTurn = 30 * Double.pi / 180
    /// Bends to the same side within this distance are one turn. Unit: metres.
    private static let oneTurn = 12.0
    /// What a recorded track wavers about a straight street. Unit: metres.
    private static let waver = 3.0

    /// The turns from start to end.
    func turns() -> [RouteTurn] {
        let kept = simplified()
        var turns: [RouteTurn] = []
        var bend: (turn: RouteTurn, sharpest: Double, last: Double)?
        func close() {
            if let bend, abs(bend.turn.angle) >= Self.leastTurn {
                turns.append(RouteTurn(alongRoute: bend.turn.alongRoute, angle: Angle.wrapped(bend.turn.angle)))
            }
        }
        for index in kept.indices.dropFirst().dropLast() {
            let along = alongs[kept[index]]
            let angle = Angle.wrapped(
                bearing(kept[index], kept[index + 1]) - bearing(kept[index - 1], kept[index]))
            if var open = bend, along - open.last <= Self.oneTurn, (open.turn.angle < 0) == (angle < 0) {
                if abs(angle) > open.sharpest {
                    open.turn.alongRoute = along
                    open.sharpest = abs(angle)
                }
                open.turn.angle += angle
                open.last = along
                bend = open
            } else {
                close()
                bend = (RouteTurn(alongRoute: along, angle: angle), abs(angle), along)
            }
        }
        close()
        return turns
    }

    private func bearing(_ from: Int, _ to: Int) -> Double {
        let offset = points[to] - points[from]
        return atan2(offset.east, offset.north)
    }

    /// Indices of the vertices without which the line would be off by more than `waver`.
    ///
    /// Source: Douglas and Peucker, 1973, with a stack of its own, so that no route can exhaust the program's.
    private func simplified() -> [Int] {
        var kept = [Bool](repeating: false, count: points.count)
        kept[0] = true
        kept[points.count - 1] = true
        var spans = [(0, points.count - 1)]
        while let (first, last) = spans.popLast() {
            guard last - first >= 2 else { continue }
            var farthest = first + 1
            var distance = 0.0
            for index in (first + 1)..<last {
                let candidate = self.distance(of: points[index], fromSegment: points[first], points[last])
                if candidate > distance {
                    distance = candidate
                    farthest = index
                }
            }
            guard distance > Self.waver else { continue }
            kept[farthest] = true
            spans.append((first, farthest))
            spans.append((farthest, last))
        }
        return kept.indices.filter { kept[$0] }
    }

    private func distance(of point: Point, fromSegment start: Point, _ end: Point) -> Double {
        let offset = end - start
        let square = offset.dot(offset)
        let share = square > 0 ? min(1, max(0, (point - start).dot(offset) / square)) : 0
        let foot = Point(east: start.east + share * offset.east, north: start.north + share * offset.north)
        return (point - foot).length
    }
}
