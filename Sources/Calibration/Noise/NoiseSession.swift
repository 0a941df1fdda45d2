import Geometry
import Measurements

/// Noise calibration of a board at rest for hours: Allan deviation of gyroscope and accelerometer, and fitted
/// processes. Memory stays below a few megabytes for any duration: samples are held for a few seconds for the rest
/// detection and then summed. Samples of a moving board are left out as a gap.
public struct NoiseSession: CalibrationSession {
    /// Always `.noise`.
    public var kind: CalibrationKind { .noise }

    /// A second of samples, held until the next window is evaluated.
    private struct HeldWindow {
        var rest: RestWindow
        var rates: [AngularRateSample] = []
        var forces: [SpecificForceSample] = []
        var isMoved = false
    }

    private let settings: CalibrationSettings
    private var rateChannel = NoiseChannel()
    private var forceChannel = NoiseChannel()
    private var rateCheck = ChannelCheck()
    private var forceCheck = ChannelCheck()
    private var window: HeldWindow?
    private var held: [HeldWindow] = []
    private var baseline: RestBaseline?
    /// Newest window that was evaluated.
    private var before: RestWindow?
    /// Newest window that was taken.
    private var quiet: RestWindow?
    private var wasMoved = false
    private var wasLeftOut = false
    private(set) var rests = RestRecord()

    /// A session before its first sample.
    public init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

    /// Processes the next measurement; only angular rates and specific forces are used.
    public mutating func feed(_ measurement: Measurement) {
        rests.see(measurement.arrival)
        switch measurement {
        case .angularRate(let sample):
            rateCheck.add(sample.rate)
            guard sample.rate.isUsable else { return }
            rests.seeRate(sample.time)
            open(at: sample.time)
            window?.rest.rate.add(sample.rate)
            window?.rates.append(sample)
        case .specificForce(let sample):
            forceCheck.add(sample.force)
            guard sample.force.isUsable else { return }
            rests.seeForce(sample.time)
            open(at: sample.time)
            window?.rest.force.add(sample.force)
            window?.forces.append(sample)
        default: break
        }
    }

    /// Opens a window for a sample of that time if needed.
    private mutating func open(at time: BootTime) {
        if let window {
            let passed = time.seconds(since: window.rest.begin)
            let isFull = max(window.rates.count, window.forces.count) >= NoiseLimits.mostInWindow
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
        baseline = RestBaseline(held.map(\.rest))
        for index in held.indices { evaluate(index) }
    }

    private mutating func evaluate(_ index: Int) {
        guard let baseline else { return }
        let rest = held[index].rest
        let isMoved = baseline.isMoved(rest, after: before)
        if !isMoved { self.baseline?.follow(rest, after: before) }
        held[index].isMoved = isMoved
        rests.add(rest, after: before, isMoved: isMoved)
        before = rest
    }

    /// Takes the samples of windows that lie between windows at rest.
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
        if wasLeftOut, let quiet, let baseline, baseline.isMoved(window.rest, after: quiet) {
            // The board lies differently now: other biases, other noise.
            rateChannel.interrupt()
            forceChannel.interrupt()
        }
        wasLeftOut = false
        quiet = window.rest
        for sample in window.rates { rateChannel.take(sample.time, sample.rate) }
        for sample in window.forces { forceChannel.take(sample.time, sample.force) }
    }

    private mutating func finish() {
        close()
        if baseline == nil { estimateBaseline() }
        release(keeping: 0)
        rateChannel.start()
        forceChannel.start()
    }

    // MARK: - Progress and result

    /// Instruction and fraction of the longest record.
    public var progress: CalibrationProgress {
        let seconds = rests.seconds
        guard rateCheck.samples + forceCheck.samples > 0 else {
            return CalibrationProgress(instruction: .waitForSamples)
        }
        let instruction: CalibrationProgress.Instruction =
            isComplete ? .done : held.last?.isMoved == true ? .movesTooMuch : .holdStill
        return CalibrationProgress(
            instruction: instruction, fraction: min(1, seconds / NoiseLimits.fullSeconds), seconds: seconds)
    }

    /// Whether the record is long enough for the slow processes.
    public var isComplete: Bool { rests.seconds >= NoiseLimits.fullSeconds }

    /// Noise of all axes, with the verdict.
    public func result() -> CalibrationResult {
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
    /// Whether a vector is finite and small enough for sums of squares.
    var isUsable: Bool { isFinite && x.magnitude < 1e100 && y.magnitude < 1e100 && z.magnitude < 1e100 }
}
