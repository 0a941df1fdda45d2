import Geometry

/// Looks for channels that cannot be calibrated: such as stand at their end, never change, stick, or give no numbers.
///
/// Free of scale: it compares how long a channel repeats one exact value with how long it does so elsewhere, so that it
/// serves counts as well as units, and coarse converters as well as fine ones.
public struct ChannelCheck: Hashable, Sendable {
    private var axes = [RunStatistics](repeating: RunStatistics(), count: 3)
    private var notFinite = [0, 0, 0]
    public private(set) var samples = 0

    public init() {}

    public mutating func add(_ value: Vector3) {
        samples += 1
        add(value.x, to: 0)
        add(value.y, to: 1)
        add(value.z, to: 2)
    }

    private mutating func add(_ value: Double, to axis: Int) {
        if value.isFinite { axes[axis].add(value) } else { notFinite[axis] += 1 }
    }

    /// What is wrong, worst first; nil where nothing is.
    ///
    /// - Parameter sensor: its name in a sentence, such as `accelerometer`.
    public func problem(sensor: String) -> CalibrationVerdict? {
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
            "\(most) of \(samples) samples of the \(sensor)'s \(axes) are not finite numbers: check for gaps in the "
                + "file or a driver error, and record again.")
    }

    private func constantProblem(_ sensor: String) -> CalibrationVerdict? {
        guard samples >= Limits.leastSamples else { return nil }
        let constant = axes.indices.filter { axes[$0].isConstant }
        if constant.count == 3 {
            return .refused(
                .constantChannel,
                "The \(sensor) returned identical values \(samples) times: it is not measuring. Restart the board "
                    + "or its driver."
            )
        }
        if let axis = constant.first, let value = axes[axis].lowest {
            return .refused(
                .constantChannel,
                "The \(sensor)'s \(Self.named(constant)) never changed from \(value.figure) in \(samples) samples: the "
                    + "channel is dead or not connected.")
        }
        guard let axis = axes.indices.first(where: { axes[$0].isStuck(of: samples) }) else { return nil }
        return .refused(
            .constantChannel,
            "The \(sensor)'s \(Self.named([axis])) was stuck at \(axes[axis].longestValue.figure) for "
                + "\(axes[axis].longest) of \(samples) samples: restart the board or its driver, and start again.")
    }

    private func saturationProblem(_ sensor: String) -> CalibrationVerdict? {
        for axis in axes.indices {
            guard let end = axes[axis].saturatedEnd else { continue }
            return .refused(
                .saturated,
                "The \(sensor)'s \(Self.named([axis])) was saturated: \(end.samples) samples are exactly "
                    + "\(end.value.figure). Select a larger range, move more gently, or move away from magnets.")
        }
        return nil
    }

    /// Where a pattern of repeated values is no chance any more.
    enum Limits {
        /// A channel with fewer is not judged constant: half a second of a slow sensor.
        static let leastSamples = 20
        /// A run this long is no chance: with noise of one step the most likely value has a share of 0.4, and 0.4¹⁰⁰ is 1e-40.
        static let stuckRun = 100
        /// A stuck channel repeats itself so many times longer than it used to. A converter whose steps are coarser than its
        /// noise repeats itself in every pose, and so does not stand out.
        static let stuckRatio = 20.0
        /// Share of all samples; a pose of six is less.
        static let stuckShare = 0.25
        /// Clipped samples below this could be one peak that falls between two steps.
        static let saturatedSamples = 10
        /// The runs at the end against those elsewhere: clipped peaks are flat, tops of noise are not.
        static let saturatedRatio = 4.0
        /// In the longest run at the end.
        static let saturatedRun = 5
        /// So many samples must lie elsewhere for the comparison.
        static let elsewhere = 20
    }
}

/// Over the runs in which one channel repeats one exact value.
struct RunStatistics: Hashable, Sendable {
    /// The runs at one end of the channel.
    struct End: Hashable, Sendable {
        var value: Double
        var runs = Runs()
        var samples: Int { Int(runs.samples) }
    }

    /// Sums over runs: of their lengths and of the squares of those.
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

        /// The run that a sample picked at random lies in: one long rest weighs as much as it lasted.
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

    /// Puts the run that has just ended where it belongs; a new end sends the old one inside.
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

    /// The end at which samples were clipped.
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
