import Geometry
import Glibc

/// Magnetic anomaly that the iron in a street causes, fixed to locations along the path.
///
/// It is a Gauss–Markov process over the distance, but smoothed, and repeated in each round: a sum of harmonics of the
/// round whose variances follow the spectrum `exp(−k²·s²) / (1 + k²·L²)`. It depends on the seed and the distance, not
/// on time, so it is constant while the wearer stands.
package struct StreetIron: Sendable {
    /// Amplitudes of a harmonic's cosine and sine, by axis.
    private struct Harmonic {
        var cosine: Vector3
        var sine: Vector3
    }

    private let round: Double
    private let mean: Vector3
    private let harmonics: [Harmonic]

    /// Standard deviation of the Gaussian smoothing kernel. Unit: metres.
    package static let smoothingMetres = 4.0
    /// Largest product of wave number and smoothing length. For larger products, exp(−k²·s²) is below 0.002.
    private static let maximumSmoothedNumber = 2.5
    /// Shortest period of the anomaly, used if there are no rounds or only short ones. Unit: metres.
    private static let minimumRound = 500.0

    /// - Parameters:
    ///   - standardDeviation: standard deviation of the anomaly per axis. Unit: microtesla.
    ///   - correlationMetres: distance over which the correlation falls to 1/e. Unit: metres.
    ///   - roundMetres: length of one round; 0 without rounds. Unit: metres.
    package init(
        standardDeviation: Double, correlationMetres: Double, roundMetres: Double, random: consuming RandomSource
    ) {
        var random = random
        round = max(Self.minimumRound, roundMetres)
        let step = 2 * .pi / round
        let count = standardDeviation > 0 ? Int(Self.maximumSmoothedNumber / (step * Self.smoothingMetres)) : 0
        func power(_ number: Int) -> Double {
            let k = step * Double(number)
            let (smoothed, correlated) = (k * Self.smoothingMetres, k * correlationMetres)
            return exp(-smoothed * smoothed) / (1 + correlated * correlated)
        }
        // Each harmonic stands for a wave number and its negative.
        let powers = (0...count).map { $0 == 0 ? power($0) : 2 * power($0) }
        let scale = standardDeviation / powers.reduce(0, +).squareRoot()
        mean = random.normalVector(scale * powers[0].squareRoot())
        harmonics = powers.dropFirst().map {
            let standardDeviation = scale * $0.squareRoot()
            return Harmonic(
                cosine: random.normalVector(standardDeviation), sine: random.normalVector(standardDeviation))
        }
    }

    /// Anomaly at a distance from the start of the round. Frame: ENU. Units: metres, microtesla.
    package func fieldENU(at distance: Double) -> Vector3 {
        let (c, s) = (cos(2 * .pi * distance / round), sin(2 * .pi * distance / round))
        // A recurrence gives cosine and sine of the n-th multiple. After the hundreds of multiples needed, it is still
        // accurate to 1e-13.
        var (cosine, sine) = (1.0, 0.0)
        return harmonics.reduce(into: mean) { field, harmonic in
            (cosine, sine) = (cosine * c - sine * s, sine * c + cosine * s)
            field += harmonic.cosine * cosine + harmonic.sine * sine
        }
    }
}
