/// Noise of a resting board's sensors, from which windows with more than this noise are detected.
struct RestBaseline: Sendable {
    private var rate: Noise
    private var force: Noise

    /// Makes a baseline from windows, most of which are at rest.
    ///
    /// - Parameter windows: windows in order of time.
    init(_ windows: [RestWindow]) {
        rate = Noise(windows.map(\.rate), ratio: RestLimits.rateRatio)
        force = Noise(windows.map(\.force), ratio: RestLimits.forceRatio)
    }

    /// Noise of one sensor.
    private struct Noise: Sendable {
        /// Ratio to `variance` above which the variance of a window shows movement.
        let ratio: Double
        /// Variance below which quantisation may hide noise.
        let floor: Double
        var variance: Double
        /// Expected squared change of the mean from window to window.
        var change: Double

        init(_ windows: [Moments], ratio: Double) {
            self.ratio = ratio
            // The least floor is used. If a window has a larger floor, none of its changes was a single converter step.
            floor = windows.map(\.floor).filter { $0 > 0 }.min() ?? 0
            variance = max(Self.level(windows.filter { $0.count > 1 }.map(\.variance), 1, 1), floor)
            // At rest, the squared changes of three axes have a 20 % quantile of 0.33 times their mean, and a median of
            // 0.79 times their mean.
            let changes = zip(windows.dropFirst(), windows).compactMap { $0.squaredChange(from: $1) }
            change = max(Self.level(changes, 0.33, 0.79), 0.01 * floor)
        }

        /// Usual value of windows at rest. It is their median, but limited by the quietest fifth, because the board may
        /// have been handled for half of the time.
        ///
        /// - Parameters:
        ///   - fifth, middle: 20 % quantile and median of values at rest, as ratios to the returned value.
        private static func level(_ values: [Double], _ fifth: Double, _ middle: Double) -> Double {
            guard !values.isEmpty else { return 0 }
            let sorted = values.sorted()
            func quantile(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
            return min(quantile(0.5) / middle, RestLimits.maximumUnevenness * quantile(RestLimits.quietShare) / fifth)
        }

        func isExceeded(by window: Moments) -> Bool { window.count > 1 && window.variance > ratio * variance }

        /// Whether the mean changes far more than it does at rest. The change at rest is that of white noise, or the
        /// usual change between windows if that is larger.
        func isExceeded(by window: Moments, after before: Moments) -> Bool {
            guard let squaredChange = window.squaredChange(from: before) else { return false }
            let white = variance * (1 / Double(max(1, window.count)) + 1 / Double(max(1, before.count)))
            return squaredChange > RestLimits.stepRatio * max(white, change)
        }

        mutating func follow(_ window: Moments, after before: Moments?) {
            let share = 1.0 / 60
            if window.count > 1 { variance = max(variance + share * (window.variance - variance), floor) }
            guard let squaredChange = before.flatMap(window.squaredChange) else { return }
            change = max(change + share * (squaredChange - change), 0.01 * floor)
        }
    }

    /// Whether the board moved within a window, or between it and the previous one.
    func isMoved(_ window: RestWindow, after before: RestWindow?) -> Bool {
        if rate.isExceeded(by: window.rate) || force.isExceeded(by: window.force) { return true }
        guard let before else { return false }
        return rate.isExceeded(by: window.rate, after: before.rate)
            || force.isExceeded(by: window.force, after: before.force)
    }

    /// Adapts the baseline slowly to a window at rest.
    mutating func follow(_ window: RestWindow, after before: RestWindow?) {
        rate.follow(window.rate, after: before?.rate)
        force.follow(window.force, after: before?.force)
    }

    /// Ratio of the mean's change between windows to the change that the scatter within a window predicts, as a median
    /// over all windows. It is near 1 for white noise, near 5 for flicker noise, and near 30 for a steady drift.
    static func sway(_ windows: [Moments]) -> Double {
        let ratios = zip(windows.dropFirst(), windows).compactMap { now, then -> Double? in
            guard let change = now.squaredChange(from: then), now.groups > 2, then.groups > 2 else { return nil }
            let variance = (now.groupVariance + then.groupVariance) / 2
            let white = variance * (1 / Double(now.groups) + 1 / Double(then.groups))
            return change / max(white, 0.01 * max(now.floor, then.floor), .leastNormalMagnitude)
        }.sorted()
        return ratios.isEmpty ? 0 : ratios[ratios.count / 2]
    }
}

/// Thresholds beyond which a board counts as moving.
///
/// Most of them are ratios to the noise of the same sensors at rest, so that they are also valid for counts.
enum RestLimits {
    /// Ratio of the rate's variance to that of quiet windows: three times the noise. If each window has at least 20
    /// degrees of freedom, noise alone reaches this ratio once in 1e12 windows.
    static let rateRatio = 9.0
    /// Ratio of the specific force's variance to that of quiet windows. It is larger because a step on the floor next
    /// to the board shakes the board without turning it.
    static let forceRatio = 25.0
    /// Ratio of the mean's squared change between windows to that of quiet windows. Noise of three axes exceeds a ratio
    /// of 40 once in 1e8 windows.
    static let stepRatio = 64.0
    /// Ratio of the mean's squared change between windows to the change that fifths of a window predict. White noise,
    /// even behind a low-pass filter of a few hertz, gives a ratio near 1, flicker noise 5, and the sway of a hand 10
    /// to 30.
    static let swayRatio = 8.0
    /// Fraction of the windows that count as quiet. They are those with the least variance.
    static let quietShare = 0.2
    /// Largest ratio of the median variance at rest to that of the quietest fifth. Noise may be twice as large for half
    /// of the time, for example while a processor beside the sensor works.
    static let maximumUnevenness = 4.0

    /// Standard deviation of the rate, all axes combined, above which no board is at rest: 1.1°/s. The noisiest sensors
    /// reach half of it. Unit: rad/s.
    static let maximumShake = 0.02
    /// Mean rate that exceeds any bias: 29°/s. The worst data sheets give a bias of 20°/s. Unit: rad/s.
    static let maximumRate = 0.5
    /// Standard deviation of the specific force, as a fraction of gravity, above which no board is at rest. It is twice
    /// the noise of the noisiest sensors.
    static let maximumForceShake = 0.02
    /// Largest change of gravity's direction in the board's axes. An accelerometer's thermal drift, 5 mg, causes 0.3°.
    /// Unit: radians.
    static let maximumTilt = 0.02
    /// Largest steady rotation of the field if the board is at rest. A rotation that is faster than the measured rates
    /// permit is ignored. Unit: radians.
    static let maximumFieldTurn = 0.09
    /// Smallest rotation in each fifth of a steady turn, as a fraction of the mean over the fifths.
    static let minimumEvenness = 0.5
    /// Largest ratio of the field's rotation rate to the measured rate at which the board may have turned. The measured
    /// rate includes the bias.
    static let fieldQuickness = 1.5
}
