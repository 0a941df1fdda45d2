import Geometry
import Model

/// Magnetometer calibration by rotation through all directions: hard and soft iron, in the axes of the accelerometer if
/// there is one.
///
/// It uses fields, and forces and rates if available: docs/calibration.md, "Magnetometer". Memory is bounded by
/// `MagnetometerLimits.capacity` and an hour of inertial means, about 20 MB.
package struct MagnetometerSession: CalibrationSession {
    package let settings: CalibrationSettings
    private var store = MagneticStore()
    private var check = ChannelCheck()
    private var live = MagneticLive()

    package init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

    package var kind: CalibrationKind { .magnetometer }

    package mutating func feed(_ measurement: Measurement) {
        if case .magneticField(let sample) = measurement { check.add(sample.field) }
        guard store.add(measurement) else { return }
        if store.isFull { store.thin(by: live.region) }
        live.update(store)
    }

    package var isComplete: Bool {
        if store.isOver { return true }
        return store.lastTime >= MagnetometerLimits.enoughSeconds
            && live.fittedCoverage.fraction >= MagnetometerLimits.enoughCoverage
            && live.headingError ?? .infinity <= MagnetometerLimits.enoughHeadingError && !live.isDisturbed
    }

    package var progress: CalibrationProgress {
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

    package func result() -> CalibrationResult {
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
        let axes = CompassAxes(store, settings: settings)
        let settings = settings.turned(by: axes.turn)
        guard let solution = MagneticSolution(store.turned(by: axes.turn), settings: settings) else {
            result.verdict = MagneticVerdict.noFit
            result.coverage = live.fittedCoverage
            return result
        }
        let strength = solution.strength(settings)
        result.fits = [solution.sensorFit(strength: strength).beforeTurn(axes.turn)]
        result.axes = solution.finding(axes, settings)
        result.residualRMS = solution.residualRMS * strength
        result.residualRMSBefore = solution.residualBefore(settings)
        result.predictedHeadingError = solution.prediction.heading
        result.predictedTiltError = solution.prediction.tilt
        result.coverage = solution.coverage
        let isCalibrated = settings.activeCalibration(of: .accelerometer) != nil
        let verdict = MagneticVerdict.verdict(solution, hasAccelerometerCalibration: isCalibrated)
        result.verdict =
            verdict.isAccepted
            ? MagneticVerdict.noImprovement(result) ?? MagneticVerdict.wrongAxes(result) ?? verdict : verdict
        return result
    }
}

/// Constants of the magnetometer's calibration. Units: strengths as fractions of the field, angles in radians, times in
/// seconds.
package enum MagnetometerLimits {
    // MARK: - Store

    /// Largest number of fields; when it is reached, fields are thinned out by direction. A minute at 100 Hz has 6000
    /// fields, and the error of a fit falls only with the square root of the number.
    package static let capacity = 20_000
    /// Interval over which inertial samples are averaged: a hand turns a board with frequencies below 5 Hz.
    package static let binSeconds = 0.02
    package static let sessionSeconds = 3600.0

    // MARK: - Fit

    /// Fewest samples for nine parameters and an estimate of the noise.
    package static let minimumSampleCount = 100
    /// Huber threshold in standard deviations. A threshold of 1.345 has an efficiency of 95 % for normal noise; this
    /// one has nearly 100 %.
    package static let huber = 3.0
    /// Number of reweighting rounds; the weights converge in three.
    package static let rounds = 4
    /// Half width of the force average along the gyroscope's track: several periods of a hand's tremor (8–12 Hz), but
    /// short enough for a gyroscope with a scale error of 1 %.
    package static let upReach = 0.35
    /// Half width of the force average without a gyroscope: one or two periods of the tremor, in which a board turns
    /// little.
    package static let instantReach = 0.1
    /// Longest gap in the rates within one orientation track.
    package static let trackGap = 0.25
    /// A priori standard deviation of an uncalibrated accelerometer's bias, as a fraction of gravity: that of simulated
    /// boards, 0.15 m/s². Data sheets allow 20 to 60 mg; with a bias of 30 mg, errors at tilts of ±30° and ±60° are
    /// twice the predicted errors.
    package static let accelerometerBias = 0.015
    /// A priori standard deviation of the bias of a calibrated accelerometer, which has only thermal drift, as a
    /// fraction of gravity.
    package static let calibratedAccelerometerBias = 0.01
    /// Standard deviation of an elevation error that residuals within `correlationSeconds` share, 0.06°: it covers
    /// accelerations of a rotation about a lever arm and scale errors of the sensors. Tuned so that predictions fit
    /// simulated boards with lever arms of 4 cm.
    package static let slowElevation = 0.001
    /// Time over which residuals are assumed to be correlated.
    package static let correlationSeconds = 2.0
    /// Duration of the blocks of the design effect: that of a turn by hand about one or two axes. For recorded data
    /// sets, predictions with 3 s and with 12 s differ by a tenth.
    package static let blockSeconds = 8.0

    // MARK: - Acceptance

    /// Largest accepted heading error; with a larger one, a heading from GNSS and gyroscope is better.
    package static let maximumHeadingError = 2.5 * Double.pi / 180
    /// Smallest tilt of the board; with less tilt, a field along the board's vertical axis looks like hard iron.
    package static let minimumTilt = 15 * Double.pi / 180
    /// Fewest covered regions out of 100; a horizontal turn with ±10° of tilt covers about ten.
    package static let minimumRegionCount = 12
    /// Largest accepted residual. Cheap sensors turned indoors reach 0.03; beyond 0.08, heading errors amount to
    /// degrees.
    package static let maximumResidual = 0.08
    /// Largest accepted scatter of the field's elevation, 3°. Boards turned slowly reach 1.9°; from 4° upwards, the
    /// accelerations of fast turns no longer act as noise, and heading errors are three times the predicted ones.
    package static let maximumElevationNoise = 3 * Double.pi / 180
    /// Residual, in standard deviations, above which a field counts as disturbed; the residual must exceed
    /// `minimumDisturbance` too.
    package static let disturbance = 5.0
    /// Smallest residual that counts as a disturbance.
    package static let minimumDisturbance = 0.06
    /// Duration over which residuals are averaged to detect a disturbance.
    package static let disturbanceWindow = 0.5
    /// Total duration of disturbances up to which they are left out without a refusal, however short the record is.
    package static let shortDisturbance = 1.0
    /// Total duration of disturbances, as a fraction of the record, up to which they are left out without a refusal.
    /// Undetected disturbances, which are below `minimumDisturbance`, then have little weight too.
    package static let shortDisturbanceShare = 0.03
    /// Largest ratio of the residual to the residual before the fit: a fit to all residuals may increase those of one
    /// kind slightly.
    package static let maximumLoss = 1.1
    /// Gap in the fields after which the sensor counts as silent.
    package static let silence = 3.0

    // MARK: - Completion

    /// Shortest session that completes by itself.
    package static let enoughSeconds = 20.0
    /// Coverage at which a session may complete.
    package static let enoughCoverage = 0.8
    /// Predicted heading error at which a session may complete.
    package static let enoughHeadingError = 0.3 * Double.pi / 180

    // MARK: - Live figures

    /// Interval between live fits.
    package static let liveInterval = 0.4
    /// Number of samples of a live fit.
    package static let liveSamples = 800
    /// Fastest turn; in a faster turn, the rotation within a sample exceeds the sample's noise. Unit: rad/s.
    package static let fastTurn = 4.0

    /// Inclination that is assumed if it is unknown: that of middle latitudes.
    package static let assumedInclination = 62 * Double.pi / 180
}
