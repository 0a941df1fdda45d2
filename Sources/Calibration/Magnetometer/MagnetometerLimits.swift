/// The constants of a magnetometer's calibration. Strengths are parts of the field's, angles radians, times seconds.
public enum MagnetometerLimits {
    // What is kept of a session.

    /// Samples; beyond, each direction is left its share. A minute at 100 Hz is 6000, and
    /// the error of a fit falls with the root alone: more buys nothing.
    public static let capacity = 20_000
    /// Inertial samples are kept as means over this long: hands turn a board with less than 5 Hz.
    public static let binSeconds = 0.02
    /// After an hour of turning nobody is there any more.
    public static let sessionSeconds = 3600.0

    // What the fit is made of.

    /// For nine parameters, with room to see the noise.
    public static let fewestSamples = 100
    /// Residuals beyond this many standard deviations count less, by Huber: 95 % as good as least squares where the
    /// noise is normal already at 1.345, and here all but the same.
    public static let huber = 3.0
    /// Rounds of weights; they stand still after three.
    public static let rounds = 4
    /// The means of force that tell where up is reach this far to both sides, carried along by the gyroscope: over several
    /// periods of a hand's tremor (8–12 Hz), and not so far that a gyroscope's scale of 1 % shows.
    public static let upReach = 0.35
    /// Without a gyroscope, over one or two periods of the tremor, in which a board turns little to both sides.
    public static let instantReach = 0.1
    /// A gap in the rates beyond this breaks the track of the orientation.
    public static let trackGap = 0.25
    /// Of the accelerometer's bias before, as a part of gravity: the 0.15 m/s² that simulated boards have. Data sheets allow
    /// 20 to 60 mg; with 30 mg errors at ±30° and ±60° are twice what is predicted.
    public static let accelerometerBias = 0.015
    /// The same for one that has been calibrated: the temperature's share of what it was.
    public static let calibratedAccelerometerBias = 0.01
    /// Error of the elevation that neighbours within that time share and their noise hides, 0.06°: accelerations of turning
    /// about an arm, scale of the sensors. Set by hand, so that predictions fit simulated boards with arms of 4 cm.
    public static let slowElevation = 0.001
    /// Residuals are taken as related to others up to this much later.
    public static let correlationSeconds = 2.0

    // What is good enough.

    /// Heading that a fit may leave: beyond, north by GNSS and gyroscope is better than by the magnetometer.
    public static let largestHeadingError = 2.5 * Double.pi / 180
    /// The board has to be tilted this far for the field along its axis to be seen apart from hard iron: what is got
    /// from less rests on the shape of the noise.
    public static let leastTilt = 15 * Double.pi / 180
    /// Of 100 regions; a level turn with ±10° sees some ten.
    public static let fewestRegions = 12
    /// Of the residual of a fit. Cheap parts turned indoors reach 0.03; beyond 0.08 heading errors are of degrees.
    public static let largestResidual = 0.08
    /// Stretches whose residual stands beyond this many standard deviations, and beyond `leastDisturbance`, are another
    /// field than the earth's.
    public static let disturbance = 5.0
    public static let leastDisturbance = 0.06
    public static let disturbanceWindow = 0.5
    /// Shorter ones are left out without a word.
    public static let shortDisturbance = 1.0
    /// By how much the residual may exceed that of before: a fit of all residuals together leaves a little more of one.
    public static let largestLoss = 1.1
    /// A sensor that says nothing for so long has gone.
    public static let silence = 3.0

    // When a session ends by itself.

    public static let enoughSeconds = 20.0
    public static let enoughCoverage = 0.8
    public static let enoughHeadingError = 0.3 * Double.pi / 180

    // What is said while it goes on.

    /// Between fits of what there is so far.
    public static let liveInterval = 0.4
    public static let liveSamples = 800
    /// Faster than this a sample smears over its own noise. Unit: rad/s.
    public static let fastTurn = 4.0

    /// Where none is known: of the middle latitudes, where most people live.
    public static let assumedInclination = 62 * Double.pi / 180
}
