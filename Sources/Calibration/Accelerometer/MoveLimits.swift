/// Constants of the gyroscope's calibration by moves and turns, with their origins.
public enum MoveLimits {
    /// A priori standard deviation of each element of the correction for rates in rad/s: ±3 % scale and ±2 % cross-axis
    /// sensitivity at most by the MPU-6050's data sheet.
    static let elementPrior = 0.03
    /// Initial standard deviation of the up direction of a pose. Unit: radians.
    static let firstDeviation = 0.005
    /// Longest move; longer ones add more drift than information. Unit: seconds.
    static let longestMove = 20.0
    /// Longest interval between angular rates within a move: one may be missing at 10 Hz. Unit: seconds.
    static let longestStep = 0.25
    /// Fewest moves: twelve parameters, two equations a move.
    static let leastMoves = 6
    /// Fewest moves in counts, where redundancy is needed in place of priors.
    static let leastMovesOfCounts = 7
    /// Largest accepted residual; beyond it, stamps or samples are wrong. Unit: radians.
    static let largestResidual = 5 * Double.pi / 180
    /// Largest accepted heading error of a turn of 90°: factory calibration is as good. Unit: radians.
    static let largestHeadingError = 1.0 * Double.pi / 180
    /// Angle of the turn for which the heading error is predicted. Unit: radians.
    public static let referenceTurn = Double.pi / 2
    /// Largest relative deviation of a force from gravity that still gives the up direction.
    static let gravityTolerance = 0.2

    /// Least share of a turn about an edge of a box that lies along that edge.
    static let turnShare = 0.9
    /// Largest relative deviation of a turn in rad/s from the specified angle.
    static let turnTolerance = 0.2
    /// Smallest turn as a share of the largest one.
    static let leastTurn = 0.6
    /// Least ratio of a turn's mean rate to the bias error; real turns have hundreds.
    static let turnOverRest = 20.0
    /// Standard deviation of the angle at which a box is laid back against an edge. Unit: radians.
    static let turnDeviation = 0.5 * Double.pi / 180
    /// Least cosine between the up direction and an axis for a pose on a face.
    static let faceCosine = 0.9
}
