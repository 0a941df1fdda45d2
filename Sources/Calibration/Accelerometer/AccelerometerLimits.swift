/// Constants of the accelerometer's calibration, with their origins.
public enum AccelerometerLimits {
    /// A priori standard deviation of the bias as a part of gravity: the zero-g offset of consumer parts is ±0.8 m/s²
    /// at most (MPU-6050 data sheet).
    static let biasPrior = 0.08
    /// A priori standard deviation of the scale: ±3 % at most by the same data sheet, twice that with ageing.
    static let scalePrior = 0.05
    /// A priori standard deviation of half the non-orthogonality of two axes: cross-axis sensitivity is ±2 % at most by
    /// the same data sheet, 1.1°. Unit: radians.
    static let skewPrior = 0.5 * .pi / 180
    /// A priori standard deviation of bias and scale in counts, relative to the initial sphere.
    static let countPrior = 0.5
    /// Initial standard deviation of the mean force of a pose in a hand. Unit: m/s².
    static let firstDeviation = 0.01
    /// Degrees of freedom given to the scatter within the poses: it matters if there are hardly more poses than
    /// parameters.
    static let scatterFreedom = 1.0
    /// Duration at which the motion of a hand equals all other errors of a pose: a hand shifts by some millimetres
    /// however long it holds the board, so that its mean acceleration falls with the square of the duration.
    /// Unit: seconds.
    static let handSeconds = 1.0
    /// Studentised residual beyond which a pose is an outlier: by chance one of 16 poses in 30 fits.
    static let outlier = 6.0
    /// Fewest degrees of freedom for outlier rejection; with fewer the other poses do not outweigh an outlier.
    static let leastFreedom = 4.0
    /// Number of poses for each outlier that may be removed.
    static let posesPerOutlier = 8

    /// Drift of the bias within minutes, which no residual shows: the bias instability of consumer parts is 0.03 to 0.1
    /// mg. Unit: m/s².
    static let biasWander = 7e-4

    /// Fewest distinct poses: three biases and three scales.
    public static let leastPoses = 6
    /// Smallest angle between distinct poses. Unit: radians.
    public static let distinctAngle = 20 * Double.pi / 180
    /// Fewest distinct poses for the session to complete by itself: as many as parameters.
    public static let goodPoses = 9
    /// Predicted tilt error at which the session completes with `goodPoses`; a hand-held board attains about that.
    /// Unit: radians.
    public static let goodTilt = 0.15 * Double.pi / 180
    /// Number of distinct poses beyond which the fit hardly improves: two for each parameter.
    public static let enoughPoses = 18
    /// Largest accepted predicted tilt error: that of factory calibration. Unit: radians.
    public static let largestTilt = 1.0 * Double.pi / 180
    /// Largest accepted residual, 1 % of gravity: beyond it the board moved, or the samples are no specific forces.
    /// Unit: m/s².
    public static let largestResidual = 0.1
    /// Largest relative deviation of the mean magnitude from gravity in m/s²; beyond it the unit is another one.
    public static let unitTolerance = 0.25
    /// Time without samples, while other sensors deliver, after which the sensor counts as silent. Unit: seconds.
    public static let silentSeconds = 2.0
    /// Live, time for which a pose must be held: half a second for the hand to settle, and one second. Unit: seconds.
    public static let holdSeconds = 1.6
    /// Live, time without a pose after which the board counts as moving too much. Unit: seconds.
    public static let patienceSeconds = 15.0
}
