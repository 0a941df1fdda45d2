import Geometry

// Turns found in the polyline itself.
extension RouteLine {
    /// Least change of direction of a turn; smaller ones are bends of the street. Unit: radians.
    private static let leastTurn = 30 * Double.pi / 180
    /// Distance within which bends to the same side are one turn. Unit: metres.
    private static let oneTurn = 12.0
    /// Tolerance of the simplification: noise of a recorded track about a straight street. Unit: metres.
    private static let waver = 3.0
    /// Recursion depth from which on spans are halved, so that a hostile polyline costs no more than others.
    private static let deepestSplit = 48

    /// Turns from start to end.
    func turns() -> [RouteTurn] {
        let kept = simplified()
        var turns: [RouteTurn] = []
        var bend: (along: Double, angle: Double, sharpest: Double, last: Double)?
        func close() {
            guard let bend, abs(bend.angle) >= Self.leastTurn else { return }
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

    /// Change of direction between two distances along the route, clockwise, radians in [−π, π].
    func turn(from start: Double, to end: Double) -> Double {
        let (before, after) = (leg(at: max(0, start)), leg(at: min(length, end)))
        return Angle.wrapped(bearing(leg: after) - bearing(leg: before))
    }

    /// Indices of the vertices needed to stay within `waver` of the polyline.
    ///
    /// Source: Douglas and Peucker, 1973, with an explicit stack, so that no route can overflow the call stack.
    private func simplified() -> [Int] {
        var kept = [Bool](repeating: false, count: points.count)
        kept[0] = true
        kept[points.count - 1] = true
        var spans = [(first: 0, last: points.count - 1, depth: 0)]
        while let (first, last, depth) = spans.popLast() {
            guard last - first >= 2, var split = farthest(between: first, last) else { continue }
            if depth > Self.deepestSplit { split = (first + last) / 2 }
            kept[split] = true
            spans.append((first, split, depth + 1))
            spans.append((split, last, depth + 1))
        }
        return kept.indices.filter { kept[$0] }
    }

    /// Index of the point farthest from the segment between two others; nil if none is off by more than `waver`.
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
