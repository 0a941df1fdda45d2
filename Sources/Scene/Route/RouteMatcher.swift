import Geometry

/// Keeps apart the strands of a route that run near the wearer, by how well each explains the way walked.
///
/// Where a route leads out and back along one street, crosses itself or runs past itself, the nearest point alone says
/// nothing. Each strand near the last place on the route is held with its cost: what the wearer moved differently than
/// along it (exponential, accumulated), and how far from it he is now (Gaussian, not accumulated, for errors of satellites
/// last minutes). Whoever turns round a few metres before the end of a dead end so is on its way back as soon as he has
/// walked these metres, and whoever stands there in poor reception stays on his way out.
///
/// Source: Newson and Krumm, "Hidden Markov map matching through noise and sparseness", 2009, for the two costs.
struct RouteMatcher: Sendable {
    /// One way in which the wearer may be on the route.
    private struct Strand: Sendable {
        var place: RouteLine.Nearest
        /// Of the way walked, in units of −log likelihood.
        var cost: Double
        /// Together with the cost of the place.
        var score: Double
    }

    /// The most likely first.
    private var strands: [Strand] = []
    private var spare: [Strand] = []
    /// Where the most likely strand began, as long as the others that were near then are not given up.
    private var beginning: Double?
    /// Where the wearer was last on the route. Frame: that of the line.
    private var last = Vector3.zero

    /// The most likely place on the route; nil before there is one.
    var place: RouteLine.Nearest? { strands.first?.place }

    /// A way walked that differs by this from the way along the route is e times less likely. Unit: metres.
    private static let wayScale = 4.0
    /// Positions are no better than this, whatever is said of them. Unit: metres.
    private static let leastDeviation = 5.0
    /// Strands that are less likely than the best by exp(−20) are forgotten.
    private static let worstScore = 20.0
    private static let mostStrands = 6
    /// Strands within this along the route are one. Unit: metres.
    private static let sameStrand = 2.0
    /// How far a walker may go back, and on, besides what he moved. Unit: metres.
    private static let back = 15.0
    private static let ahead = 50.0
    /// The route may be so much longer than the straight line between two positions, but no more than so many metres.
    private static let detour = 1.5
    private static let longestDetour = 300.0
    /// What makes the other strands less likely where nothing is known of the way: a walker begins at the beginning, until
    /// he has walked a dozen metres the other way.
    private static let otherStrand = 6.0
    /// And each later one less likely than the one before.
    private static let laterStrand = 0.5
    /// So far along the route it is decided on which strand the walk began; what runs in parallel for longer, such as the next
    /// round of a course, never tells the difference. Unit: metres.
    private static let decision = 40.0
    /// Strands farther than this along the route from the best are other ones. Unit: metres.
    private static let otherWay = 100.0

    /// The stretch of the route in which the next place is looked for.
    private static func window(_ along: Double, moved: Double) -> ClosedRange<Double> {
        let more = min(detour * moved, longestDetour)
        return (along - back - more)...(along + ahead + more)
    }

    /// Begins anew with strands that are equally near, in their order along the route.
    mutating func begin(at point: Vector3, _ places: [RouteLine.Nearest]) {
        last = point
        beginning = places.first?.along
        strands = places.prefix(Self.mostStrands).enumerated().map { order, place in
            let cost = order == 0 ? 0 : Self.otherStrand + Self.laterStrand * Double(order)
            return Strand(place: place, cost: cost, score: cost)
        }
    }

    /// Goes on to the next position; false, and all as it was, where no strand near the last place is within `reach`.
    ///
    /// - Parameter deviation: of the position. Unit: metres.
    mutating func follow(_ point: Vector3, on line: RouteLine, deviation: Double, reach: Double) -> Bool {
        let moved = (point - last).norm
        spare.removeAll(keepingCapacity: true)
        for strand in strands {
            let window = Self.window(strand.place.along, moved: moved)
            extend(
                strand, moved: moved, deviation: deviation,
                line.valleys(
                    near: point, within: max(0, window.lowerBound)...min(line.length, window.upperBound),
                    bound: reach, limit: Self.mostStrands))
        }
        return settle(at: point)
    }

    /// Goes on to places that are not near the last one, from the most likely strand.
    mutating func leap(_ point: Vector3, to places: [RouteLine.Nearest], deviation: Double) -> Bool {
        guard let strand = strands.first else { return false }
        spare.removeAll(keepingCapacity: true)
        extend(strand, moved: (point - last).norm, deviation: deviation, places)
        return settle(at: point)
    }

    private mutating func extend(
        _ strand: Strand, moved: Double, deviation: Double, _ places: [RouteLine.Nearest]
    ) {
        for place in places {
            let cost = strand.cost + abs(place.along - strand.place.along - moved) / Self.wayScale
            let share = place.distance / max(deviation, Self.leastDeviation)
            let next = Strand(place: place, cost: cost, score: cost + Self.cost(ofDeviations: share))
            if let same = spare.firstIndex(where: { abs($0.place.along - place.along) < Self.sameStrand }) {
                if next.score < spare[same].score { spare[same] = next }
            } else {
                spare.append(next)
            }
        }
    }

    /// Of a Gaussian, and beyond two deviations linear: reflections are no rarer than they are. Source: Huber, 1964.
    private static func cost(ofDeviations share: Double) -> Double {
        share < 2 ? share * share / 2 : 2 * share - 2
    }

    private mutating func settle(at point: Vector3) -> Bool {
        guard !spare.isEmpty else { return false }
        // Of equally likely ones the earlier.
        spare.sort { ($0.score, $0.place.along) < ($1.score, $1.place.along) }
        let best = spare[0]
        swap(&strands, &spare)
        strands.removeAll { $0.score > best.score + Self.worstScore }
        if let start = beginning, abs(best.place.along - start) > Self.decision { beginning = nil }
        if beginning == nil { strands.removeAll { abs($0.place.along - best.place.along) > Self.otherWay } }
        if strands.count > Self.mostStrands { strands.removeLast(strands.count - Self.mostStrands) }
        // Costs stay small however long the way is.
        for index in strands.indices { strands[index].cost -= best.cost }
        last = point
        return true
    }
}
