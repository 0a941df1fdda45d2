import Estimation
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// A vector over ground by the scene's axes. Unit: metres.
struct LevelVector {
    var x: Double
    var z: Double

    init(_ x: Double, _ z: Double) {
        self.x = x
        self.z = z
    }

    var squaredLength: Double { x * x + z * z }
    var length: Double { squaredLength.squareRoot() }

    static func - (a: LevelVector, b: LevelVector) -> LevelVector { LevelVector(a.x - b.x, a.z - b.z) }
}

/// Weighted sums over pairs of offsets, a by the track and b by satellites.
struct PairSums {
    private(set) var pairs = 0
    /// Σ w·(b_x·a_z − b_z·a_x) and Σ w·(b_x·a_x + b_z·a_z).
    private(set) var sine = 0.0
    private(set) var cosine = 0.0
    /// Σ w·|a|² and Σ w·|b|².
    private(set) var trackSquare = 0.0
    private(set) var geodeticSquare = 0.0
    private(set) var weight = 0.0
    /// Of the squared residuals, in variances.
    private(set) var scatter = 0.0

    mutating func add(_ a: LevelVector, _ b: LevelVector, weight w: Double, square: Double) {
        pairs += 1
        sine += w * (b.x * a.z - b.z * a.x)
        cosine += w * (b.x * a.x + b.z * a.z)
        trackSquare += w * a.squaredLength
        geodeticSquare += w * b.squaredLength
        weight += w
        scatter += square
    }
}

/// The turn and scale that bring one set of offsets onto another.
struct PairFit {
    let angle: Double
    let scale: Double
    let pairs: Int
    /// Of the angle, as if all pairs were independent. Unit: rad².
    let variance: Double
    private let cosine: Double
    private let sine: Double

    /// Nil where the two have no direction in common.
    init?(_ sums: PairSums) {
        let length = (sums.sine * sums.sine + sums.cosine * sums.cosine).squareRoot()
        guard length > 0.3 * (sums.trackSquare * sums.geodeticSquare).squareRoot() else { return nil }
        angle = atan2(sums.sine, sums.cosine)
        scale = length / sums.trackSquare
        pairs = sums.pairs
        // (r₁ + r₂)² is 4·1.51²/2 of the variance of the difference of two alike.
        let noise = 1 / (2 * PoseAccuracy.radius68 * PoseAccuracy.radius68)
        let excess = max(1, sums.scatter / Double(max(1, sums.pairs)))
        variance = noise * excess / sums.geodeticSquare
        cosine = sums.cosine / length * scale
        sine = sums.sine / length * scale
    }

    /// About +Y, and scaled.
    func apply(_ a: LevelVector) -> LevelVector {
        LevelVector(cosine * a.x + sine * a.z, cosine * a.z - sine * a.x)
    }
}
