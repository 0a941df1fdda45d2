import Geometry

/// Map matching of the wearer to the strand of a route that best explains the displacement.
///
/// If a route runs out and back along one street, crosses itself or passes near itself, the nearest point alone is
/// ambiguous. Each strand near the last position on the route is therefore a hypothesis, and its cost has two parts.
/// One is the difference between the displacement and the distance along the strand (exponential, accumulated). The
/// other is the current distance from the strand (Gaussian, not accumulated, because GNSS errors are correlated over
/// minutes). A wearer who turns round a few metres before the end of a dead end is matched to the way back after the
/// same number of metres. A wearer who stands there in poor reception stays on the way out.
///
/// Source of both costs: Newson and Krumm, "Hidden Markov map matching through noise and sparseness", 2009.
struct RouteMatcher: Sendable {
    /// Hypothesis of the wearer's position on the route.
    private struct Strand: Sendable {
        var place: RouteLine.Nearest
        /// Accumulated cost of the displacement, as negative log-likelihood.
        var cost: Double
        /// Sum of `cost` and the cost of the current distance.
        var score: Double
    }

    /// Strands, most likely first.
    private var strands: [Strand] = []
    private var spare: [Strand] = []
    /// Distance along the route at which the walk began, on the most likely strand. Nil once the wearer has moved on by
    /// more than `decision`, because it is then decided on which strand the walk began.
    private var beginning: Double?
    /// Last position of the wearer, in the frame of the line.
    private var last = Vector3.zero

    /// Most likely position on the route; nil before the first position.
    var place: RouteLine.Nearest? { strands.first?.place }

    /// Scale of the exponential cost. A displacement that differs by this much from the distance along the route is
    /// less likely by the factor e. Unit: metres.
    private static let distanceScale = 4.0
    /// Least standard deviation that is assumed for a position, whatever accuracy is reported. Unit: metres.
    private static let minimumStandardDeviation = 5.0
    /// Score above that of the best strand at which a strand is rejected: a likelihood of exp(−20).
    private static let worstScore = 20.0
    private static let maximumStrandCount = 6
    /// Distance along the route within which two strands are merged. Unit: metres.
    private static let sameStrand = 2.0
    /// Range behind and ahead of the last position that is searched, in addition to the distance that the displacement
    /// may cover along the route. Unit: metres.
    private static let back = 15.0
    private static let ahead = 50.0
    /// Greatest ratio of the distance along the route to the straight line between two positions, and greatest such
    /// distance in metres.
    private static let detour = 1.5
    private static let maximumDetour = 300.0
    /// Initial cost of all strands but the first, while no displacement is known. The wearer is assumed to be on the
    /// first strand until a dozen metres have been walked in the opposite direction.
    private static let otherStrand = 6.0
    /// Additional initial cost of each later strand.
    private static let laterStrand = 0.5
    /// Distance along the route within which it is decided on which strand the walk began. Strands that run in parallel
    /// for longer, such as two rounds of a course, cannot be distinguished. Unit: metres.
    private static let decision = 40.0
    /// Distance along the route from the best strand beyond which a strand counts as another passage. It is then
    /// rejected once it is decided on which strand the walk began. Unit: metres.
    private static let otherPassage = 100.0

    /// Returns the stretch of the route in which the next position is searched for.
    private static func window(_ along: Double, moved: Double) -> ClosedRange<Double> {
        let more = min(detour * moved, maximumDetour)
        return (along - back - more)...(along + ahead + more)
    }

    /// Starts again with strands that are equally near, in order along the route.
    mutating func begin(at point: Vector3, _ places: [RouteLine.Nearest]) {
        last = point
        beginning = places.first?.along
        strands = places.prefix(Self.maximumStrandCount).enumerated().map { order, place in
            let cost = order == 0 ? 0 : Self.otherStrand + Self.laterStrand * Double(order)
            return Strand(place: place, cost: cost, score: cost)
        }
    }

    /// Matches the next position. Returns false and leaves the state unchanged if no strand near the last position is
    /// within `reach`.
    ///
    /// - Parameter standardDeviation: standard deviation of the position along each axis. Unit: metres.
    mutating func follow(_ point: Vector3, on line: RouteLine, standardDeviation: Double, reach: Double) -> Bool {
        let moved = (point - last).norm
        spare.removeAll(keepingCapacity: true)
        for strand in strands {
            let window = Self.window(strand.place.along, moved: moved)
            extend(
                strand, moved: moved, standardDeviation: standardDeviation,
                line.valleys(
                    near: point, within: max(0, window.lowerBound)...min(line.length, window.upperBound),
                    bound: reach, limit: Self.maximumStrandCount))
        }
        return settle(at: point)
    }

    /// Matches the next position to points that are not near the last position. Starts from the most likely strand.
    mutating func jump(_ point: Vector3, to places: [RouteLine.Nearest], standardDeviation: Double) -> Bool {
        guard let strand = strands.first else { return false }
        spare.removeAll(keepingCapacity: true)
        extend(strand, moved: (point - last).norm, standardDeviation: standardDeviation, places)
        return settle(at: point)
    }

    private mutating func extend(
        _ strand: Strand, moved: Double, standardDeviation: Double, _ places: [RouteLine.Nearest]
    ) {
        for place in places {
            let cost = strand.cost + abs(place.along - strand.place.along - moved) / Self.distanceScale
            let share = place.distance / max(standardDeviation, Self.minimumStandardDeviation)
            let next = Strand(place: place, cost: cost, score: cost + Self.cost(ofStandardDeviations: share))
            if let same = spare.firstIndex(where: { abs($0.place.along - place.along) < Self.sameStrand }) {
                if next.score < spare[same].score { spare[same] = next }
            } else {
                spare.append(next)
            }
        }
    }

    /// Returns the Huber cost, which is Gaussian up to two standard deviations and linear beyond, because multipath is
    /// common. Source: Huber, 1964.
    private static func cost(ofStandardDeviations share: Double) -> Double {
        share < 2 ? share * share / 2 : 2 * share - 2
    }

    private mutating func settle(at point: Vector3) -> Bool {
        guard !spare.isEmpty else { return false }
        // If strands are equally likely, the one that is earlier along the route comes first.
        spare.sort { ($0.score, $0.place.along) < ($1.score, $1.place.along) }
        let best = spare[0]
        swap(&strands, &spare)
        strands.removeAll { $0.score > best.score + Self.worstScore }
        if let start = beginning, abs(best.place.along - start) > Self.decision { beginning = nil }
        if beginning == nil { strands.removeAll { abs($0.place.along - best.place.along) > Self.otherPassage } }
        if strands.count > Self.maximumStrandCount { strands.removeLast(strands.count - Self.maximumStrandCount) }
        // Costs are relative to the best strand, so that they stay bounded.
        for index in strands.indices { strands[index].cost -= best.cost }
        last = point
        return true
    }
}
