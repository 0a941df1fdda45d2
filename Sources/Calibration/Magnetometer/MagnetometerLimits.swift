/// Constants of the magnetometer's calibration. Units: strengths as parts of the field, radians, seconds.
public enum MagnetometerLimits {
    // MARK: - Store

    /// Largest number of fields; beyond it, they are thinned out by direction. A minute at 100 Hz has 6000, and the
    /// error of a fit falls with the square root only.
    public static let capacity = 20_000
    /// Interval over which inertial samples are averaged: hands turn a board at less than 5 Hz.
    public static let binSeconds = 0.02
    /// Longest session.
    public static let sessionSeconds = 3600.0

    // MARK: - Fit

    /// Fewest samples for nine parameters and an estimate of the noise.
    public static let fewestSamples = 100
    /// Huber threshold in standard deviations. At 1.345 the efficiency for normal noise is 95 %; here it is nearly 100
    /// %.
    public static let huber = 3.0
    /// Number of reweighting rounds; the weights converge in three.
    public static let rounds = 4
    /// Half width of the force average along the gyroscope's track: several periods of a hand's tremor (8–12 Hz), but
    /// short enough for a gyroscope's scale error of 1 %.
    public static let upReach = 0.35
    /// Half width of the force average without a gyroscope: one or two periods of the tremor, in which a board turns
    /// little.
    public static let instantReach = 0.1
    /// Longest gap in the rates within one orientation track.
    public static let trackGap = 0.25
    /// A priori standard deviation of an uncalibrated accelerometer's bias, as a part of gravity: the 0.15 m/s² of
    /// simulated boards. Data sheets allow 20 to 60 mg; with 30 mg, errors at ±30° and ±60° are twice the predicted
    /// ones.
    public static let accelerometerBias = 0.015
    /// The same for a calibrated accelerometer: the thermal drift.
    public static let calibratedAccelerometerBias = 0.01
    /// Standard deviation of an elevation error that neighbours within `correlationSeconds` share, 0.06°: accelerations
    /// of a rotation about a lever arm, scale of the sensors. Tuned so that predictions fit simulated boards with arms
    /// of 4 cm.
    public static let slowElevation = 0.001
    /// Time over which residuals are assumed to be correlated.
    public static let correlationSeconds = 2.0

    // MARK: - Acceptance

    /// Largest accepted heading error; beyond it a heading from GNSS and gyroscope is better.
    public static let largestHeadingError = 2.5 * Double.pi / 180
    /// Smallest tilt of the board that separates the field along its axis from hard iron.
    public static let leastTilt = 15 * Double.pi / 180
    /// Fewest covered regions of 100; a horizontal turn with ±10° of tilt covers about ten.
    public static let fewestRegions = 12
    /// Largest accepted residual. Cheap parts turned indoors reach 0.03; beyond 0.08 heading errors are degrees.
    public static let largestResidual = 0.08
    /// Residual of a disturbance in standard deviations; it must exceed `leastDisturbance` too.
    public static let disturbance = 5.0
    /// Smallest residual of a disturbance.
    public static let leastDisturbance = 0.06
    /// Duration over which the residual of a disturbance is averaged.
    public static let disturbanceWindow = 0.5
    /// Total duration of disturbances that are left out without a refusal.
    public static let shortDisturbance = 1.0
    /// Largest ratio of the residual to that before: a fit to all residuals may increase one of them slightly.
    public static let largestLoss = 1.1
    /// Longest gap in the fields; beyond it the sensor counts as silent.
    public static let silence = 3.0

    // MARK: - Completion

    /// Shortest session that completes by itself.
    public static let enoughSeconds = 20.0
    /// Coverage at which a session may complete.
    public static let enoughCoverage = 0.8
    /// Predicted heading error at which a session may complete.
    public static let enoughHeadingError = 0.3 * Double.pi / 180

    // MARK: - Live figures

    /// Interval between live fits.
    public static let liveInterval = 0.4
    /// Number of samples of a live fit.
    public static let liveSamples = 800
    /// Fastest turn; beyond it, the rotation within a sample exceeds its noise. Unit: rad/s.
    public static let fastTurn = 4.0

    /// Inclination assumed if unknown, that of middle latitudes.
    public static let assumedInclination = 62 * Double.pi / 180
}
