import Glibc

/// Covariance of the Allan variances estimated from one record. Neighbouring points of the curve share samples.
///
/// An Allan variance is the integral of the spectral density S times `|H(f)|² = 2·sin⁴(πfτ) / (m·sin(πfτ₀))²`. Two
/// Allan variances estimated from a record of length T have the covariance `∫ S²·|Hᵢ|²·|Hⱼ|² df / T`. Source: Percival,
/// Walden, "Wavelet Methods for Time Series Analysis", 2000, section 8.6: the Allan variance is twice the Haar wavelet
/// variance.
struct AllanCovariance {
    private let frequencies: [Double]
    /// Bandwidth of each frequency.
    private let widths: [Double]
    /// Gain `|H(f)|²` by cluster, then by frequency.
    private let gains: [Double]
    private let clusters: Int
    private let interval: Double
    private let duration: Double

    /// Number of logarithmically spaced frequencies. A day at 1 kHz spans eight decades, so that a step is 2 %.
    private static let steps = 800
    /// Phase in radians above which the grid does not resolve sin⁴. The mean of sin⁴ is used instead.
    private static let resolved = 30.0

    /// - Parameters:
    ///   - clusters: number of samples of each cluster.
    ///   - interval: sampling interval. Unit: seconds.
    ///   - duration: duration of the record. Unit: seconds.
    init(clusters: [Int], interval: Double, duration: Double) {
        // The range begins where the longest cluster has no gain yet. It ends at the Nyquist frequency.
        let (low, high) = (log(0.02 / duration), log(0.5 / interval))
        let step = (high - low) / Double(Self.steps)
        frequencies = (0..<Self.steps).map { exp(low + (Double($0) + 0.5) * step) }
        widths = frequencies.map { $0 * step }
        self.clusters = clusters.count
        self.interval = interval
        self.duration = duration
        var gains: [Double] = []
        gains.reserveCapacity(clusters.count * Self.steps)
        for cluster in clusters {
            let m = Double(cluster)
            for frequency in frequencies {
                let phase = .pi * frequency * m * interval
                let wave = sin(phase) * sin(phase)
                let width = m * sin(.pi * frequency * interval)
                gains.append(2 * (phase > Self.resolved ? 0.375 : wave * wave) / (width * width))
            }
        }
        self.gains = gains
    }

    /// Covariance matrix of the logarithms of the variances, row by row.
    func logarithmic(_ model: NoiseModel, variances: [Double]) -> [Double] {
        let weights = frequencies.indices.map { index in
            let density = model.density(frequencies[index], interval: interval)
            return density * density * widths[index] / duration
        }
        var result = [Double](repeating: 0, count: clusters * clusters)
        gains.withUnsafeBufferPointer { gains in
            for i in 0..<clusters {
                for j in 0...i {
                    var sum = 0.0
                    for f in 0..<Self.steps {
                        sum += gains[i * Self.steps + f] * gains[j * Self.steps + f] * weights[f]
                    }
                    let value = sum / (variances[i] * variances[j])
                    result[i * clusters + j] = value
                    result[j * clusters + i] = value
                }
            }
        }
        return result
    }
}

/// Whitening turns correlated errors into independent errors of variance 1. It computes `L⁻¹·b`, where `A = L·Lᵀ` is
/// the covariance.
///
/// Source: Golub, Van Loan, "Matrix Computations", 4th ed., algorithm 4.2.2.
struct Whitening {
    private let size: Int
    /// Cholesky factor L, row by row.
    private var factor: [Double]

    /// Nil if the covariance is not positive definite or not finite.
    ///
    /// - Parameter covariance: elements row by row.
    init?(_ covariance: [Double], size: Int) {
        self.size = size
        factor = covariance
        for i in 0..<size {
            for j in 0...i {
                var sum = covariance[i * size + j]
                for k in 0..<j { sum -= factor[i * size + k] * factor[j * size + k] }
                if i == j {
                    guard sum > 0, sum.isFinite else { return nil }
                    factor[i * size + i] = sum.squareRoot()
                } else {
                    factor[i * size + j] = sum / factor[j * size + j]
                }
            }
        }
    }

    /// Logarithm of the determinant of the covariance.
    var logDeterminant: Double { (0..<size).reduce(0) { $0 + 2 * factor[$1 * size + $1].logarithm } }

    func apply(to errors: inout [Double]) {
        for i in 0..<size {
            var sum = errors[i]
            for k in 0..<i { sum -= factor[i * size + k] * errors[k] }
            errors[i] = sum / factor[i * size + i]
        }
    }
}
