/// The constants of the accelerometer's calibration, with their origin.
public enum AccelerometerLimits {
    /// What is known of an accelerometer before its first pose, standard deviations. Zero-g offset of consumer parts:
    /// ±0.8 m/s² at most (MPU-6050 data sheet), in parts of gravity.
    static let biasPrior = 0.08
    /// Scale: ±3 % at most by the same data sheet, twice that for what ages.
    static let scalePrior = 0.05
    /// Of a half of the angle between two axes: cross-axis sensitivity is ±2 % at most by the same data sheet, 1.1°.
    static let skewPrior = 0.5 * .pi / 180
    /// In counts nothing is known of bias and scale but what the first sphere says.
    static let countPrior = 0.5
    /// Of the mean force of a pose, before residuals tell: what a hand leaves. Unit: m/s².
    static let firstDeviation = 0.01
    /// As many residuals as the scatter within the poses counts for: it speaks where there are hardly more poses than
    /// parameters, and is outvoted where there are many.
    static let scatterFreedom = 1.0
    /// A hand shifts a board by some millimetres however long it holds it: its mean acceleration falls with the square of
    /// the time, and is as large as all else after so long. Unit: seconds.
    static let handSeconds = 1.0
    /// A pose this many standard deviations off, of the fit to the others, is none: by chance one of 16 in 30 fits.
    static let outlier = 6.0
    /// With fewer residuals to spare there is no majority against an outlier.
    static let leastFreedom = 4.0
    /// At most one of so many is left out.
    static let posesPerOutlier = 8

    /// How far the bias wanders by itself within minutes, which no residual shows: bias instability of consumer parts is
    /// 0.03 to 0.1 mg. Unit: m/s².
    static let biasWander = 7e-4

    /// Poses for three biases and three scales.
    public static let leastPoses = 6
    /// Poses closer than this are one. Unit: radians.
    public static let distinctAngle = 20 * Double.pi / 180
    /// A fit is good enough to end by itself from so many distinct poses on: as many as parameters.
    public static let goodPoses = 9
    /// ... that leaves so little tilt; a hand-held board is good for about that. Unit: radians.
    public static let goodTilt = 0.15 * Double.pi / 180
    /// More than so many distinct poses hardly make it better: two for each parameter.
    public static let enoughPoses = 18
    /// Refused beyond: what factory calibration leaves anyway. Unit: radians.
    public static let largestTilt = 1.0 * Double.pi / 180
    /// Refused beyond, 1 % of gravity: the board moved, or the numbers are of something else. Unit: m/s².
    public static let largestResidual = 0.1
    /// In m/s² the poses' mean length must be gravity to this part; beyond, the unit is another.
    public static let unitTolerance = 0.25
    /// A sensor that stopped so long before the last of the other samples has fallen silent. Unit: seconds.
    public static let silentSeconds = 2.0
    /// Live, a pose is taken when held for so long: a second after the half that the hand takes to settle. Unit: seconds.
    public static let holdSeconds = 1.6
    /// After so long without one, the board is moved too much. Unit: seconds.
    public static let patienceSeconds = 15.0
}
