import Geometry

/// Running count, mean and scatter of vectors.
///
/// Source: Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4(3),
/// 1962; Chan, Golub, LeVeque, 1979, for merging two. Values around 32768 lose no digits.
struct VectorMoments: Hashable, Sendable {
    private(set) var count = 0.0
    private(set) var mean = Vector3.zero
    /// Sum of the squared distances from the mean.
    private(set) var squares = 0.0

    mutating func add(_ value: Vector3) {
        count += 1
        let before = value - mean
        mean += before / count
        squares += before.dot(value - mean)
    }

    mutating func add(_ other: VectorMoments) {
        guard other.count > 0 else { return }
        let sum = count + other.count
        let apart = other.mean - mean
        squares += other.squares + apart.squaredNorm * (count * other.count / sum)
        mean += apart * (other.count / sum)
        count = sum
    }

    /// Moments of `count` equal vectors; empty if `count` is not positive.
    init(_ mean: Vector3, count: Double) {
        guard count > 0 else { return }
        self.mean = mean
        self.count = count
    }

    init() {}

    /// Root of the sum of the three axes' variances; nil for fewer than two vectors.
    var deviation: Double? { count > 1 ? (max(0, squares) / (count - 1)).squareRoot() : nil }
}
