import Geometry

extension Ellipsoid {
    /// The ellipsoid that most of the points lie on, also where a fifth of them is on none.
    ///
    /// The fit to all points, unless one to a part of them leaves half of the points much nearer.
    ///
    /// Source: Rousseeuw, Van Driessen, "Computing LTS regression for large data sets", 2006: fits to few points drawn
    /// by lot (always the same lots), each then drawn to those points that are nearest to it.
    public init?(robust points: [Vector3]) {
        let some = Self.evenly(points, Self.pointsLookedAt)
        let plain = Ellipsoid(algebraic: points) ?? Ellipsoid(sphere: points)
        var best = plain.map { ($0, $0.medianDistance(some) * Self.clearlyBetter) }
        var lots = Lots()
        for _ in 0..<Self.draws {
            let few = (0..<Self.pointsDrawn).map { _ in some[lots.next(below: some.count)] }
            guard var candidate = Ellipsoid(algebraic: few) else { continue }
            for _ in 0..<2 { candidate = candidate.concentrated(some) ?? candidate }
            let distance = candidate.medianDistance(some)
            if distance < best?.1 ?? .infinity { best = (candidate, distance) }
        }
        guard let best else { return nil }
        self = best.0
    }

    /// The fit to those points that are nearest.
    private func concentrated(_ points: [Vector3]) -> Ellipsoid? {
        let ranked = points.map { ($0, distance($0)) }.sorted { $0.1 < $1.1 }
        return Ellipsoid(algebraic: ranked.prefix(ranked.count * 3 / 4).map(\.0))
    }

    /// Up to `count` of them, evenly over their order.
    static func evenly<Element>(_ points: [Element], _ count: Int) -> [Element] {
        guard points.count > count else { return points }
        return (0..<count).map { points[$0 * points.count / count] }
    }

    private static let pointsLookedAt = 600
    /// One in ten draws of 20 points is clean where a tenth of all is not.
    private static let draws = 60
    private static let pointsDrawn = 20
    /// Below what a draw gains by chance.
    private static let clearlyBetter = 0.7
}

/// A sequence that looks random and is always the same. Source: SplitMix64, Steele, Lea, Flood, 2014.
private struct Lots {
    private var state: UInt64 = 0

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(bound))
    }
}
