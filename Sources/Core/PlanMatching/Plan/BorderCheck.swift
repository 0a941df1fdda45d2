import Geometry

/// Search for a place where the borders of an area intersect each other or themselves, in bounded time.
///
/// Borders may touch at vertices and along edges. They may also cross by up to `tolerance`, because plans are drawn to
/// centimetres; such crossings are not detected. Frame of all points: horizontal. Unit: metres.
public struct BorderCheck {
    /// Depth up to which borders may cross. Unit: metres.
    public static let tolerance = 0.01
    /// Maximum number of segment pairs that one `BorderCheck` compares in total, which takes a fifth of a second.
    /// Borders of buildings need about ten pairs per segment.
    private static let maximumPairCount = 40_000_000
    /// Cost of comparing two segments that are near each other, as a multiple of the cost for distant segments.
    private static let nearPairCost = 16
    /// Maximum number of grid entries for the segments of one area, which take 4 MB.
    private static let maximumEntryCount = 1_000_000

    /// Place where two borders cross, or where a border crosses itself.
    public struct Crossing: Hashable, Sendable {
        /// Location. Unit: metres.
        public var point: Vector2
        /// Numbers of the two rings, the lower number first; equal if a ring crosses itself.
        public var rings: [Int]
    }

    /// Result of a check.
    public enum Outcome: Hashable, Sendable {
        /// No crossing.
        case clean
        /// A crossing; there may be others.
        case crossing(Crossing)
        /// The work exceeds the limit for one plan, because many long segments lie side by side.
        case tooIntricate
    }

    private var pairsLeft = BorderCheck.maximumPairCount

    /// Makes a check for all areas of one plan.
    public init() {}

    /// Searches the borders of one area.
    ///
    /// - Parameter rings: finite and closed. The first point is not repeated at the end, and no other point is
    ///   repeated. Unit: metres.
    public mutating func check(_ rings: [[Vector2]]) -> Outcome {
        let borders = Borders(rings)
        let grid = SegmentGrid(borders.segments, tolerance: Self.tolerance, maximumEntryCount: Self.maximumEntryCount)
        guard let grid else { return borders.segments.isEmpty ? .clean : .tooIntricate }
        for cell in 0..<grid.cellCount {
            let outcome = check(borders, grid.entries.span, grid.range(ofCell: cell))
            guard outcome == .clean else { return outcome }
        }
        return .clean
    }

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

/// Rectangle around a segment, enlarged by half the tolerance on each side. Unit: metres.
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

/// Segments of several rings, numbered by their start vertices.
private struct Borders {
    private var points: [Vector2] = []
    /// Number of the vertex after each vertex.
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

    var segments: [(start: Vector2, end: Vector2)] { points.indices.map { (start(of: $0), end(of: $0)) } }

    private func start(of segment: Int) -> Vector2 { points[segment] }

    private func end(of segment: Int) -> Vector2 { points[Int(next[segment])] }

    /// Returns the crossing of two segments; nil if they do not cross, or only touch.
    func crossing(_ first: Int, _ second: Int) -> BorderCheck.Crossing? {
        guard next[first] != second, next[second] != first else { return nil }
        let point =
            inner(first, second) ?? throughVertex(second, over: first) ?? throughVertex(first, over: second)
            ?? throughCommonVertex(first, second)
        return point.map { BorderCheck.Crossing(point: $0, rings: [Int(rings[first]), Int(rings[second])]) }
    }

    /// Returns a crossing in the middle of both segments. The two ends of each segment are then on different sides of
    /// the other segment, and farther from it than the tolerance.
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

    /// Returns a crossing at the end of `segment`, if this vertex lies on the middle of `other`. The border then
    /// arrives on one side of `other` and continues on the opposite side.
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

    /// Returns a crossing of two rings at a shared vertex. The second ring then arrives and leaves on different sides
    /// of the first.
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

    /// Returns the angle from one direction to another, in [0, 2π). Unit: radians, counter-clockwise.
    private static func angle(from first: Vector2, to second: Vector2) -> Double {
        let angle = Vector2(first.dot(second), first.cross(second)).angle
        return angle < 0 ? angle + 2 * .pi : angle
    }

    /// Returns the signed distance from the line through a segment to a point, positive to its left. Unit: metres.
    private func distance(of point: Vector2, from segment: Int) -> Double {
        let direction = end(of: segment) - start(of: segment)
        return direction.cross(point - start(of: segment)) / direction.norm
    }

    /// Whether two signed distances have different signs and both exceed the tolerance. False if one is NaN.
    private static func areApart(_ first: Double, _ second: Double) -> Bool {
        let tolerance = BorderCheck.tolerance
        return first > tolerance && second < -tolerance || first < -tolerance && second > tolerance
    }
}
