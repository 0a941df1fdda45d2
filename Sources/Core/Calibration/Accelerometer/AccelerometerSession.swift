import Geometry
import Model

/// Accelerometer calibration from at least six still poses. They give the nine parameters of the accelerometer. The
/// moves between them give scale and axes of the gyroscope.
///
/// With `usesFaces`, the board lies on the faces of a box, and is turned about the box's edges between the poses.
package struct AccelerometerSession: CalibrationSession {
    private let settings: CalibrationSettings
    private var record = InertialRecord()
    private var guidance: PoseGuidance
    private var sign: SignCheck
    private var forces = ChannelCheck()
    private var rates = ChannelCheck()
    private var hasRates = false
    private var latest: BootTime?

    package init(settings: CalibrationSettings) {
        self.settings = settings
        guidance = PoseGuidance(settings)
        sign = SignCheck(settings)
    }

    package var kind: CalibrationKind { .accelerometer }

    package mutating func feed(_ measurement: Measurement) {
        sign.feed(measurement)
        let time = measurement.time
        // The arrival time is used, because the epoch of a GNSS fix must not make the accelerometer look silent.
        latest = max(latest ?? measurement.arrival, measurement.arrival)
        var isCompleted = false
        switch measurement {
        case .specificForce(let sample):
            forces.add(sample.force)
            isCompleted = record.add(force: sample.force, at: time)
        case .angularRate(let sample):
            rates.add(sample.rate)
            // A file without a gyroscope has zeros in the gyroscope's columns.
            if sample.rate != .zero { hasRates = true }
            if hasRates { isCompleted = record.add(rate: sample.rate, at: time) }
        default: break
        }
        if isCompleted { guidance.update(record) }
    }

    package var isComplete: Bool { guidance.isComplete || record.isFull }

    package var progress: CalibrationProgress {
        var progress = CalibrationProgress(
            instruction: isSilent ? .waitForSamples : guidance.instruction, fraction: guidance.fraction,
            seconds: seconds)
        progress.predictedTiltError = guidance.predictedTiltError
        progress.poses = guidance.directions
        progress.direction = guidance.direction
        progress.missing = guidance.isComplete ? nil : guidance.missing
        return progress
    }

    /// Time that the specific forces cover. Unit: seconds.
    private var seconds: Double {
        guard let first = record.firstTime, let last = record.lastForceTime else { return 0 }
        return max(0, last.seconds(since: first))
    }

    private var isSilent: Bool {
        guard let last = record.lastForceTime, let latest else { return true }
        return latest.seconds(since: last) > AccelerometerLimits.silentSeconds
    }

    package func result() -> CalibrationResult {
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
        return result.checked(sign.finding)
    }

    private var isRateClipped: Bool {
        hasRates && !settings.usesFaces && rates.problem(sensor: "gyroscope")?.refusal == .saturated
    }

    /// Refusal because the samples themselves are defective; nil if they are not.
    private var inputProblem: CalibrationVerdict? {
        guard forces.samples > 0 else {
            return .refused(
                .noSamples,
                "No samples from the accelerometer: check that the board has one and that it is enabled.")
        }
        if let problem = forces.problem(sensor: "accelerometer") { return problem }
        // Fast moves may clip the gyroscope, but such moves can be left out.
        if hasRates, !isRateClipped, let problem = rates.problem(sensor: "gyroscope") { return problem }
        if isSilent {
            return .refused(
                .silent,
                "The accelerometer stopped after \(seconds.figure) s: check its connection, and try again.")
        }
        if record.blocks.count < StillnessLimits.windowBlocks {
            return .refused(
                .tooFewSamples,
                "Only \(record.forces) usable samples of the accelerometer in \(seconds.figure) s: at least 10 a second "
                    + "are needed for about a minute, with increasing time stamps.")
        }
        return nil
    }
}
