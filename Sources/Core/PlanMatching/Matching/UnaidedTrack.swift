import Geometry
import Model

/// Track as it would be published without plans, with its accuracy.
///
/// Error state: position to the east and north (metres), turn (radians), relative length. The particles have the same
/// error model, so that the two can be compared.
struct UnaidedTrack: Sendable, Codable {
    /// Position. Frame: that of the start position. Unit: metres.
    private(set) var position: Vector2
    /// Rotation from the published track to this track. Plans have corrected the published track only. Unit: radians,
    /// counter-clockwise.
    private var turn = 0.0
    private var covariance: Matrix<4, 4>

    init(position: Vector2, deviation: Vector2, turnDeviation: Double, settings: PlanMatchingSettings) {
        self.position = position
        covariance = Matrix()
        covariance[0, 0] = deviation.x * deviation.x
        covariance[1, 1] = deviation.y * deviation.y
        covariance[2, 2] = turnDeviation * turnDeviation
        covariance[3, 3] = settings.scaleDeviation * settings.scaleDeviation
    }

    /// Follows a published displacement.
    ///
    /// - Parameter turn: direction of this track relative to the published track. Unit: radians, counter-clockwise.
    mutating func move(by published: Vector2, turn: Double, settings: PlanMatchingSettings) {
        self.turn = turn
        let displacement = Rotation2(yaw: turn) * published
        position = position + displacement
        var transition = Matrix<4, 4>.diagonalOnes
        (transition[0, 2], transition[1, 2]) = (-displacement.y, displacement.x)
        (transition[0, 3], transition[1, 3]) = (displacement.x, displacement.y)
        covariance = transition * covariance * transition.transpose
        let length = displacement.norm
        let position = settings.positionWalk * settings.positionWalk * length
        covariance[0, 0] += position
        covariance[1, 1] += position
        covariance[2, 2] += settings.unaidedTurnWalk * settings.unaidedTurnWalk * length
        covariance[3, 3] += settings.scaleWalk * settings.scaleWalk * length
    }

    /// Adds the horizontal uncertainty that a change of level by `height` metres causes. Steps on stairs are shorter
    /// than on the flat, and escalators and lifts move the wearer without steps.
    mutating func climb(by height: Double) {
        covariance[0, 0] += height * height
        covariance[1, 1] += height * height
    }

    /// Whether a walk can result in these values.
    var isPossible: Bool {
        position.norm <= 1e7 && (0..<4).allSatisfy { (0...1e9).contains(covariance[$0, $0]) }
            && covariance[0, 1] * covariance[0, 1] <= covariance[0, 0] * covariance[1, 1]
    }

    mutating func shift(by offset: Vector2) { position = position + offset }

    var moments: PlanarMoments {
        var block = Matrix<2, 2>()
        for i in 0..<2 {
            for j in 0..<2 { block[i, j] = covariance[i, j] }
        }
        return PlanarMoments(mean: position, covariance: block, turn: turn, turnVariance: covariance[2, 2])
    }
}
