import Geometry

/// Bounding-box hierarchy over the legs of a route, sixteen to a node, so that a search skips what is far away.
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

    /// Boxes of 16 legs each, then of 16 such boxes each, and so on; the last level has few.
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

    /// Number of legs from `leg` on whose common box is farther from the point than `bound`; 0 if no such box begins
    /// with this leg.
    func legsBeyond(_ bound: Double, of point: Vector3, from leg: Int) -> Int {
        for level in levels.indices.reversed() {
            let bits = Self.shift * (level + 1)
            guard leg & ((1 << bits) - 1) == 0 else { continue }
            if levels[level][leg >> bits].squaredDistance(to: point) > bound * bound { return 1 << bits }
        }
        return 0
    }
}
