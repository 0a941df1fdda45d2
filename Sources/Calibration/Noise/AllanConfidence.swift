/// How far an overlapping Allan variance can be trusted, by its equivalent degrees of freedom.
///
/// Source: Riley, Howe, NIST SP 1065, section 5.4.1, table 5, after Howe, Allan, Barnes, 1981. N is the count of
/// cumulative sums, m the samples in a cluster.
enum AllanConfidence {
    /// Equivalent degrees of freedom where the variance varies with the cluster time as `τ^slope`.
    static func freedom(sums n: Double, cluster m: Double, slope: Double) -> Double {
        guard n > 2 * m, n > 3 else { return 1 }
        let freedom: Double
        switch slope {
        case ..<(-1.5):
            // Quantisation noise: white phase noise.
            freedom = (n + 1) * (n - 2 * m) / (2 * (n - m))
        case ..<(-0.5):
            // Angle random walk: white frequency noise.
            freedom = (3 * (n - 1) / (2 * m) - 2 * (n - 2) / n) * 4 * m * m / (4 * m * m + 5)
        case ..<0.5:
            // Bias instability: flicker frequency noise.
            freedom = m < 2 ? 2 * (n - 2) * (n - 2) / (2.3 * n - 4.9) : 5 * n * n / (4 * m * (n + 3 * m))
        default:
            // Rate random walk: random-walk frequency noise.
            freedom = (n - 2) / m * ((n - 1) * (n - 1) - 3 * m * (n - 1) + 4 * m * m) / ((n - 3) * (n - 3))
        }
        return max(1, freedom)
    }

    /// Relative standard deviation of an Allan deviation.
    static func uncertainty(freedom: Double) -> Double { (1 / (2 * freedom)).squareRoot() }
}
