import Geometry
import Measurements

/// Still in at least six poses: the accelerometer's nine parameters, and the gyroscope's scale and axes from the moves
/// between them. With `usesFaces` the poses are the faces of a box, and the moves turns about its edges.
public struct AccelerometerSession: CalibrationSession {
    private let settings: CalibrationSettings
    private var record = InertialRecord()
    private var guidance: PoseGuidance
    private var forces = ChannelCheck()
    private var rates = ChannelCheck()
    private var hasRates = false
    private var latest: BootTime?

    public init(settings: CalibrationSettings) {
        self.settings = settings
        guidance = PoseGuidance(settings)
    }

    public var kind: CalibrationKind { .accelerometer }

    public mutating func feed(_ measurement: Measurement) {
        let time = measurement.time
        // The epoch of a fix may be any: it does not tell that the accelerometer is late.
        latest = max(latest ?? measurement.arrival, measurement.arrival)
        var isCompleted = false
        switch measurement {
        case .specificForce(let sample):
            forces.add(sample.force)
            isCompleted = record.add(force: sample.force, at: time)
        case .angularRate(let sample):
            rates.add(sample.rate)
            // Files without a gyroscope have noughts in its columns.
            if sample.rate != .zero { hasRates = true }
            if hasRates { isCompleted = record.add(rate: sample.rate, at: time) }
        default: break
        }
        if isCompleted { guidance.update(record) }
    }

    public var isComplete: Bool { guidance.isComplete || record.isFull }

    public var progress: CalibrationProgress {
        var progress = CalibrationProgress(
            instruction: isSilent ? .waitForSamples : guidance.instruction, fraction: guidance.fraction,
            seconds: seconds)
        progress.predictedTiltError = guidance.predictedTiltError
        progress.poses = guidance.directions
        progress.direction = guidance.direction
        progress.missing = guidance.isComplete ? nil : guidance.missing
        return progress
    }

    /// Of specific forces. Unit: seconds.
    private var seconds: Double {
        guard let first = record.firstTime, let last = record.lastForceTime else { return 0 }
        return max(0, last.seconds(since: first))
    }

    private var isSilent: Bool {
        guard let last = record.lastForceTime, let latest else { return true }
        return latest.seconds(since: last) > AccelerometerLimits.silentSeconds
    }

    public func result() -> CalibrationResult {
        var result: CalibrationResult
        if let verdict = inputProblem {
            result = CalibrationResult(kind: kind, verdict: verdict, residualUnit: "m/s²")
        } else if settings.usesFaces {
            result = BoxCalibration(record, settings: settings).result
        } else {
            result = PoseCalibration(record, settings: settings, isClipped: isRateClipped).result
        }
        result.samples = forces.samples
        result.seconds = seconds
        return result
    }

    private var isRateClipped: Bool {
        hasRates && !settings.usesFaces && rates.problem(sensor: "gyroscope")?.refusal == .saturated
    }

    /// What is wrong with the samples as such.
    private var inputProblem: CalibrationVerdict? {
        guard forces.samples > 0 else {
            return .refused(
                .noSamples,
                "No accelerometer samples: check that the board has an accelerometer and that it is enabled.")
        }
        if let problem = forces.problem(sensor: "accelerometer") { return problem }
        // Fast moves clip many a gyroscope; what they spoil can be left out.
        if hasRates, !isRateClipped, let problem = rates.problem(sensor: "gyroscope") { return problem }
        if isSilent {
            return .refused(
                .silent,
                "The accelerometer samples stopped after \(seconds.figure) s: check its connection, and start again.")
        }
        if record.blocks.count < StillnessLimits.windowBlocks {
            return .refused(
                .tooFewSamples,
                "Only \(record.forces) usable accelerometer samples in \(seconds.figure) s: the calibration needs "
                    + "at least 10 per second, for about a minute, with increasing timestamps.")
        }
        return nil
    }
}
