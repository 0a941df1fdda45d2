#if canImport(Glibc)
    import Glibc
#endif

/// How the estimated Allan variances of one record vary together: neighbours on the curve come from the same samples.
///
/// An Allan variance is the integral of the spectral density S times `|H(f)|² = 2·sin⁴(πfτ) / (m·sin(πfτ₀))²`. Estimated from
/// a record of length T, two of them have the covariance `∫ S²·|Hᵢ|²·|Hⱼ|² df / T`. Source: Percival, Walden, "Wavelet
/// Methods for Time Series Analysis", 2000, section 8.6: the Allan variance is twice the wavelet variance of Haar.
struct AllanCovariance {
    private let frequencies: [Double]
    /// Width of the band around each.
    private let widths: [Double]
    /// By cluster, then by frequency.
    private let gains: [Double]
    private let clusters: Int
    private let interval: Double
    private let duration: Double

    /// Frequencies, evenly in their logarithm: with 800, a step is 2 % over the eight decades of a day at 1 kHz.
    private static let steps = 800
    /// From this many radians on the grid is too coarse for the wave of sin⁴, and its mean does.
    private static let resolved = 30.0

    /// - Parameters:
    ///   - clusters: samples in each; `interval`, `duration`: seconds of a sample and of the record.
    init(clusters: [Int], interval: Double, duration: Double) {
        // Below, the longest cluster lets nothing through; above, there is nothing.
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

    /// Of the logarithms of the variances, row by row.
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
