import Geometry

/// Mean and covariance of the horizontal position, and mean and variance of the direction.
struct PlanarMoments: Sendable {
    /// Mean position. Unit: metres.
    var mean: Vector2
    /// Covariance of the position. Unit: m².
    var covariance: Matrix<2, 2>
    /// Mean rotation from the published to the true track. Unit: radians, counter-clockwise.
    var turn: Double
    /// Variance of the rotation. Unit: rad².
    var turnVariance: Double

    /// Sums over weighted particles, whose weights add up to 1.
    struct Sums {
        private(set) var (x, y, turn) = (0.0, 0.0, 0.0)
        private(set) var (xx, xy, yy, turns) = (0.0, 0.0, 0.0, 0.0)
        private(set) var weight = 0.0

        @inline(__always)
        mutating func add(_ particle: Particle) {
            let (w, px, py, pt) = (
                Double(particle.weight), Double(particle.x), Double(particle.y), Double(particle.turn)
            )
            weight += w
            x += w * px
            y += w * py
            turn += w * pt
            xx += w * px * px
            xy += w * px * py
            yy += w * py * py
            turns += w * pt * pt
        }
    }
}

extension PlanarMoments {
    init(_ sums: Sums) {
        let weight = max(sums.weight, .leastNormalMagnitude)
        let mean = Vector2(sums.x / weight, sums.y / weight)
        var covariance = Matrix<2, 2>()
        covariance[0, 0] = max(0, sums.xx / weight - mean.x * mean.x)
        covariance[1, 1] = max(0, sums.yy / weight - mean.y * mean.y)
        covariance[0, 1] = sums.xy / weight - mean.x * mean.y
        covariance[1, 0] = covariance[0, 1]
        let turn = sums.turn / weight
        self.init(
            mean: mean, covariance: covariance, turn: turn,
            turnVariance: max(0, sums.turns / weight - turn * turn))
    }
}

/// Moments of a mixture, including the scatter between its components. Their shares add up to 1.
struct PlanarMixture {
    private var mean = Vector2()
    private var (turn, turnSquare) = (0.0, 0.0)
    /// Second moments about zero.
    private var (xx, xy, yy) = (0.0, 0.0, 0.0)

    mutating func add(_ part: PlanarMoments, share: Double) {
        mean = mean + share * part.mean
        turn += share * part.turn
        turnSquare += share * (part.turnVariance + part.turn * part.turn)
        xx += share * (part.covariance[0, 0] + part.mean.x * part.mean.x)
        xy += share * (part.covariance[0, 1] + part.mean.x * part.mean.y)
        yy += share * (part.covariance[1, 1] + part.mean.y * part.mean.y)
    }

    var moments: PlanarMoments {
        var covariance = Matrix<2, 2>()
        covariance[0, 0] = max(0, xx - mean.x * mean.x)
        covariance[1, 1] = max(0, yy - mean.y * mean.y)
        covariance[0, 1] = xy - mean.x * mean.y
        covariance[1, 0] = covariance[0, 1]
        return PlanarMoments(
            mean: mean, covariance: covariance, turn: turn, turnVariance: max(0, turnSquare - turn * turn))
    }
}
