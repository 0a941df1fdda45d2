/// The constants of the gyroscope's calibration by moves and turns, with their origin.
public enum MoveLimits {
    /// What is known of each element of the correction before the first move, in rad/s, standard deviation: ±3 % scale and
    /// ±2 % cross-axis at most by the MPU-6050's data sheet.
    static let elementPrior = 0.03
    /// Of an up that a pose shows, before residuals tell. Unit: radians.
    static let firstDeviation = 0.005
    /// Longer moves add more drift than knowledge. Unit: seconds.
    static let longestMove = 20.0
    /// Between angular rates within a move: one may be missing at 10 Hz. Unit: seconds.
    static let longestStep = 0.25
    /// Twelve parameters, two equations a move.
    static let leastMoves = 6
    /// In counts, with no prior, there must be some equations to check by.
    static let leastMovesOfCounts = 7
    /// Refused beyond: a time stamp or a sample went astray. Unit: radians.
    static let largestResidual = 5 * Double.pi / 180
    /// Not given where it would leave more of a turn of 90°: factory calibration is as good. Unit: radians.
    static let largestHeadingError = 1.0 * Double.pi / 180
    /// The turn for which the heading's error is told. Unit: radians.
    public static let toldTurn = Double.pi / 2
    /// Forces off gravity by more than this part do not show where up is.
    static let gravityTolerance = 0.2

    /// Of a turn about an edge of a box, how much lies along that edge at least.
    static let turnShare = 0.9
    /// In rad/s a turn must be as long as was said to this part.
    static let turnTolerance = 0.2
    /// Of the largest turn seen; less is no turn.
    static let leastTurn = 0.6
    /// A turn's mean rate over what the bias errs by; it is hundreds.
    static let turnOverRest = 20.0
    /// How well a box is laid back against an edge. Unit: radians.
    static let turnDeviation = 0.5 * Double.pi / 180
    /// A direction this close to an axis (as its cosine) is a face.
    static let faceCosine = 0.9
}
