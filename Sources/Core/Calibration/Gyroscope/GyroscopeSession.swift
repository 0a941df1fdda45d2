import Geometry
import Model

/// Gyroscope calibration of a board at rest: bias and noise.
///
/// If the board moves after it was put down, the calibration is refused. The session completes after 10 to 60 s, when
/// the bias is known well enough. For counts this cannot be decided, so that the session takes 60 s.
package struct GyroscopeSession: CalibrationSession {
    package var kind: CalibrationKind { .gyroscope }

    let settings: CalibrationSettings
    private(set) var check = ChannelCheck()
    /// Windows with all rows. `rests` has the same windows, but without the repeated rows that the sensor did not
    /// measure.
    private var windows: [RestWindow] = []
    private(set) var rateRepeats = RepeatedSamples()
    private(set) var forceRepeats = RepeatedSamples()
    private(set) var channel = NoiseChannel()
    /// Index of the first window of the rest; nil until it is found.
    private(set) var start: Int?
    private(set) var movement: RestReview.Movement?
    private(set) var begin: BootTime?
    /// Arrival time of the newest measurement of any sensor.
    private(set) var last: BootTime?
    /// Time of the newest angular rate.
    private(set) var lastRate: BootTime?
    /// Longest gap in the angular rates, and the time at which it started.
    private(set) var gap: (seconds: Double, since: BootTime)?
    private var window: RestWindow?
    private var waiting: [(sample: AngularRateSample, isRepeated: Bool)] = []
    private var isGood = false

    package init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

    var hasScale: Bool { settings.unit == .standard }

    package mutating func feed(_ measurement: Measurement) {
        let time = measurement.arrival
        if last.map({ time > $0 }) ?? true { last = time }
        switch measurement {
        case .angularRate(let sample):
            check.add(sample.rate)
            guard sample.rate.isUsable(), noteTime(sample.time) else { return }
            open(at: sample.time)
            let isRepeated = rateRepeats.add(sample.rate)
            window?.addRate(sample.rate, isRepeated: isRepeated)
            take(sample, isRepeated: isRepeated)
        case .specificForce(let sample) where sample.force.isUsable():
            window?.addForce(sample.force, isRepeated: forceRepeats.add(sample.force))
        case .magneticField(let sample) where sample.field.isUsable(): window?.field.add(sample.field)
        default: break
        }
    }

    /// Updates the times and the longest gap. Returns false if the sample is older than the previous one.
    private mutating func noteTime(_ time: BootTime) -> Bool {
        if begin == nil { begin = time }
        if let lastRate {
            let passed = time.seconds(since: lastRate)
            guard passed >= 0 else { return false }
            if passed > gap?.seconds ?? GyroscopeLimits.maximumGap { gap = (passed, lastRate) }
        }
        lastRate = time
        return true
    }

    private mutating func open(at time: BootTime) {
        if let window {
            guard time.seconds(since: window.begin) >= GyroscopeLimits.window else { return }
            close()
        }
        window = RestWindow(begin: time, after: windows.last)
    }

    private mutating func close() {
        guard let window, windows.count < GyroscopeLimits.maximumWindowCount else { return }
        windows.append(window)
        self.window = nil
        // The longer the record, the longer a review takes. Reviews are therefore made after each of the first 40
        // windows, and ever more rarely after that.
        if windows.count % (1 + windows.count / 40) == 0 { review() }
        if start != nil, windows.count % GyroscopeLimits.reviewEvery == 0 { checkPrecision() }
    }

    /// Windows without the rows that the sensor did not measure.
    var rests: [RestWindow] { windows.map { $0.measured(rates: rateRepeats, forces: forceRepeats) } }

    private mutating func review(isLast: Bool = false) {
        let isSettling = !isLast && elapsed < GyroscopeLimits.settle + GyroscopeLimits.window
        let review = RestReview(rests, hasScale: hasScale, maySettle: isSettling)
        movement = review.movement
        // Later windows show the start of the rest more precisely. Once samples of the rest have been passed on, the
        // start stays.
        if channel.samples == 0 { start = review.start }
        if !isSettling || isLast { release() }
    }

    private var elapsed: Double { windows.last.map { $0.begin.seconds(since: windows[0].begin) } ?? 0 }

    private mutating func take(_ sample: AngularRateSample, isRepeated: Bool) {
        guard channel.samples == 0 else {
            if !(isRepeated && rateRepeats.areStale) { channel.take(sample.time, sample.rate) }
            return
        }
        if waiting.count < GyroscopeLimits.maximumWaitingCount { waiting.append((sample, isRepeated)) }
    }

    /// Passes the held samples to the noise channel once the start of the rest is known.
    private mutating func release() {
        guard channel.samples == 0, let start else { return }
        let areStale = rateRepeats.areStale
        for (sample, isRepeated) in waiting
        where sample.time >= windows[start].begin && !(isRepeated && areStale) {
            channel.take(sample.time, sample.rate)
        }
        waiting = []
    }

    private mutating func checkPrecision() {
        guard !isGood, hasScale, restSeconds >= GyroscopeLimits.minimumSeconds, let bias = GyroscopeBias(self) else {
            return
        }
        isGood = bias.meanDeviation <= GyroscopeLimits.goodStandardDeviation
    }

    /// Duration of the rest so far. Unit: seconds.
    var restSeconds: Double {
        guard let start, let last = lastRate else { return 0 }
        return last.seconds(since: windows[start].begin)
    }

    // MARK: - Progress and result

    package var isComplete: Bool {
        movement != nil || isGood || restSeconds >= GyroscopeLimits.fullSeconds
    }

    package var progress: CalibrationProgress {
        guard let begin, let last else { return CalibrationProgress(instruction: .waitForSamples) }
        let instruction: CalibrationProgress.Instruction =
            movement != nil || (start == nil && elapsed > 2)
            ? .movesTooMuch : isComplete ? .done : .holdStill
        let fraction = isComplete ? 1 : min(0.99, restSeconds / GyroscopeLimits.fullSeconds)
        return CalibrationProgress(
            instruction: instruction, fraction: fraction, seconds: last.seconds(since: begin))
    }

    package func result() -> CalibrationResult {
        var done = self
        done.finish()
        return done.finished()
    }

    private mutating func finish() {
        // A nearly empty last window is left out, because it carries no information.
        if let window, window.rate.count >= (windows.last?.rate.count ?? 0) / 2 { windows.append(window) }
        window = nil
        review(isLast: true)
        channel.start()
    }

    private func finished() -> CalibrationResult {
        let bias = GyroscopeBias(self)
        var result = CalibrationResult(
            kind: kind, verdict: GyroscopeVerdict(session: self, bias: bias).verdict,
            residualUnit: hasScale ? "rad/s" : "counts")
        result.samples = check.samples
        result.seconds = begin.flatMap { begin in last.map { $0.seconds(since: begin) } } ?? 0
        guard let bias else { return result }
        bias.report(in: &result)
        result.noise = channel.axes()
        return result
    }
}

enum GyroscopeLimits {
    /// Duration of a window in which rest is detected. Unit: seconds.
    static let window = 0.5
    /// Time after the first sample during which the board may still be put down. Unit: seconds.
    static let settle = 10.0
    /// Number of quiet windows that mark the beginning of the rest: 2 s.
    static let firstWindows = 4
    /// Shortest rest. Unit: seconds.
    static let minimumSeconds = 10.0
    /// Duration of rest after which the session completes at the latest. Unit: seconds.
    static let fullSeconds = 60.0
    /// Standard deviation of the bias at which the session completes. It causes 0.1° of heading error in a minute.
    /// Unit: rad/s.
    static let goodStandardDeviation = 3e-5
    /// Threshold above which a rate random walk is significant: the 99.9 % quantile of a normal variable, applied to
    /// the cube root of chi-square. The threshold is high because a spurious random walk would inflate the predicted
    /// error.
    static let certainty = 3.09
    /// Rate random walk that is assumed if a rest of a minute does not show any. It is that of the MPU-6050, from
    /// records of hours. Without this assumption, the biases of successive minutes differ by 1.8 times the prediction.
    /// Unit: rad/s/√s.
    static let usualWalk = 4e-6
    /// Number of windows between two checks for completion: 5 s.
    static let reviewEvery = 10
    /// Longest accepted gap between samples. Delivery in batches causes shorter gaps. Unit: seconds.
    static let maximumGap = 1.0
    /// Time without aiding for which the heading error is predicted. Unit: seconds.
    static let coast = 60.0
    /// Largest number of windows that are kept, which cover an hour.
    static let maximumWindowCount = 7200
    /// Largest number of samples that are held until the start of the rest is known. They cover 10 s at 4 kHz.
    static let maximumWaitingCount = 40_000
}
