#if canImport(Glibc)
    import Glibc
#endif

/// By how much a receiver's figures for its errors fall short, learned from its innovations.
///
/// With honest figures the normalised innovation squared has the mean of its degrees of freedom. The scale follows its
/// excess slowly, so that bursts hardly move it; a receiver that is better than it says is not believed to be.
package struct AccuracyScale: Hashable, Sendable {
    private var logarithm = 0.0

    package init() {}

    /// Times the receiver's standard deviations, at least 1.
    package var value: Double { exp(logarithm) }

    /// The largest that it ever was, as a logarithm.
    private var peak = 0.0

    /// A single innovation counts no more than this many times its expectation.
    private static let largestExcess = 4.0

    /// What an honest receiver's innovations exceed their expectation by, by chance and by errors that last: growth needs
    /// more. Once a scale has been learned that counts for less, or every scale would stay too small by the root of 1.5.
    private static let honestExcess = 0.5

    /// Equation: docs/filter.md (27).
    ///
    /// - Parameters:
    ///   - interval: since the fix before. Unit: seconds.
    ///   - memory: how long it takes to learn. Unit: seconds.
    ///   - largest: the scale goes no further.
    /// - Returns: by how much the scale has grown beyond all that it was before, at least 1.
    @discardableResult
    package mutating func note(
        normalizedSquare: Double, degreesOfFreedom: Int, interval: Double, over memory: Double, largest: Double
    ) -> Double {
        let ratio = min(Self.largestExcess, normalizedSquare / Double(degreesOfFreedom))
        let share = min(1, max(0, interval)) / memory
        logarithm = min(log(largest), max(0, logarithm + share * (ratio - 1 - Self.honestExcess / value)))
        guard logarithm > peak else { return 1 }
        defer { peak = logarithm }
        return exp(logarithm - peak)
    }
}
