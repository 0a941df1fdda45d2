import Geometry

/// Detects channels that cannot be calibrated: saturated, constant, stuck or not finite.
///
/// The check compares the length of runs in which one exact value repeats with the length of runs at other values. It
/// does not depend on the scale, so that it works for counts and for SI units, and for coarse and fine converters.
package struct ChannelCheck: Hashable, Sendable {
    private var axes = [RunStatistics](repeating: RunStatistics(), count: 3)
    private var notFinite = [0, 0, 0]
    /// Number of samples added, finite or not.
    package private(set) var samples = 0

    package init() {}

    /// Adds one sample of all three axes. It may have any unit.
    package mutating func add(_ value: Vector3) {
        samples += 1
        add(value.x, to: 0)
        add(value.y, to: 1)
        add(value.z, to: 2)
    }

    private mutating func add(_ value: Double, to axis: Int) {
        if value.isFinite { axes[axis].add(value) } else { notFinite[axis] += 1 }
    }

    /// The most severe problem found; nil if there is none.
    ///
    /// - Parameter sensor: name of the sensor in a sentence, such as `accelerometer`.
    package func problem(sensor: String) -> CalibrationVerdict? {
        notFiniteProblem(sensor) ?? constantProblem(sensor) ?? saturationProblem(sensor)
    }

    private static let names = ["x", "y", "z"]

    private static func named(_ axes: [Int]) -> String {
        let names = axes.map { Self.names[$0] }
        guard let last = names.last, names.count > 1 else { return "\(names.first ?? "") axis" }
        return names.dropLast().joined(separator: ", ") + " and \(last) axes"
    }

    private func notFiniteProblem(_ sensor: String) -> CalibrationVerdict? {
        let found = notFinite.indices.filter { notFinite[$0] > 0 }
        guard !found.isEmpty else { return nil }
        let most = notFinite.max() ?? 0
        let axes = Self.named(found)
        return .refused(
            .notFinite,
            "\(most) of \(samples) samples of the \(sensor)'s \(axes) are not finite numbers: check the file for "
                + "gaps, or the driver, and record again.")
    }

    private func constantProblem(_ sensor: String) -> CalibrationVerdict? {
        guard samples >= Limits.minimumSampleCount else { return nil }
        let constant = axes.indices.filter { axes[$0].isConstant }
        if constant.count == 3 {
            return .refused(
                .constantChannel,
                "All \(samples) samples of the \(sensor) are equal: it is not measuring. Restart the board or its "
                    + "driver.")
        }
        if let axis = constant.first, let value = axes[axis].lowest {
            return .refused(
                .constantChannel,
                "The \(sensor)'s \(Self.named(constant)) never changed from \(value.figure) in \(samples) samples: the "
                    + "channel is broken or not connected.")
        }
        guard let axis = axes.indices.first(where: { axes[$0].isStuck(of: samples) }) else { return nil }
        return .refused(
            .constantChannel,
            "The \(sensor)'s \(Self.named([axis])) was stuck at \(axes[axis].longestValue.figure) for "
                + "\(axes[axis].longest) of \(samples) samples: restart the board or its driver, and try again.")
    }

    private func saturationProblem(_ sensor: String) -> CalibrationVerdict? {
        for axis in axes.indices {
            guard let end = axes[axis].saturatedEnd else { continue }
            return .refused(
                .saturated,
                "The \(sensor)'s \(Self.named([axis])) is saturated: \(end.samples) samples are exactly "
                    + "\(end.value.figure). Select a wider range, move the board more slowly, or move away from magnets."
            )
        }
        return nil
    }

    /// Thresholds beyond which repeated values are not due to chance.
    enum Limits {
        /// Fewest samples at which a channel may count as constant: half a second of a slow sensor.
        static let minimumSampleCount = 20
        /// Fewest samples of a stuck run. With noise of one converter step, the most likely value has a probability of
        /// 0.4, and 0.4¹⁰⁰ is 1e-40.
        static let stuckRun = 100
        /// Smallest ratio of a stuck run to the typical run. If a converter's steps are coarser than the noise, values
        /// repeat in every pose, so that no single run stands out.
        static let stuckRatio = 20.0
        /// Smallest fraction of all samples in a stuck run. A run that lasts for one of six poses has a smaller
        /// fraction.
        static let stuckShare = 0.25
        /// Fewest clipped samples. Fewer equal samples at an extreme may belong to a single peak that falls between two
        /// converter steps.
        static let saturatedSamples = 10
        /// Smallest ratio of the typical run at an end of the range to the typical run elsewhere. Clipped peaks are
        /// flat, whereas noise peaks are not.
        static let saturatedRatio = 4.0
        /// Fewest samples in the longest run at the end of the range.
        static let saturatedRun = 5
        /// Fewest samples away from the ends of the range. The runs at an end are compared with them.
        static let elsewhere = 20
    }
}

/// Statistics of the runs in which a channel repeats one exact value.
struct RunStatistics: Hashable, Sendable {
    /// Runs at one end of the channel's range.
    struct End: Hashable, Sendable {
        var value: Double
        var runs = Runs()
        var samples: Int { Int(runs.samples) }
    }

    /// Sum of the lengths of runs, and sum of their squared lengths.
    struct Runs: Hashable, Sendable {
        var samples = 0.0
        var squares = 0.0
        var longest = 0

        mutating func add(_ length: Int) {
            samples += Double(length)
            squares += Double(length) * Double(length)
            longest = max(longest, length)
        }

        mutating func add(_ other: Runs) {
            samples += other.samples
            squares += other.squares
            longest = max(longest, other.longest)
        }

        /// Expected length of the run that contains a random sample, so that runs are weighted by their length.
        var typical: Double { samples > 0 ? squares / samples : 0 }
    }

    private var value = Double.nan
    private var length = 0
    private var low: End?
    private var high: End?
    private var inside = Runs()
    private(set) var longestValue = 0.0
    private(set) var longest = 0

    var lowest: Double? { low?.value ?? (length > 0 ? value : nil) }

    mutating func add(_ next: Double) {
        if next == value {
            length += 1
        } else {
            file()
            value = next
            length = 1
        }
        if length > longest {
            longest = length
            longestValue = value
        }
    }

    /// Adds the run that has just ended to the statistics of its value. If the value is a new extreme, the runs of the
    /// previous extreme become inner runs.
    private mutating func file() {
        guard length > 0 else { return }
        guard let low, let high else {
            var end = End(value: value)
            end.runs.add(length)
            self.low = end
            self.high = end
            return
        }
        if value < low.value {
            if low.value < high.value { inside.add(low.runs) }
            self.low = End(value: value)
        } else if value > high.value {
            if low.value < high.value { inside.add(high.runs) }
            self.high = End(value: value)
        }
        if value == self.low?.value {
            self.low?.runs.add(length)
        } else if value == self.high?.value {
            self.high?.runs.add(length)
        } else {
            inside.add(length)
        }
    }

    private var filed: RunStatistics {
        var copy = self
        copy.file()
        return copy
    }

    var isConstant: Bool { length > 0 && length == longest && low == nil }

    func isStuck(of samples: Int) -> Bool {
        typealias Limits = ChannelCheck.Limits
        guard longest >= Limits.stuckRun, Double(longest) >= Limits.stuckShare * Double(samples) else { return false }
        var all = Runs()
        let done = filed
        for runs in [done.low?.runs, done.high?.runs, done.inside].compactMap({ $0 }) { all.add(runs) }
        all.samples -= Double(longest)
        all.squares -= Double(longest) * Double(longest)
        return all.samples > 0 && Double(longest) >= Limits.stuckRatio * all.typical
    }

    /// End of the range at which samples were clipped; nil if there is none.
    var saturatedEnd: End? {
        typealias Limits = ChannelCheck.Limits
        let done = filed
        guard let low = done.low, let high = done.high, low.value < high.value,
            done.inside.samples >= Double(Limits.elsewhere)
        else { return nil }
        return [low, high].first { end in
            end.samples >= Limits.saturatedSamples && end.runs.longest >= Limits.saturatedRun
                && end.runs.typical >= Limits.saturatedRatio * done.inside.typical
        }
    }
}
