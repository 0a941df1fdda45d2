import Geometry

/// Search for a place where the borders of an area cross each other or themselves, in bounded time.
///
/// Borders may touch: at vertices, along edges, and by crossing no more than `tolerance`, since plans are drawn to
/// centimetres. What is smaller than that is not seen. Frame of all points: horizontal. Unit: metres.
public struct BorderCheck {
    /// Depth to which borders may cross. Unit: metres.
    public static let tolerance = 0.01
    /// Maximum number of pairs of segments that one value compares in all: a fifth of a second's work. Borders of
    /// buildings need some ten for each segment.
    private static let mostPairs = 40_000_000
    /// Number of pairs whose comparison takes as long as that of one pair that is near each other.
    private static let nearPairCost = 16
    /// Maximum number of places that the segments of one area have in the grid, which takes 4 MB.
    private static let mostEntries = 1_000_000

    /// A place where two borders cross, or one crosses itself.
    public struct Crossing: Hashable, Sendable {
        /// Where. Unit: metres.
        public var point: Vector2
        /// Numbers of the rings, the lower one first; the same for one that crosses itself.
        public var rings: [Int]
    }

    /// What a check found.
    public enum Outcome: Hashable, Sendable {
        /// No crossing.
        case clean
        /// A crossing; there may be others.
        case crossing(Crossing)
        /// More work than is done for one plan: long segments lie side by side in great number.
        case tooIntricate
    }

    private var pairsLeft = BorderCheck.mostPairs

    /// Makes a check for the areas of one plan, one after the other.
    public init() {}

    /// Searches the borders of one area.
    ///
    /// - Parameter rings: finite and closed, without their first point at the end and without repeated points. Unit:
    ///   metres.
    public mutating func check(_ rings: [[Vector2]]) -> Outcome {
        let borders = Borders(rings)
        let grid = SegmentGrid(borders.segments, tolerance: Self.tolerance, mostEntries: Self.mostEntries)
        guard let grid else { return borders.segments.isEmpty ? .clean : .tooIntricate }
        for cell in 0..<grid.cellCount {
            let outcome = check(borders, grid.entries.span, grid.range(ofCell: cell))
            guard outcome == .clean else { return outcome }
        }
        return .clean
    }

    /// Compares each pair of the segments of one cell.
    private mutating func check(_ borders: borrowing Borders, _ entries: Span<Int32>, _ cell: Range<Int>) -> Outcome {
        pairsLeft -= cell.count * (cell.count - 1) / 2
        guard pairsLeft >= 0 else { return .tooIntricate }
        let boxes = borders.boxes.span
        for place in cell {
            let first = Int(entries[place])
            let box = boxes[first]
            for otherPlace in place + 1..<cell.upperBound {
                let second = Int(entries[otherPlace])
                guard box.meets(boxes[second]) else { continue }
                pairsLeft -= Self.nearPairCost
                if let crossing = borders.crossing(first, second) { return .crossing(crossing) }
            }
            guard pairsLeft >= 0 else { return .tooIntricate }
        }
        return .clean
    }
}

/// Rectangle around a segment, half the tolerance larger on each side. Unit: metres.
private struct SegmentBox {
    private let lowest: Vector2
    private let highest: Vector2

    init(_ start: Vector2, _ end: Vector2) {
        let margin = BorderCheck.tolerance / 2
        lowest = Vector2(min(start.x, end.x) - margin, min(start.y, end.y) - margin)
        highest = Vector2(max(start.x, end.x) + margin, max(start.y, end.y) + margin)
    }

    @inline(__always)
    func meets(_ other: SegmentBox) -> Bool {
        highest.x >= other.lowest.x && other.highest.x >= lowest.x && highest.y >= other.lowest.y
            && other.highest.y >= lowest.y
    }
}

/// Segments of several rings, numbered by the vertices at which they start.
private struct Borders {
    private var points: [Vector2] = []
    /// Number of the vertex after each.
    private var next: [Int32] = []
    private var rings: [Int32] = []
    private(set) var boxes: [SegmentBox] = []

    init(_ rings: [[Vector2]]) {
        for (number, ring) in rings.enumerated() where !ring.isEmpty {
            let first = Int32(points.count)
            points += ring
            next += (first + 1)..<(first + Int32(ring.count))
            next.append(first)
            self.rings += repeatElement(Int32(number), count: ring.count)
        }
        boxes = points.indices.map { SegmentBox(points[$0], points[Int(next[$0])]) }
    }

    /// Starts and ends of all segments.
    var segments: [(start: Vector2, end: Vector2)] { points.indices.map { (start(of: $0), end(of: $0)) } }

    private func start(of segment: Int) -> Vector2 { points[segment] }

    private func end(of segment: Int) -> Vector2 { points[Int(next[segment])] }

    /// Where two segments cross; nil if they do not, or only touch.
    func crossing(_ first: Int, _ second: Int) -> BorderCheck.Crossing? {
        guard next[first] != second, next[second] != first else { return nil }
        let point =
            inner(first, second) ?? throughVertex(second, over: first) ?? throughVertex(first, over: second)
            ?? throughCommonVertex(first, second)
        return point.map { BorderCheck.Crossing(point: $0, rings: [Int(rings[first]), Int(rings[second])]) }
    }

    /// Crossing in the middle of both segments: each has its ends on both sides of the other, all of them farther off
    /// than the tolerance.
    private func inner(_ first: Int, _ second: Int) -> Vector2? {
        let (start, end) = (start(of: first), end(of: first))
        guard
            Self.areApart(
                distance(of: self.start(of: second), from: first), distance(of: self.end(of: second), from: first))
        else { return nil }
        let (before, after) = (distance(of: start, from: second), distance(of: end, from: second))
        guard Self.areApart(before, after) else { return nil }
        return start + before / (before - after) * (end - start)
    }

    /// Crossing at the last vertex of a segment, which lies in the middle of another one: the border goes on to that
    /// one's other side.
    private func throughVertex(_ segment: Int, over other: Int) -> Vector2? {
        let vertex = end(of: segment)
        guard distance(of: vertex, from: other).magnitude <= BorderCheck.tolerance else { return nil }
        let direction = end(of: other) - start(of: other)
        let along = direction.dot(vertex - start(of: other)) / direction.norm
        guard along > BorderCheck.tolerance, along < direction.norm - BorderCheck.tolerance else { return nil }
        let before = distance(of: start(of: segment), from: other)
        let after = distance(of: end(of: Int(next[segment])), from: other)
        return Self.areApart(before, after) ? vertex : nil
    }

    /// Crossing of two rings at a vertex that they share: the second comes and goes on two sides of the first.
    private func throughCommonVertex(_ first: Int, _ second: Int) -> Vector2? {
        let vertex = end(of: first)
        guard rings[first] != rings[second], (end(of: second) - vertex).norm <= BorderCheck.tolerance else {
            return nil
        }
        let (before, after) = (start(of: first) - vertex, end(of: Int(next[first])) - vertex)
        let others = [start(of: second) - vertex, end(of: Int(next[second])) - vertex]
        guard others.allSatisfy({ Self.isOff($0, before) && Self.isOff($0, after) }) else { return nil }
        let opening = Self.angle(from: before, to: after)
        let areBetween = others.map { Self.angle(from: before, to: $0) < opening }
        return areBetween[0] == areBetween[1] ? nil : vertex
    }

    /// Whether a point is farther than the tolerance from a ray that begins at the origin.
    private static func isOff(_ point: Vector2, _ ray: Vector2) -> Bool {
        let distance = ray.dot(point) > 0 ? ray.cross(point).magnitude / ray.norm : point.norm
        return distance > BorderCheck.tolerance
    }

    /// Angle between two directions, in [0, 2π). Unit: radians, counter-clockwise.
    private static func angle(from first: Vector2, to second: Vector2) -> Double {
        let angle = Vector2(first.dot(second), first.cross(second)).angle
        return angle < 0 ? angle + 2 * .pi : angle
    }

    /// Signed distance of a point from the line through a segment, positive to its left. Unit: metres.
    private func distance(of point: Vector2, from segment: Int) -> Double {
        let direction = end(of: segment) - start(of: segment)
        return direction.cross(point - start(of: segment)) / direction.norm
    }

    /// Whether two signed distances are on two sides, both beyond the tolerance; false where one is not a number.
    private static func areApart(_ first: Double, _ second: Double) -> Bool {
        let tolerance = BorderCheck.tolerance
        return first > tolerance && second < -tolerance || first < -tolerance && second > tolerance
    }
}
