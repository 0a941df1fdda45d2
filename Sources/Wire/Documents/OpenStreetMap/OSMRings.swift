import Geometry
import PlanMatching

/// Rings of a multipolygon relation, joined from its ways and sorted into areas.
///
/// Source: OpenStreetMap, "Relation:multipolygon".
enum OSMRings {
    /// Maximum number of comparisons between a hole and a vertex of an outer ring. These take a fifth of a second.
    private static let maximumComparisonCount = 20_000_000

    /// Joins ways that end at the same nodes, in the order of the relation. A line that cannot be closed ends where no
    /// other way continues it.
    static func joined(_ ways: [[Int64]]) -> [[Int64]] {
        var waiting: [Int64: [Int]] = [:]
        for (index, way) in ways.enumerated().reversed() {
            guard let first = way.first, let last = way.last, first != last else { continue }
            waiting[first, default: []].append(index)
            waiting[last, default: []].append(index)
        }
        var isUsed = [Bool](repeating: false, count: ways.count)
        var rings: [[Int64]] = []
        for (index, way) in ways.enumerated() where !isUsed[index] && !way.isEmpty {
            isUsed[index] = true
            var ring = way
            while let end = ring.last, end != ring.first, let next = takeUnused(&waiting[end], &isUsed) {
                ring += ways[next].first == end ? ways[next].dropFirst() : ways[next].reversed().dropFirst()
            }
            rings.append(ring)
        }
        return rings
    }

    private static func takeUnused(_ indices: inout [Int]?, _ isUsed: inout [Bool]) -> Int? {
        while let index = indices?.popLast() {
            guard isUsed[index] else {
                isUsed[index] = true
                return index
            }
        }
        return nil
    }

    /// Areas, each as an outer ring followed by its holes. A hole belongs to the smallest outer ring around it; a hole
    /// outside all outer rings is assigned to the first one, where it has no effect. Nil if too many comparisons would
    /// be needed.
    static func areas(
        outers: [[PlanPoint]], inners: [[PlanPoint]], local: (PlanPoint) -> Vector2
    ) -> [[[PlanPoint]]]? {
        guard outers.count > 1 else { return outers.map { [$0] + inners } }
        let vertexCount = outers.reduce(0) { $0 + $1.count }
        guard inners.count * vertexCount <= maximumComparisonCount else { return nil }
        let rings = outers.map { $0.map(local) }
        let order = rings.indices.sorted { PlanRing.area(of: rings[$0]) < PlanRing.area(of: rings[$1]) }
        let borderPoints = Set(outers.joined())
        var areas = outers.map { [$0] }
        for inner in inners {
            // A hole may touch its outer ring at vertices, for which the result of the inside test is arbitrary.
            let free = inner.first { !borderPoints.contains($0) }
            let point = free.map(local) ?? 0.5 * (local(inner[0]) + local(inner[1]))
            areas[order.first { PlanRing.contains(point, in: rings[$0]) } ?? 0].append(inner)
        }
        return areas
    }
}
