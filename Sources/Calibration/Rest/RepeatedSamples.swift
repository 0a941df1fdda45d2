import Geometry

/// Detects rows that repeat the sample before because a logger wrote them faster than the sensor measured.
///
/// A coarse converter repeats values by chance, each axis for itself; a row that was not measured repeats all three at
/// once. The odds that the other axes repeat when one does tell them apart, at any share of such rows.
struct RepeatedSamples: Hashable, Sendable {
    /// Number of samples.
    private(set) var samples = 0
    /// Number of samples that equal the one before on all axes.
    private(set) var repeated = 0
    private var byAxis = SIMD3<Int>.zero
    private var last: Vector3?

    /// Adds a sample; returns whether it equals the one before on all axes.
    mutating func add(_ value: Vector3) -> Bool {
        defer {
            last = value
            samples += 1
        }
        guard let last else { return false }
        byAxis &+= SIMD3(value.x == last.x ? 1 : 0, value.y == last.y ? 1 : 0, value.z == last.z ? 1 : 0)
        guard value == last else { return false }
        repeated += 1
        return true
    }

    /// Whether repeated samples were not measured.
    var areStale: Bool {
        guard repeated >= Self.fewest, samples > 1 else { return false }
        let shares = SIMD3<Double>(byAxis) / Double(samples - 1)
        let alone = (shares.x * shares.y + shares.y * shares.z + shares.z * shares.x) / 3
        let together = 3 * Double(repeated) / Double(byAxis.wrappedSum())
        // Odds against odds, multiplied out: both may be certain.
        return together * (1 - alone) > Self.leastOddsRatio * alone * (1 - together)
    }

    /// Share of the samples that were not measured.
    var staleShare: Double { areStale ? Double(repeated) / Double(max(1, samples)) : 0 }

    /// Fewest repeated samples for a decision.
    private static let fewest = 10
    /// Least ratio of the odds. Axes of a coarse converter are independent, 1, or nearly so while their means drift
    /// between two steps; of repeated rows of a converter of 16 bit it is above 50.
    private static let leastOddsRatio = 10.0
}

extension RepeatedSamples {
    /// Clause of a verdict on rows that were left out: `39 % of the gyroscope's rows repeat the one before and were
    /// left out`; nil if there are none.
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
