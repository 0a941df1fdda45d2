import Geometry

/// Detects rows that repeat the previous sample because a logger wrote them faster than the sensor measured.
///
/// A coarse converter repeats values by chance, on each axis independently. A row that was not measured repeats all
/// three axes. The fraction of such rows is unknown. The odds that the other axes repeat when one axis does are
/// therefore compared with the odds for independent axes, which are computed within short windows. Over a whole record,
/// all axes repeat while the board is at rest, and none while it is handled. That would look like dependence.
package struct RepeatedSamples: Hashable, Sendable {
    /// How often values repeat within a window.
    private struct Window: Hashable, Sendable {
        var pairs = 0
        var repeated = 0
        var byAxis = SIMD3<Int>.zero

        /// Expected number of rows in which all axes repeat, if the axes are independent.
        var expected: Double {
            guard pairs > 0 else { return 0 }
            let shares = SIMD3<Double>(byAxis) / Double(pairs)
            return Double(pairs) * shares.x * shares.y * shares.z
        }

        /// Number of rows in which all axes repeat, minus the expected number.
        var excess: Double { Double(repeated) - expected }
    }

    /// Number of samples.
    private(set) var samples = 0
    /// Number of samples that equal the previous one on all axes.
    package private(set) var repeated = 0
    /// Number of repeated values, summed over the axes.
    private var values = 0
    /// Expected number of rows in which all axes repeat, summed over all closed windows.
    private var expected = 0.0
    /// Largest excess of any closed window.
    private var largestExcess = 0.0
    private var windows = 0
    private var window = Window()
    private var last: Vector3?

    package init() {}

    /// Adds a sample. Returns whether it equals the previous one on all axes.
    package mutating func add(_ value: Vector3) -> Bool {
        defer {
            last = value
            samples += 1
        }
        guard let last else { return false }
        if window.pairs == Self.windowPairs {
            close()
        }
        let axes = SIMD3(value.x == last.x ? 1 : 0, value.y == last.y ? 1 : 0, value.z == last.z ? 1 : 0)
        window.pairs += 1
        window.byAxis &+= axes
        values += axes.wrappedSum()
        guard value == last else { return false }
        window.repeated += 1
        repeated += 1
        return true
    }

    private mutating func close() {
        expected += window.expected
        largestExcess = max(largestExcess, window.excess)
        windows += 1
        window = Window()
    }

    /// Whether the repeated samples are rows that the sensor did not measure.
    package var areStale: Bool {
        // The window in which a board is put down contains both motion and rest, so that independent axes look
        // dependent.
        let mixed = windows >= Self.minimumWindowCount ? max(largestExcess, window.excess) : 0
        let chance = expected + window.expected + mixed
        guard Double(repeated) - chance >= Self.minimumCount else { return false }
        // Fraction of the repeated values that belong to a row in which all axes repeat.
        let together = 3 * Double(repeated) / Double(values)
        let alone = 3 * chance / Double(values)
        // Compares the ratio of the odds without a division, because either probability may be 1.
        return together * (1 - alone) > Self.minimumOddsRatio * alone * (1 - together)
    }

    /// Fraction of the samples that the sensor did not measure.
    var staleShare: Double { areStale ? Double(repeated) / Double(max(1, samples)) : 0 }

    /// Length of a window in rows. It is a second for most sensors, which is long enough to estimate fractions.
    private static let windowPairs = 100
    /// Minimum number of windows at which the one with the largest excess is left out. In a shorter record, one window
    /// is too large a part of the evidence.
    private static let minimumWindowCount = 5
    /// Fewest repeated samples, beyond those expected by chance, for rows to count as not measured.
    private static let minimumCount = 10.0
    /// Smallest ratio of the odds. A coarse converter gives 1, or nearly 1 while the means drift between two steps.
    /// Repeated rows of a 16-bit converter give more than 50.
    private static let minimumOddsRatio = 10.0
}

extension RepeatedSamples {
    /// Clause of a verdict on rows that were left out: `39 % of the gyroscope's rows repeat the one before and were
    /// left out`; nil if no rows were left out.
    static func clause(_ sensors: [(name: String, rows: RepeatedSamples)]) -> String? {
        let parts = sensors.filter { $0.rows.staleShare > 0 }.map { sensor in
            "\(share(sensor.rows.staleShare)) of the \(sensor.name)'s \(sensor.rows.samples) rows"
        }
        return parts.isEmpty ? nil : parts.joined(separator: " and ") + " repeat the one before, and were left out"
    }

    private static func share(_ share: Double) -> String {
        share < 0.01 ? "under 1 %" : "\(Int((100 * share).rounded())) %"
    }
}
