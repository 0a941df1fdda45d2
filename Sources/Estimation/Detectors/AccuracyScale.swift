#if canImport(Glibc)
    import Glibc
#endif

/// Factor by which a receiver under-reports its position errors, estimated from its innovations.
///
/// With correct accuracies the normalised innovation squared (NIS) has its degrees of freedom as mean. The scale
/// follows its excess slowly, so that bursts hardly change it, and never falls below 1.
package struct AccuracyScale: Hashable, Sendable {
    private var logarithm = 0.0

    package init() {}

    /// Factor of the reported standard deviations, at least 1.
    package var value: Double { exp(logarithm) }

    /// Logarithm of the largest scale so far.
    private var peak = 0.0

    /// Largest multiple of its expectation that a single innovation counts.
    private static let largestExcess = 4.0

    /// Excess of the NIS with correct accuracies, by chance and by correlated errors, beyond which the scale grows.
    /// Divided by the scale, or every scale would stay too small by the root of 1.5.
    private static let honestExcess = 0.5

    /// Adds an innovation.
    ///
    /// Equation: docs/filter.md (27).
    ///
    /// - Parameters:
    ///   - interval: time since the fix before. Unit: seconds.
    ///   - memory: time constant of the adaptation. Unit: seconds.
    ///   - largest: upper limit of the scale.
    /// - Returns: factor by which the scale exceeds all earlier ones, at least 1.
    @discardableResult
    package mutating func note(
        normalizedInnovationSquared: Double, degreesOfFreedom: Int, interval: Double, over memory: Double,
        largest: Double
    ) -> Double {
        let ratio = min(Self.largestExcess, normalizedInnovationSquared / Double(degreesOfFreedom))
        let share = min(1, max(0, interval)) / memory
        logarithm = min(log(largest), max(0, logarithm + share * (ratio - 1 - Self.honestExcess / value)))
        guard logarithm > peak else { return 1 }
        defer { peak = logarithm }
        return exp(logarithm - peak)
    }
}
