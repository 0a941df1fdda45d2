import Geometry

extension Ellipsoid {
    /// Robust fit of an ellipsoid, with up to a fifth of outliers.
    ///
    /// The fit to all points, unless a fit to a subset has a much smaller median distance.
    ///
    /// Source: Rousseeuw, Van Driessen, "Computing LTS regression for large data sets", 2006: fits to small random
    /// subsets (from a fixed seed), each followed by concentration steps to the nearest points.
    public init?(robust points: [Vector3]) {
        let some = Self.evenly(points, Self.pointsLookedAt)
        let plain = Ellipsoid(algebraic: points) ?? Ellipsoid(sphere: points)
        var best = plain.map { ($0, $0.medianDistance(some) * Self.clearlyBetter) }
        var random = FixedRandom()
        for _ in 0..<Self.draws {
            let few = (0..<Self.pointsDrawn).map { _ in some[random.next(below: some.count)] }
            guard var candidate = Ellipsoid(algebraic: few) else { continue }
            for _ in 0..<2 { candidate = candidate.concentrated(some) ?? candidate }
            let distance = candidate.medianDistance(some)
            if distance < best?.1 ?? .infinity { best = (candidate, distance) }
        }
        guard let best else { return nil }
        self = best.0
    }

    /// Concentration step: the fit to the nearest three quarters of the points.
    private func concentrated(_ points: [Vector3]) -> Ellipsoid? {
        let ranked = points.map { ($0, distance($0)) }.sorted { $0.1 < $1.1 }
        return Ellipsoid(algebraic: ranked.prefix(ranked.count * 3 / 4).map(\.0))
    }

    /// Up to `count` elements, evenly spaced in their order.
    static func evenly<Element>(_ points: [Element], _ count: Int) -> [Element] {
        guard points.count > count else { return points }
        return (0..<count).map { points[$0 * points.count / count] }
    }

    /// Number of points of the median distances.
    private static let pointsLookedAt = 600
    /// Number of subsets. With a tenth of outliers, one in ten subsets of 20 points has none.
    private static let draws = 60
    /// Number of points of a subset.
    private static let pointsDrawn = 20
    /// Ratio of median distances below which a subset wins; chance alone does not reach it.
    private static let clearlyBetter = 0.7
}

/// Pseudorandom sequence with a fixed seed. Source: SplitMix64, Steele, Lea, Flood, 2014.
private struct FixedRandom {
    private var state: UInt64 = 0

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(bound))
    }
}
