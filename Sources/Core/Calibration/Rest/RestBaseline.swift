import Geometry

/// Noise of the sensors of a board at rest, and detection of windows that exceed it.
struct RestBaseline: Sendable {
    private(set) var rateVariance: Double
    private(set) var forceVariance: Double
    /// Expected squared change of the mean rate from window to window.
    private(set) var rateStep: Double
    /// Expected squared change of the mean specific force from window to window.
    private(set) var forceStep: Double
    private let rateFloor: Double
    private let forceFloor: Double

    /// Baseline from windows, most of which are at rest.
    ///
    /// - Parameter windows: in order of time.
    init(_ windows: [RestWindow]) {
        func floor(_ sensor: KeyPath<RestWindow, Moments>) -> Double {
            // A window with a larger floor contains no change by a single converter step.
            windows.map { $0[keyPath: sensor].floor }.filter { $0 > 0 }.min() ?? 0
        }
        func variance(_ sensor: KeyPath<RestWindow, Moments>) -> Double {
            Self.level(windows.map { $0[keyPath: sensor] }.filter { $0.count > 1 }.map(\.variance), 1, 1)
        }
        func step(_ sensor: KeyPath<RestWindow, Moments>) -> Double {
            // For values at rest, the lower fifth of the squared changes of three axes is 0.33 times their mean, the
            // median 0.79 times.
            Self.level(zip(windows.dropFirst(), windows).compactMap { Self.step(sensor, $0.0, $0.1) }, 0.33, 0.79)
        }
        rateFloor = floor(\.rate)
        forceFloor = floor(\.force)
        rateVariance = max(variance(\.rate), rateFloor)
        forceVariance = max(variance(\.force), forceFloor)
        rateStep = max(step(\.rate), 0.01 * rateFloor)
        forceStep = max(step(\.force), 0.01 * forceFloor)
    }

    /// Usual value of windows at rest: their median, limited by the quietest fifth, since the board may have been
    /// handled for half of the time.
    ///
    /// - Parameters:
    ///   - fifth, middle: lower fifth and median of values at rest, each as a ratio to the returned value.
    private static func level(_ values: [Double], _ fifth: Double, _ middle: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        func quantile(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
        return min(quantile(0.5) / middle, RestLimits.maximumUnevenness * quantile(RestLimits.quietShare) / fifth)
    }

    private static func step(
        _ sensor: KeyPath<RestWindow, Moments>, _ window: RestWindow, _ before: RestWindow
    ) -> Double? {
        let (now, then) = (window[keyPath: sensor], before[keyPath: sensor])
        return now.count > 0 && then.count > 0 ? (now.mean - then.mean).squaredNorm : nil
    }

    /// Squared change of the mean between two windows that white noise alone causes.
    private static func whiteStep(_ variance: Double, _ now: Moments, _ then: Moments) -> Double {
        variance * (1 / Double(max(1, now.count)) + 1 / Double(max(1, then.count)))
    }

    /// Whether the board moved within a window, or between the previous window and this one.
    func isMoved(_ window: RestWindow, after before: RestWindow?) -> Bool {
        if window.rate.count > 1, window.rate.variance > RestLimits.rateRatio * rateVariance { return true }
        if window.force.count > 1, window.force.variance > RestLimits.forceRatio * forceVariance { return true }
        guard let before else { return false }
        return isStep(\.rate, window, before, rateVariance, rateStep)
            || isStep(\.force, window, before, forceVariance, forceStep)
    }

    private func isStep(
        _ sensor: KeyPath<RestWindow, Moments>, _ window: RestWindow, _ before: RestWindow, _ variance: Double,
        _ usual: Double
    ) -> Bool {
        guard let step = Self.step(sensor, window, before) else { return false }
        let white = Self.whiteStep(variance, window[keyPath: sensor], before[keyPath: sensor])
        return step > RestLimits.stepRatio * max(white, usual)
    }

    /// Adapts the baseline slowly to a window at rest.
    mutating func follow(_ window: RestWindow, after before: RestWindow?) {
        let share = 1.0 / 60
        func follow(_ value: inout Double, _ sample: Double, floor: Double) {
            value = max(value + share * (sample - value), floor)
        }
        if window.rate.count > 1 { follow(&rateVariance, window.rate.variance, floor: rateFloor) }
        if window.force.count > 1 { follow(&forceVariance, window.force.variance, floor: forceFloor) }
        guard let before else { return }
        if let step = Self.step(\.rate, window, before) { follow(&rateStep, step, floor: 0.01 * rateFloor) }
        if let step = Self.step(\.force, window, before) { follow(&forceStep, step, floor: 0.01 * forceFloor) }
    }

    /// Ratio of the change of the mean from window to window to the change that the scatter within a window predicts,
    /// median over all windows. White noise gives a ratio near 1, flicker noise near 5, a steady drift near 30.
    static func sway(_ sensor: KeyPath<RestWindow, Moments>, _ windows: [RestWindow]) -> Double {
        let ratios = zip(windows.dropFirst(), windows).compactMap { window, before -> Double? in
            guard let step = Self.step(sensor, window, before) else { return nil }
            let (now, then) = (window[keyPath: sensor], before[keyPath: sensor])
            guard now.groups > 2, then.groups > 2 else { return nil }
            let variance = (now.groupVariance + then.groupVariance) / 2
            let white = variance * (1 / Double(now.groups) + 1 / Double(then.groups))
            return step / max(white, 0.01 * max(now.floor, then.floor), .leastNormalMagnitude)
        }.sorted()
        return ratios.isEmpty ? 0 : ratios[ratios.count / 2]
    }
}

/// Thresholds beyond which a board counts as moving.
///
/// Most thresholds are ratios to the noise of the same sensors at rest, so that they hold for counts too.
enum RestLimits {
    /// Ratio of the rate's variance to that of quiet windows: three times the noise. Noise alone, with at least 20
    /// degrees of freedom in each window, reaches this ratio once in 1e12 windows.
    static let rateRatio = 9.0
    /// Ratio of the specific force's variance to that of quiet windows. It is larger because a step on the floor next
    /// to the board shakes the board without turning it.
    static let forceRatio = 25.0
    /// Ratio of the squared change of the mean from window to window to that of quiet windows. Noise of three axes
    /// exceeds a ratio of 40 once in 1e8 windows.
    static let stepRatio = 64.0
    /// Ratio of the squared change of the mean from window to window to the change predicted from fifths of a window.
    /// White noise, also behind a low-pass filter of a few hertz, gives a ratio near 1, flicker noise 5, the sway of a
    /// hand 10 to 30.
    static let swayRatio = 8.0
    /// Fraction of the windows that counts as quiet: those with the least variance.
    static let quietShare = 0.2
    /// Largest ratio of the median variance at rest to that of the quietest fifth: noise may be twice as large for half
    /// of the time, for example when a processor beside the sensor is at work.
    static let maximumUnevenness = 4.0

    /// Standard deviation of the rate, all axes combined, above which no board is at rest: 1.1°/s. The noisiest sensors
    /// reach half of it. Unit: rad/s.
    static let maximumShake = 0.02
    /// Mean rate that exceeds any bias: 29°/s; the worst data sheets give a bias of 20°/s. Unit: rad/s.
    static let maximumRate = 0.5
    /// Standard deviation of the specific force, as a fraction of gravity, above which no board is at rest: twice the
    /// noise of the noisiest sensors.
    static let maximumForceShake = 0.02
    /// Largest change of gravity's direction in the board's axes. Thermal drift of an accelerometer, 5 mg, is 0.3°.
    /// Unit: radians.
    static let maximumTilt = 0.02
    /// Largest steady rotation of the field for a board at rest; rotations faster than the measured rates permit are
    /// ignored. Unit: radians.
    static let maximumFieldTurn = 0.09
    /// Least rotation in each fifth of a steady turn, as a fraction of the mean over the fifths.
    static let minimumEvenness = 0.5
    /// Largest ratio of the field's rotation rate to the measured rate, which includes the bias, at which the board may
    /// have turned.
    static let fieldQuickness = 1.5
}
