import Geometry

/// Least-squares problem that compares two up directions after each move: the one before the move, propagated by the
/// integrated rate, and the measured one.
///
/// `rate = G·(measured − b)`; the parameters are G row by row (9) and b (3). With `R = Π exp(G·(ωₖ − b)·Δt)`, from the
/// axes at the end of a move to those at its beginning, the residual is `Rᵀ·upBefore − upAfter` along two directions
/// across `upAfter`.
///
/// Source: Tedaldi, Pretto, Menegatti, ICRA 2014, equation (12), with the bias as an additional parameter. The
/// exponential map replaces the Runge-Kutta method, because it is exact for the mean rate of a step. Derivatives: Solà,
/// Deray, Atchuthan, 2018, (143).
package struct GyroscopeProblem: LeastSquaresProblem {
    package static let parameterCount = 12

    /// Moves between the poses, each with two residuals.
    package var moves: [PoseMove]
    /// Standard deviation of the difference between two up directions. Unit: radians.
    package var standardDeviation: Double
    /// A priori mean and standard deviation of the parameters that have a prior.
    package var priors: [(index: Int, mean: Double, standardDeviation: Double)]

    package init(
        moves: [PoseMove], standardDeviation: Double, priors: [(index: Int, mean: Double, standardDeviation: Double)]
    ) {
        self.moves = moves
        self.standardDeviation = standardDeviation
        self.priors = priors
    }

    package var residualCount: Int { 2 * moves.count + priors.count }

    static func correction(_ p: [Double]) -> Matrix<3, 3> {
        Matrix(Vector3(p[0], p[1], p[2]), Vector3(p[3], p[4], p[5]), Vector3(p[6], p[7], p[8]))
    }

    static func bias(_ p: [Double]) -> Vector3 { Vector3(p[9], p[10], p[11]) }

    package func residuals(at p: [Double], into residuals: inout [Double]) {
        let (correction, bias) = (Self.correction(p), Self.bias(p))
        for (row, move) in moves.enumerated() {
            var rotation = Rotation3.identity
            for step in move.steps {
                rotation = rotation * Rotation3.exp(step.seconds * (correction * (step.rate - bias)))
            }
            let miss = rotation.inverse * move.upBefore - move.upAfter
            let (first, second) = move.upAfter.across
            residuals[2 * row] = first.dot(miss) / standardDeviation
            residuals[2 * row + 1] = second.dot(miss) / standardDeviation
        }
        for (row, prior) in priors.enumerated() {
            residuals[2 * moves.count + row] = (p[prior.index] - prior.mean) / prior.standardDeviation
        }
    }

    package func jacobian(at p: [Double], into jacobian: inout ResidualJacobian) {
        let (correction, bias) = (Self.correction(p), Self.bias(p))
        for (row, move) in moves.enumerated() {
            let (rotation, turn) = Self.propagated(move, correction, bias)
            // Rᵀ·u of R·exp(δ) is Rᵀ·u + (Rᵀ·u) × δ.
            let carried = rotation.inverse * move.upBefore
            let (first, second) = move.upAfter.across
            for column in 0..<Self.parameterCount {
                let change = carried.cross(Vector3(turn[0, column], turn[1, column], turn[2, column]))
                jacobian[2 * row, column] = first.dot(change) / standardDeviation
                jacobian[2 * row + 1, column] = second.dot(change) / standardDeviation
            }
        }
        for (row, prior) in priors.enumerated() {
            jacobian[2 * moves.count + row, prior.index] = 1 / prior.standardDeviation
        }
    }

    /// Rotation over a move, and its derivatives with respect to the parameters. They are rotation vectors that are
    /// applied on the right.
    private static func propagated(
        _ move: PoseMove, _ correction: Matrix<3, 3>, _ bias: Vector3
    ) -> (rotation: Rotation3, turn: Matrix<3, 12>) {
        var rotation = Rotation3.identity
        var turn = Matrix<3, 12>()
        for step in move.steps {
            let measured = step.rate - bias
            let vector = step.seconds * (correction * measured)
            let increment = Rotation3.exp(vector)
            rotation = rotation * increment
            turn = increment.inverse.matrix * turn
            let answer = step.seconds * Rotation3.rightJacobian(vector)
            let byBias = answer * correction
            for row in 0..<3 {
                for element in 0..<3 {
                    turn[row, 3 * element] += answer[row, element] * measured.x
                    turn[row, 3 * element + 1] += answer[row, element] * measured.y
                    turn[row, 3 * element + 2] += answer[row, element] * measured.z
                    turn[row, 9 + element] -= byBias[row, element]
                }
            }
        }
        return (rotation, turn)
    }
}

extension Vector3 {
    /// Two unit vectors orthogonal to this one and to each other.
    fileprivate var across: (Vector3, Vector3) {
        let axis =
            x.magnitude <= min(y.magnitude, z.magnitude)
            ? Vector3(1, 0, 0) : y.magnitude <= z.magnitude ? Vector3(0, 1, 0) : Vector3(0, 0, 1)
        let first = cross(axis).normalized ?? Vector3(0, 1, 0)
        return (first, cross(first))
    }
}
