import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The iron of the street: an anomaly of the magnetic field that is fixed to places along the way.
///
/// A Gauss–Markov process over the way, smoothed so that the field has no kinks, and the same again each round: a sum
/// of harmonics of the round, whose variances follow the spectrum `exp(−k²·s²) / (1 + k²·L²)`. It is a function of the
/// seed and the distance walked, not of time: it is constant while the wearer stands, and repeats with each round.
package struct StreetIron: Sendable {
    /// Amplitudes of cosine and sine of one harmonic, for three axes.
    private struct Harmonic {
        var cosine: Vector3
        var sine: Vector3
    }

    private let round: Double
    private let mean: Vector3
    private let harmonics: [Harmonic]

    /// Standard deviation of the Gaussian with which the process is smoothed. Unit: metres.
    package static let smoothingMetres = 4.0
    /// Beyond this product of wave number and smoothing, exp(−k²·s²) is below 0.002.
    private static let highestSmoothedNumber = 2.5
    /// The way on which nothing comes again, where the motion has no rounds or short ones. Unit: metres.
    private static let shortestRound = 500.0

    /// - Parameters:
    ///   - standardDeviation: of the field along each axis, microtesla.
    ///   - correlationMetres: way over which the process forgets all but 1/e.
    ///   - roundMetres: way after which the streets are the same again; 0 where there are no rounds.
    package init(
        standardDeviation: Double, correlationMetres: Double, roundMetres: Double, random: consuming RandomSource
    ) {
        var random = random
        round = max(Self.shortestRound, roundMetres)
        let step = 2 * .pi / round
        let count = standardDeviation > 0 ? Int(Self.highestSmoothedNumber / (step * Self.smoothingMetres)) : 0
        func power(_ number: Int) -> Double {
            let k = step * Double(number)
            let (smoothed, correlated) = (k * Self.smoothingMetres, k * correlationMetres)
            return exp(-smoothed * smoothed) / (1 + correlated * correlated)
        }
        // Each harmonic stands for its wave number and the negative one.
        let powers = (0...count).map { $0 == 0 ? power($0) : 2 * power($0) }
        let scale = standardDeviation / powers.reduce(0, +).squareRoot()
        mean = random.normalVector(scale * powers[0].squareRoot())
        harmonics = powers.dropFirst().map {
            let deviation = scale * $0.squareRoot()
            return Harmonic(cosine: random.normalVector(deviation), sine: random.normalVector(deviation))
        }
    }

    /// - Parameter way: metres from where the round begins.
    /// - Returns: the anomaly. Frame: ENU. Unit: microtesla.
    package func fieldENU(at way: Double) -> Vector3 {
        let (c, s) = (cos(2 * .pi * way / round), sin(2 * .pi * way / round))
        // Cosine and sine of the n-th multiple, each from the one before: good to 1e-13 after the hundreds needed.
        var (cosine, sine) = (1.0, 0.0)
        return harmonics.reduce(into: mean) { field, harmonic in
            (cosine, sine) = (cosine * c - sine * s, sine * c + cosine * s)
            field += harmonic.cosine * cosine + harmonic.sine * sine
        }
    }
}
