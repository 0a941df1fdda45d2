import Glibc

/// A rotation of the plane together with a scale.
@frozen
public struct PlanarSimilarity: Hashable, Sendable {
    /// Cosine of the angle, times the scale.
    @usableFromInline let cosine: Double
    /// Sine of the angle, times the scale.
    @usableFromInline let sine: Double

    @inlinable
    init(cosine: Double, sine: Double) {
        self.cosine = cosine
        self.sine = sine
    }

    /// Rotation by an angle, counter-clockwise, with a scale. Unit: radians.
    @inlinable
    public init(angle: Double, scale: Double = 1) { self.init(cosine: cos(angle) * scale, sine: sin(angle) * scale) }

    /// Rotates and scales a vector.
    @inlinable
    public static func * (similarity: PlanarSimilarity, v: Vector2) -> Vector2 {
        Vector2(similarity.cosine * v.x - similarity.sine * v.y, similarity.cosine * v.y + similarity.sine * v.x)
    }
}

/// Weighted alignment of pairs of vectors in the plane, an orthogonal Procrustes problem. It finds the angle ψ and the
/// scale s that minimise `Σ w·|b − s·R(ψ)·a|²`.
///
/// In closed form `s·(cos ψ, sin ψ) = Σ w·(a·b, a×b) / Σ w·|a|²`.
///
/// Source: Schönemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31(1), 1966.
@frozen
public struct PlanarAlignment: Hashable, Sendable {
    /// Weighted sums of the scalar products and of the cross products, Σ w·a·b and Σ w·a×b.
    public private(set) var product = Vector2()
    /// Weighted sum of the squared norms of the vectors a, Σ w·|a|².
    public private(set) var squareOfA = 0.0
    /// Weighted sum of the squared norms of the vectors b, Σ w·|b|².
    public private(set) var squareOfB = 0.0

    /// Makes an alignment without pairs.
    public init() {}

    /// Adds the pair of `a` and `b` with a weight, which is the inverse of the pair's variance.
    public mutating func add(_ a: Vector2, _ b: Vector2, weight: Double) {
        product = product + weight * Vector2(a.dot(b), a.cross(b))
        squareOfA += weight * a.squaredNorm
        squareOfB += weight * b.squaredNorm
    }

    /// Angle from a to b, counter-clockwise. Unit: radians.
    public var angle: Double { product.angle }

    /// Scale from a to b; NaN without any pair.
    public var scale: Double { product.norm / squareOfA }

    /// Rotation and scale from a to b; NaN without any pair.
    public var similarity: PlanarSimilarity {
        let factor = 1 / squareOfA
        return PlanarSimilarity(cosine: factor * product.x, sine: factor * product.y)
    }

    /// Correlation of the two shapes, independent of their scales. It is 1 if a rotation and a scale map each a exactly
    /// to b.
    public var likeness: Double { product.norm / (squareOfA * squareOfB).squareRoot() }
}

/// One round of iteratively reweighted least squares for a robust planar alignment. The Cauchy weight of a pair depends
/// on its residual from the solution of the previous round.
///
/// Source: Holland, Welsch, "Robust regression using iteratively reweighted least-squares", Communications in
/// Statistics 6(9), 1977.
///
/// Equations: docs/filter.md (48) to (50).
public struct RobustPlanarAlignment: Sendable {
    /// Alignment with the weights of this round.
    public private(set) var fit = PlanarAlignment()
    /// Sum of the squares of the weights that the pairs have in the angle.
    private var squares = 0.0
    /// Sum of the same squares, each times the variance of the angle that the pair's residual indicates.
    private var scatter = 0.0

    /// Normalized residual at which the Cauchy weight is one half. Unit: standard deviations.
    private static let tuning = 2.0
    /// Number of rounds after which the weights have settled.
    public static let rounds = 6

    /// Makes a round without pairs.
    public init() {}

    /// Adds a pair.
    ///
    /// - Parameters:
    ///   - a: vector before alignment.
    ///   - b: vector that `a` is aligned with.
    ///   - variance: variance of `b − s·R(ψ)·a` along each axis.
    ///   - answer: rotation and scale from the previous round; nil in the first round.
    /// - Returns: weight of the pair in the angle: its robust weight times the squared norm of `a`.
    @discardableResult
    public mutating func add(
        _ a: Vector2, _ b: Vector2, variance: Double, against answer: PlanarSimilarity?
    ) -> Double {
        var share = 1.0
        let size = a.squaredNorm
        if let answer {
            let square = (b - answer * a).squaredNorm / (2 * variance)
            share = 1 / (1 + square / (Self.tuning * Self.tuning))
            let part = share / variance * size
            squares += part * part
            scatter += share * share / variance * size * square
        }
        fit.add(a, b, weight: share / variance)
        return share / variance * size
    }

    /// Variance of the angle if the scale s is 1. It is computed from the given variances and from the residuals, and
    /// the larger value is taken. Unit: rad².
    public var variance: Double {
        let weight = fit.squareOfA
        // With few pairs the scatter of the residuals underestimates the error.
        let count = weight * weight / max(1e-300, squares)
        let seen = scatter / (weight * weight) * count / max(0.5, count - 1)
        return max(1 / weight, seen)
    }
}
