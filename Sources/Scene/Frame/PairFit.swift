import Estimation
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Horizontal vector in the scene's axes. Unit: metres.
struct HorizontalVector {
    var x: Double
    var z: Double

    init(_ x: Double, _ z: Double) {
        self.x = x
        self.z = z
    }

    /// Complex number with north as the imaginary axis, so that rotations count counter-clockwise.
    var complex: Complex { Complex(x, -z) }
    var squaredLength: Double { x * x + z * z }
    var length: Double { squaredLength.squareRoot() }

    static func - (a: HorizontalVector, b: HorizontalVector) -> HorizontalVector {
        HorizontalVector(a.x - b.x, a.z - b.z)
    }
}

/// Weighted sums over pairs of offsets: a by the track, b by GNSS.
struct PairSums {
    private(set) var pairs = 0
    private(set) var turn = PlanarProcrustes()
    /// Weighted sum of the squared normalised residuals.
    private(set) var scatter = 0.0

    mutating func add(_ a: HorizontalVector, _ b: HorizontalVector, weight w: Double, square: Double) {
        pairs += 1
        turn.add(a.complex, b.complex, weight: w)
        scatter += square
    }
}

/// Least-squares rotation and scale from one set of offsets to another.
struct PairFit {
    let angle: Double
    let scale: Double
    let pairs: Int
    /// Variance of the angle, as if all pairs were independent. Unit: rad².
    let variance: Double
    private let cosine: Double
    private let sine: Double

    /// Fit of the sums; nil if the offsets have no direction in common.
    init?(_ sums: PairSums) {
        guard sums.turn.likeness > 0.3 else { return nil }
        angle = sums.turn.angle
        scale = sums.turn.scale
        pairs = sums.pairs
        // (r₁ + r₂)² is 4·1.51²/2 of the variance of the difference of two alike.
        let noise = 1 / (2 * PoseAccuracy.radius68 * PoseAccuracy.radius68)
        let excess = max(1, sums.scatter / Double(max(1, sums.pairs)))
        variance = noise * excess / sums.turn.squareOfB
        cosine = cos(angle) * scale
        sine = sin(angle) * scale
    }

    /// Offset rotated about +Y and scaled.
    func apply(_ a: HorizontalVector) -> HorizontalVector {
        HorizontalVector(cosine * a.x + sine * a.z, cosine * a.z - sine * a.x)
    }
}
