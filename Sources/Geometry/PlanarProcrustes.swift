/// Procrustes' problem in the plane: the turn and scale that bring the vectors a onto b best, `Σ w·|b − s·e^{iψ}·a|²` least.
///
/// In closed form `s·e^{iψ} = Σ w·ā·b / Σ w·|a|²`.
///
/// Source: Schönemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31(1), 1966.
@frozen
public struct PlanarProcrustes: Hashable, Sendable {
    /// Σ w·ā·b.
    public private(set) var product = Complex()
    /// Σ w·|a|² and Σ w·|b|².
    public private(set) var squareOfA = 0.0
    public private(set) var squareOfB = 0.0

    public init() {}

    public mutating func add(_ a: Complex, _ b: Complex, weight: Double) {
        product = product + weight * (a.conjugate * b)
        squareOfA += weight * a.squaredLength
        squareOfB += weight * b.squaredLength
    }

    /// From a to b, counter-clockwise. Unit: radians.
    public var angle: Double { product.angle }

    /// Length of b along the turned a; not a number without any a.
    public var scale: Double { product.length / squareOfA }

    /// How alike the shapes are, whatever their scale: 1 where b is a, turned and scaled.
    public var likeness: Double { product.length / (squareOfA * squareOfB).squareRoot() }
}
