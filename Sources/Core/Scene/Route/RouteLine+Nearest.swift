import Geometry

// Search for the points of the route nearest to a given point.
extension RouteLine {
    /// Rise of the distance between two minima above which they count as two strands of the route. Unit: metres.
    private static let valleyDepth = 2.0
    /// Number of legs between the samples from which a first bound of the distance is found.
    private static let sampling = 256

    /// Returns the nearest point of the route between two distances along it. This range must overlap the route.
    ///
    /// - Parameter hint: distance along the route near which the result is likely to be, which shortens the search.
    func nearest(to point: Vector3, within range: ClosedRange<Double>, hint: Double? = nil) -> Nearest {
        let first = leg(at: range.lowerBound)
        let last = leg(at: range.upperBound)
        var best = nearest(to: point, leg: first, within: range)
        func look(at leg: Int) {
            let candidate = nearest(to: point, leg: leg, within: range)
            // If several points are equally near, the earliest is used.
            if (candidate.distance, candidate.along) < (best.distance, best.along) { best = candidate }
        }
        if let hint {
            look(at: min(max(leg(at: hint), first), last))
        } else {
            for sample in stride(from: first, through: last, by: Self.sampling) { look(at: sample) }
        }
        var leg = first
        while leg <= last {
            let beyond = boxes.legsBeyond(best.distance, of: point, from: leg)
            guard beyond == 0 else {
                leg += beyond
                continue
            }
            look(at: leg)
            leg += 1
        }
        return best
    }

    /// Returns the local minima of the distance from a point between two distances along the route. These are the
    /// nearest points of each strand within `bound`, in order and at most `limit`.
    func valleys(near point: Vector3, within range: ClosedRange<Double>, bound: Double, limit: Int) -> [Nearest] {
        var found = Valleys(bound: bound, depth: Self.valleyDepth)
        let last = leg(at: range.upperBound)
        var leg = leg(at: range.lowerBound)
        found.take(nearest(to: point, leg: leg, within: range.lowerBound...range.lowerBound))
        while leg <= last, found.nearest.count < limit {
            let beyond = boxes.legsBeyond(bound + Self.valleyDepth, of: point, from: leg)
            guard beyond == 0 else {
                found.leaveOut()
                leg += beyond
                continue
            }
            found.take(nearest(to: point, leg: leg, within: range))
            let end = min(alongs[leg + 1], range.upperBound)
            found.take(nearest(to: point, leg: leg, within: end...end))
            leg += 1
        }
        found.leaveOut()
        return Array(found.nearest.prefix(limit))
    }

    private func nearest(to point: Vector3, leg: Int, within range: ClosedRange<Double>) -> Nearest {
        let start = points[leg]
        let offset = points[leg + 1] - start
        let legLength = alongs[leg + 1] - alongs[leg]
        let projected = alongs[leg] + (point - start).dot(offset) / legLength
        let along = min(max(projected, alongs[leg], range.lowerBound), alongs[leg + 1], range.upperBound)
        let foot = start + offset * ((along - alongs[leg]) / legLength)
        return Nearest(along: along, distance: (point - foot).norm)
    }
}

/// Local minima of a distance that is given sample by sample.
private struct Valleys {
    let bound: Double
    let depth: Double
    private(set) var nearest: [RouteLine.Nearest] = []
    /// Lowest sample of the current valley; nil while the distance increases.
    fileprivate var lowest: RouteLine.Nearest?
    fileprivate var peak = Double.infinity

    mutating func take(_ point: RouteLine.Nearest) {
        if let lowest {
            if point.distance < lowest.distance {
                self.lowest = point
            } else if point.distance > lowest.distance + depth {
                close(peak: point.distance)
            }
        } else if point.distance < peak - depth {
            lowest = point
        } else {
            peak = max(peak, point.distance)
        }
    }

    /// Ends the valley, because the search skips a distant stretch.
    mutating func leaveOut() { close(peak: .infinity) }

    private mutating func close(peak: Double) {
        if let lowest, lowest.distance <= bound { nearest.append(lowest) }
        lowest = nil
        self.peak = peak
    }
}

/// Hierarchy of bounding boxes over the legs of a route, with which a search skips distant legs. Each node has sixteen
/// children.
struct RouteBoxes: Sendable {
    private struct Box {
        var low: Vector3
        var high: Vector3

        func squaredDistance(to point: Vector3) -> Double {
            let x = max(low.x - point.x, 0, point.x - high.x)
            let y = max(low.y - point.y, 0, point.y - high.y)
            let z = max(low.z - point.z, 0, point.z - high.z)
            return x * x + y * y + z * z
        }

        mutating func include(_ other: Box) {
            low = Vector3(min(low.x, other.low.x), min(low.y, other.low.y), min(low.z, other.low.z))
            high = Vector3(max(high.x, other.high.x), max(high.y, other.high.y), max(high.z, other.high.z))
        }
    }

    /// Boxes of 16 legs each, then of 16 such boxes each, and so on. The last level has few boxes.
    private var levels: [[Box]] = []

    private static let shift = 4

    init() {}

    init(_ points: [Vector3]) {
        var boxes: [Box] = []
        for first in stride(from: 0, to: points.count - 1, by: 1 << Self.shift) {
            var box = Box(low: points[first], high: points[first])
            for point in points[first...min(first + 1 << Self.shift, points.count - 1)] {
                box.include(Box(low: point, high: point))
            }
            boxes.append(box)
        }
        levels = [boxes]
        while boxes.count > 1 << Self.shift {
            boxes = stride(from: 0, to: boxes.count, by: 1 << Self.shift).map { first in
                boxes[first..<min(first + 1 << Self.shift, boxes.count)].dropFirst().reduce(into: boxes[first]) {
                    $0.include($1)
                }
            }
            levels.append(boxes)
        }
    }

    /// Returns the number of legs, starting at `leg`, whose common box is farther from the point than `bound`; 0 if no
    /// such box begins with this leg.
    func legsBeyond(_ bound: Double, of point: Vector3, from leg: Int) -> Int {
        for level in levels.indices.reversed() {
            let bits = Self.shift * (level + 1)
            guard leg & ((1 << bits) - 1) == 0 else { continue }
            if levels[level][leg >> bits].squaredDistance(to: point) > bound * bound { return 1 << bits }
        }
        return 0
    }
}
