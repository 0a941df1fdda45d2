import Geometry
import Measurements

/// Magnetometer calibration by rotation through all directions: hard and soft iron, in the axes of the accelerometer if
/// there is one.
///
/// It uses fields, and forces and rates if available: docs/calibration.md, "Magnetometer". Memory is bounded by
/// `MagnetometerLimits.capacity` and an hour of inertial means, about 20 MB.
public struct MagnetometerSession: CalibrationSession {
    /// Inputs besides the samples.
    public let settings: CalibrationSettings
    private var store = MagneticStore()
    private var check = ChannelCheck()
    private var live = MagneticLive()

    /// A session before its first sample.
    public init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

    /// Always `.magnetometer`.
    public var kind: CalibrationKind { .magnetometer }

    /// Processes the next measurement; fields, forces and rates are used.
    public mutating func feed(_ measurement: Measurement) {
        if case .magneticField(let sample) = measurement { check.add(sample.field) }
        guard store.add(measurement) else { return }
        if store.isFull { store.thin(by: live.region) }
        live.update(store)
    }

    /// Whether coverage and predicted heading error suffice, or the longest duration is over.
    public var isComplete: Bool {
        if store.isOver { return true }
        return store.lastTime >= MagnetometerLimits.enoughSeconds
            && live.coverage.fraction >= MagnetometerLimits.enoughCoverage
            && live.headingError ?? .infinity <= MagnetometerLimits.enoughHeadingError && !live.isDisturbed
    }

    /// Instruction, coverage and predicted errors of the live fit.
    public var progress: CalibrationProgress {
        var progress = CalibrationProgress(instruction: instruction, fraction: fraction, seconds: store.lastTime)
        progress.predictedHeadingError = live.headingError
        progress.predictedTiltError = live.tiltError
        progress.coverage = live.coverage
        progress.direction = live.direction
        progress.missing = live.missing
        return progress
    }

    private var instruction: CalibrationProgress.Instruction {
        if isComplete { return .done }
        guard let last = store.lastFieldTime, store.lastTime - last < MagnetometerLimits.silence else {
            return .waitForSamples
        }
        if live.isDisturbed { return .leaveDisturbance }
        return live.turnsFast ? .turnSlower : .turnThroughDirections
    }

    private var fraction: Double {
        if isComplete { return 1 }
        let quality = MagnetometerLimits.enoughHeadingError / max(live.headingError ?? .pi, 1e-9)
        return min(
            live.coverage.fraction / MagnetometerLimits.enoughCoverage,
            store.lastTime / MagnetometerLimits.enoughSeconds, 0.5 + 0.5 * min(1, quality), 0.99)
    }

    /// Fit to the undisturbed samples, with the verdict.
    public func result() -> CalibrationResult {
        var result = CalibrationResult(
            kind: .magnetometer, verdict: .accepted(""),
            residualUnit: settings.unit == .standard || settings.fieldStrength != nil ? "µT" : "1")
        result.samples = check.samples
        result.seconds = store.lastTime
        if let problem = MagneticVerdict.problem(store, check) {
            result.verdict = problem
            return result
        }
        var store = store
        if store.isUneven { store.thin(by: live.region) }
        guard let solution = MagneticSolution(store, settings: settings) else {
            result.verdict = MagneticVerdict.noFit(live)
            result.coverage = live.coverage
            return result
        }
        let strength = solution.strength(settings)
        result.fits = [solution.sensorFit(strength: strength)]
        result.residualRMS = solution.residualRMS * strength
        result.residualRMSBefore = solution.residualBefore(settings)
        result.predictedHeadingError = solution.prediction.heading
        result.predictedTiltError = solution.prediction.tilt
        result.coverage = solution.coverage
        let isCalibrated = settings.present.contains { $0.sensor == .accelerometer }
        let verdict = MagneticVerdict.verdict(solution, hasAccelerometerCalibration: isCalibrated)
        result.verdict = verdict.isAccepted ? MagneticVerdict.noGain(result) ?? verdict : verdict
        return result
    }
}
