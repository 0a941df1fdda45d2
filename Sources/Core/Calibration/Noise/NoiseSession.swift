import Geometry
import Model

/// Noise calibration of a board that rests for hours. It gives the Allan deviation of gyroscope and accelerometer, and
/// fitted processes. Memory stays below a few megabytes for any duration. Samples are held for a few seconds until rest
/// is detected, and then summed. Samples of a moving board are left out and count as a gap.
package struct NoiseSession: CalibrationSession {
    package var kind: CalibrationKind { .noise }

    /// A second of samples. They are held until the next window is evaluated.
    private struct HeldWindow {
        var rest: RestWindow
        var rates: [(sample: AngularRateSample, isRepeated: Bool)] = []
        var forces: [(sample: SpecificForceSample, isRepeated: Bool)] = []
        var isMoved = false
    }

    private let settings: CalibrationSettings
    private var rateChannel = NoiseChannel()
    private var forceChannel = NoiseChannel()
    private var rateCheck = ChannelCheck()
    private var forceCheck = ChannelCheck()
    private var rateRepeats = RepeatedSamples()
    private var forceRepeats = RepeatedSamples()
    private var window: HeldWindow?
    private var held: [HeldWindow] = []
    private var baseline: RestBaseline?
    /// Newest window that has been evaluated.
    private var before: RestWindow?
    /// Newest window that was taken as a window at rest.
    private var quiet: RestWindow?
    private var wasMoved = false
    private var wasLeftOut = false
    private(set) var rests = RestRecord()

    package init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

    package mutating func feed(_ measurement: Measurement) {
        rests.see(measurement.arrival)
        switch measurement {
        case .angularRate(let sample):
            rateCheck.add(sample.rate)
            guard sample.rate.isUsable() else { return }
            rests.seeRate(sample.time)
            open(at: sample.time)
            let isRepeated = rateRepeats.add(sample.rate)
            window?.rest.addRate(sample.rate, isRepeated: isRepeated)
            window?.rates.append((sample, isRepeated))
        case .specificForce(let sample):
            forceCheck.add(sample.force)
            guard sample.force.isUsable() else { return }
            rests.seeForce(sample.time)
            open(at: sample.time)
            let isRepeated = forceRepeats.add(sample.force)
            window?.rest.addForce(sample.force, isRepeated: isRepeated)
            window?.forces.append((sample, isRepeated))
        default: break
        }
    }

    /// Opens a window for a sample at `time` if needed.
    private mutating func open(at time: BootTime) {
        if let window {
            let passed = time.seconds(since: window.rest.begin)
            let isFull = max(window.rates.count, window.forces.count) >= NoiseLimits.maximumCountInWindow
            guard isFull || passed >= NoiseLimits.window || passed < -1 else { return }
            close()
        }
        window = HeldWindow(rest: RestWindow(begin: time, after: held.last?.rest))
    }

    // MARK: - Windows

    private mutating func close() {
        guard let window else { return }
        held.append(window)
        self.window = nil
        if baseline == nil {
            guard held.count >= NoiseLimits.firstWindows else { return }
            estimateBaseline()
        } else {
            evaluate(held.count - 1)
        }
        release(keeping: 1)
    }

    private mutating func estimateBaseline() {
        baseline = RestBaseline(held.map { measured($0.rest) })
        for index in held.indices { evaluate(index) }
    }

    /// Statistics of a window without the rows that the sensor did not measure, as far as these rows are known.
    private func measured(_ rest: RestWindow) -> RestWindow {
        rest.measured(rates: rateRepeats, forces: forceRepeats)
    }

    private mutating func evaluate(_ index: Int) {
        guard let baseline else { return }
        let rest = measured(held[index].rest)
        let isMoved = baseline.isMoved(rest, after: before)
        if !isMoved { self.baseline?.follow(rest, after: before) }
        held[index].isMoved = isMoved
        rests.add(rest, after: before, isMoved: isMoved)
        before = rest
    }

    /// Takes the samples of windows at rest whose neighbours are also at rest. Leaves out the samples of all other
    /// windows.
    private mutating func release(keeping count: Int) {
        while held.count > count {
            let window = held.removeFirst()
            let isBeside = wasMoved || (held.first?.isMoved ?? false)
            wasMoved = window.isMoved
            if window.isMoved || isBeside {
                wasLeftOut = true
            } else {
                take(window)
            }
        }
    }

    private mutating func take(_ window: HeldWindow) {
        let rest = measured(window.rest)
        if wasLeftOut, let quiet, let baseline, baseline.isMoved(rest, after: quiet) {
            // The board now lies differently, so that biases and noise may differ.
            rateChannel.interrupt()
            forceChannel.interrupt()
        }
        wasLeftOut = false
        quiet = rest
        let (staleRates, staleForces) = (rateRepeats.areStale, forceRepeats.areStale)
        for (sample, isRepeated) in window.rates where !(isRepeated && staleRates) {
            rateChannel.take(sample.time, sample.rate)
        }
        for (sample, isRepeated) in window.forces where !(isRepeated && staleForces) {
            forceChannel.take(sample.time, sample.force)
        }
    }

    private mutating func finish() {
        close()
        if baseline == nil { estimateBaseline() }
        release(keeping: 0)
        rateChannel.start()
        forceChannel.start()
    }

    // MARK: - Progress and result

    package var progress: CalibrationProgress {
        let seconds = rests.seconds
        guard rateCheck.samples + forceCheck.samples > 0 else {
            return CalibrationProgress(instruction: .waitForSamples)
        }
        let instruction: CalibrationProgress.Instruction =
            isComplete ? .done : held.last?.isMoved == true ? .movesTooMuch : .holdStill
        return CalibrationProgress(
            instruction: instruction, fraction: min(1, seconds / NoiseLimits.fullSeconds), seconds: seconds)
    }

    package var isComplete: Bool { rests.seconds >= NoiseLimits.fullSeconds }

    package func result() -> CalibrationResult {
        var done = self
        done.finish()
        return done.finished()
    }

    private func finished() -> CalibrationResult {
        func axes(_ channel: NoiseChannel) -> [AxisNoise] {
            let axes = channel.axes()
            return axes.isEmpty ? [AxisNoise](repeating: AxisNoise(), count: 3) : axes
        }
        let noise = axes(rateChannel) + axes(forceChannel)
        let verdict = NoiseVerdict(
            rateCheck: rateCheck, forceCheck: forceCheck, rests: rests, noise: noise,
            repeats: [("gyroscope", rateRepeats), ("accelerometer", forceRepeats)],
            seconds: max(rateChannel.duration, forceChannel.duration)
        ).verdict
        var result = CalibrationResult(
            kind: kind, verdict: verdict, residualUnit: settings.unit == .standard ? "rad/s" : "counts")
        result.noise = noise
        result.samples = max(rateCheck.samples, forceCheck.samples)
        result.seconds = rests.seconds
        return result
    }
}

extension Vector3 {
    /// Whether a vector is finite, and so small that sums of powers of its components do not overflow. The default
    /// limit is for sums of squares.
    func isUsable(below limit: Double = 1e100) -> Bool {
        isFinite && x.magnitude < limit && y.magnitude < limit && z.magnitude < limit
    }
}

enum NoiseLimits {
    // MARK: Curve

    /// Longest cluster as a fraction of the record. A quarter leaves three pairs of neighbouring clusters.
    static let maximumShare = 0.25
    /// Cluster time for which windows fully overlap, for comparison with other programs. Unit: seconds.
    static let exactCluster = 1.0
    /// Largest number of samples in a cluster of `exactCluster`: a second at 4 kHz.
    static let maximumExactCount = 4096
    /// Number of time stamps from which the sampling interval is estimated.
    static let firstStamps = 256

    // MARK: Fit

    /// Squared relative model error of the variance at each point: 4 % of the variance, or 2 % of the deviation.
    /// Without it the shortest clusters, whose variances are known to a thousandth, would dominate the fit.
    static let modelVariance = 0.04 * 0.04
    /// Fraction of each variance that is added as an independent error. It keeps the covariance of nearly equal
    /// neighbours invertible.
    static let ownShare = 0.05
    /// Smallest reduction of the squared distance at which a process is significant. Akaike's 2 would accept one in six
    /// absent processes; 6.6 is the 99 % quantile of chi-square with one degree of freedom.
    static let minimumGain = 6.6
    /// Largest relative standard deviation of a reported coefficient.
    static let maximumUncertainty = 0.4
    /// Number of rounds of fit and covariance. After three rounds, only the fourth digit of the results changes.
    static let rounds = 3
    /// Largest mean squared normalised residual of the first points. If it is larger, the fit starts at a later point,
    /// because the sensor's low-pass filter lowers the beginning of the curve.
    static let maximumMisfit = 4.0
    /// Number of first points whose residuals are tested. They span two octaves.
    static let firstPoints = 8
    /// Longest cluster time at which the fit may start. Unit: seconds.
    static let latestBegin = 2.0
    /// Fewest points of a fit: two for each of the four processes.
    static let minimumPointCount = 8

    // MARK: Record

    /// Shortest record. A shorter one can only determine the angle random walk of a fast sensor. Unit: seconds.
    static let minimumSeconds = 60.0
    /// Duration of a window in which rest is detected. Unit: seconds.
    static let window = 1.0
    /// Number of windows at the beginning from which the baseline at rest is estimated.
    static let firstWindows = 10
    /// Fraction of repeated rows that a curve does not show, because it changes the variance by only a twentieth.
    static let fewRepeated = 0.05
    /// Largest fraction of the windows that may be left out because of movement.
    static let maximumMovedShare = 0.1
    /// Largest fraction of the record, at its end, in which a sensor may deliver no samples.
    static let maximumSilentShare = 0.1
    /// Largest number of samples of one sensor in a window: 20 kHz.
    static let maximumCountInWindow = 20_000
    /// Duration at which the session completes. Six hours contain clusters of an hour and a half, enough for the slow
    /// processes of consumer sensors. Unit: seconds.
    static let fullSeconds = 6 * 3600.0
}
