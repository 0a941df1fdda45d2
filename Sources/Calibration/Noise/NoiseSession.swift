import Geometry
import Model

/// Still for hours: Allan's deviation of gyroscope and accelerometer, and the processes behind it.
///
/// Memory stays below a few megabytes however long it lasts: samples pass a few seconds in which it is judged whether the
/// board was at rest, and go into sums. What was measured while it moved is left out, as a gap.
public struct NoiseSession: CalibrationSession {
    public var kind: CalibrationKind { .noise }

    /// A second of samples that wait for what the next one shows.
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
    private var level: RestLevel?
    /// The last window that was judged, and the last that was taken.
    private var before: RestWindow?
    private var quiet: RestWindow?
    private var wasMoved = false
    private var wasLeftOut = false
    private(set) var rests = RestRecord()

    public init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

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

    /// Makes sure that there is a window for a sample of that time.
    private mutating func open(at time: BootTime) {
        if let window {
            let passed = time.seconds(since: window.rest.begin)
            let isFull = max(window.rates.count, window.forces.count) >= NoiseLimits.mostInWindow
            guard isFull || passed >= NoiseLimits.window || passed < -1 else { return }
            close()
        }
        window = HeldWindow(rest: RestWindow(begin: time, after: held.last?.rest))
    }

    // MARK: windows

    private mutating func close() {
        guard let window else { return }
        held.append(window)
        self.window = nil
        if level == nil {
            guard held.count >= NoiseLimits.firstWindows else { return }
            learn()
        } else {
            judge(held.count - 1)
        }
        release(keeping: 1)
    }

    private mutating func learn() {
        level = RestLevel(held.map(\.rest))
        for index in held.indices { judge(index) }
    }

    private mutating func judge(_ index: Int) {
        guard let level else { return }
        let rest = held[index].rest
        let isMoved = level.isMoved(rest, after: before)
        if !isMoved { self.level?.follow(rest, after: before) }
        held[index].isMoved = isMoved
        rests.add(rest, after: before, isMoved: isMoved)
        before = rest
    }

    /// Takes the samples of windows that lie between quiet ones.
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
        if wasLeftOut, let quiet, let level, level.isMoved(window.rest, after: quiet) {
            // It came to lie otherwise: other biases, other noise.
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
        if level == nil { learn() }
        release(keeping: 0)
        rateChannel.start()
        forceChannel.start()
    }

    // MARK: what is told

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

    public var isComplete: Bool { rests.seconds >= NoiseLimits.fullSeconds }

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
    /// Finite, and small enough for squares and their sums to be so too.
    var isUsable: Bool { isFinite && x.magnitude < 1e100 && y.magnitude < 1e100 && z.magnitude < 1e100 }
}
