/// Ranges of the border within which hints may be moved apart. Each hint stays within a reach of its ideal position,
/// and at least a spacing from the next hint.
///
/// Unit of arcs: half the display's height.
struct HintLimits {
    struct Claim {
        /// Arc of the hint's ideal position.
        var arc: Double
        /// Additional distance that the hint needs from its neighbours, as hysteresis.
        var margin = 0.0
    }

    /// Indices of the claims, clockwise from the first claim after the widest gap.
    private let order: [Int]
    /// Arcs in the order of `order`, continued beyond the perimeter.
    private let arcs: [Double]
    private var low: [Double]
    private var high: [Double]
    private let spacing: Double

    /// Makes the limits of hints; nil if there is no room for all of them.
    init?(_ claims: [Claim], on border: DisplayBorder, spacing: Double, reach: Double) {
        self.spacing = spacing
        let round = claims.map { border.clockwise(from: 0, to: $0.arc) }
        let sorted = claims.indices.sorted { (round[$0], $0) < (round[$1], $1) }
        var (first, widest) = (0, -Double.infinity)
        for place in sorted.indices {
            let gap =
                place == 0
                ? round[sorted[0]] + border.perimeter - round[sorted[sorted.count - 1]]
                : round[sorted[place]] - round[sorted[place - 1]]
            if gap > widest { (first, widest) = (place, gap) }
        }
        if claims.count > 1, widest < spacing + 2 * reach { return nil }
        let order = Array(sorted[first...] + sorted[..<first])
        self.order = order
        arcs = order.map { round[$0] + (round[$0] < round[order[0]] ? border.perimeter : 0) }
        low = arcs.map { $0 - reach }
        high = arcs.map { $0 + reach }
        for place in low.indices.dropFirst() {
            let margin = max(claims[order[place]].margin, claims[order[place - 1]].margin)
            low[place] = max(low[place], low[place - 1] + spacing + margin)
            guard low[place] <= high[place] else { return nil }
        }
        for place in high.indices.dropLast().reversed() {
            high[place] = min(high[place], high[place + 1] - spacing)
        }
    }

    /// Returns the arcs within the limits that are nearest to the given arcs, in the order of the claims.
    func clamped(_ wanted: [Double], on border: DisplayBorder) -> [Double] {
        var found = wanted
        var last = -Double.infinity
        for (place, index) in order.enumerated() {
            let arc = arcs[place] + border.distance(from: arcs[place], to: wanted[index])
            // The upper limit is never less than the previous arc plus the spacing.
            last = max(min(max(arc, low[place]), high[place]), last + spacing)
            found[index] = last
        }
        return found
    }
}
