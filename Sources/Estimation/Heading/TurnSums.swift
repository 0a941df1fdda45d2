import Geometry

/// One round of a robust turn between pairs of vectors: Procrustes' problem with Cauchy's weights about the answer of the
/// round before, and the variance of its angle.
///
/// Source: Holland, Welsch, "Robust regression using iteratively reweighted least-squares", Communications in Statistics
/// 6(9), 1977.
///
/// Equations: docs/filter.md (48) to (50).
struct TurnSums {
    private(set) var fit = PlanarProcrustes()
    /// Squared weights of the pairs, and squared weights times the squared residuals of one axis.
    private var squares = 0.0
    private var scatter = 0.0

    /// Deviations at which Cauchy's weight is one half.
    private static let tuning = 2.0
    /// Rounds until the weights have settled.
    static let rounds = 6

    /// Adds a pair.
    ///
    /// - Parameters:
    ///   - variance: of the difference of `b` and the turned `a`, per axis.
    ///   - answer: turn and scale by the round before; nil in the first.
    /// - Returns: the weight with which the pair counts, by the square of its length.
    @discardableResult
    mutating func add(_ a: Complex, _ b: Complex, variance: Double, against answer: Complex?) -> Double {
        var share = 1.0
        let size = a.squaredLength
        if let answer {
            let square = (b - answer * a).squaredLength / (2 * variance)
            share = 1 / (1 + square / (Self.tuning * Self.tuning))
            let part = share / variance * size
            squares += part * part
            scatter += share * share / variance * size * square
        }
        fit.add(a, b, weight: share / variance)
        return share / variance * size
    }

    /// Variance of the angle for vectors of scale 1, by the noise as it is assumed or by the residuals as they are,
    /// whichever is larger. Unit: rad².
    var variance: Double {
        let weight = fit.squareOfA
        // Few pairs scatter less than they are wrong.
        let count = weight * weight / max(1e-300, squares)
        let seen = scatter / (weight * weight) * count / max(0.5, count - 1)
        return max(1 / weight, seen)
    }
}
