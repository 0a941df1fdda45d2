import Geometry

/// Fit of a gyroscope in a box with right angles. The box is turned about its edges by a known angle, and lies still
/// before and after each turn. `∫ (measured − b) dt = S·angle·edge` is linear in S. The edge of a turn is the one that
/// is vertical; turns are positive counter-clockwise, seen from above. If rates are in rad/s, their sign shows the
/// direction of each turn. For counts the sign is arbitrary, so that each turn is assumed to have the direction of the
/// specified angle.
///
/// Source: Ferraris, Grimaldi, Parvis, 1995.
struct BoxTurns: Sendable {
    let correction: Matrix<3, 3>
    let bias: Vector3
    private let responseStandardDeviation: Double
    private let biasStandardDeviation: Double
    let counts: [Int]

    enum Failure: Error {
        /// No turn was detected, or the response is singular.
        case noTurns
        /// No rotation about this axis was detected.
        case missing(Int)
    }

    init(
        _ poses: [(face: BoxFace, pose: StillPose)], rates: [InertialRecord.Rate], angle: Double, isStandard: Bool
    ) throws(Failure) {
        guard angle != 0, let rest = RestingRate(poses.map(\.pose)) else { throw .noTurns }
        bias = rest.bias
        biasStandardDeviation = rest.standardDeviation
        let turns = Self.turns(poses, rates: rates, rest: rest, angle: angle, isStandard: isStandard)
        guard !turns.isEmpty else { throw .noTurns }
        var columns = [Vector3](repeating: .zero, count: 3)
        var counts = [0, 0, 0]
        for turn in turns {
            counts[turn.axis] += 1
            columns[turn.axis] += turn.response
        }
        for axis in 0..<3 {
            guard counts[axis] > 0 else { throw .missing(axis) }
            columns[axis] = columns[axis] / Double(counts[axis])
        }
        guard let correction = Matrix(columns[0], columns[1], columns[2]).transpose.inverse else { throw .noTurns }
        self.correction = correction
        self.counts = counts
        let scale = (columns[0].norm + columns[1].norm + columns[2].norm) / 3
        responseStandardDeviation = scale * MoveLimits.turnStandardDeviation / angle.magnitude
    }

    /// For each axis, whether a rotation about it was detected so far.
    static func axesTurned(
        _ poses: [(face: BoxFace, pose: StillPose)], rates: [InertialRecord.Rate], angle: Double, isStandard: Bool
    ) -> [Bool] {
        guard let rest = RestingRate(poses.map(\.pose)) else { return [false, false, false] }
        let turns = turns(poses, rates: rates, rest: rest, angle: angle, isStandard: isStandard)
        return (0..<3).map { axis in turns.contains { $0.axis == axis } }
    }

    private struct Turn {
        var axis: Int
        /// Measured rate during a rotation by 1 rad/s about the axis.
        var response: Vector3
    }

    /// Finds the turns from the end of each pose to the start of the next one, or to the end of a recording that stops
    /// after a turn.
    private static func turns(
        _ poses: [(face: BoxFace, pose: StillPose)], rates: [InertialRecord.Rate], rest: RestingRate, angle: Double,
        isStandard: Bool
    ) -> [Turn] {
        var found: [(face: BoxFace, integral: Vector3)] = []
        for (index, (face, pose)) in poses.enumerated() {
            let end = index + 1 < poses.count ? poses[index + 1].pose.begins : rates.last?.time ?? pose.ends
            guard let steps = PoseMove.steps(rates, from: pose.ends, to: end) else { continue }
            let integral = PoseMove.integral(steps, bias: rest.bias)
            let share = face.up.dot(integral).magnitude
            // A turn has to exceed the integral of the bias error, which grows with time.
            let minimum = MoveLimits.turnOverRest * rest.standardDeviation * steps.reduce(0) { $0 + $1.seconds }
            if share >= max(minimum, MoveLimits.turnShare * integral.norm) { found.append((face, integral)) }
        }
        let longest = found.reduce(0) { max($0, $1.integral.norm) }
        return found.compactMap { face, integral in
            var turned = angle * (face.isPositive ? 1 : -1)
            if isStandard {
                let axis = BoxFace(axis: face.axis, isPositive: true).up
                turned = axis.dot(integral) < 0 ? -angle.magnitude : angle.magnitude
                let tolerance = MoveLimits.turnTolerance * angle.magnitude
                guard (integral.norm - angle.magnitude).magnitude <= tolerance else { return nil }
            } else if integral.norm < MoveLimits.minimumTurn * longest {
                return nil
            }
            return Turn(axis: face.axis, response: integral / turned)
        }
    }

    var sensorFit: SensorFit {
        SensorFit(
            sensor: .gyroscope, correction: correction, bias: bias,
            correctionStandardDeviation: correction.standardDeviation { standardDeviation($1) },
            biasStandardDeviation: Vector3(biasStandardDeviation, biasStandardDeviation, biasStandardDeviation))
    }

    private func standardDeviation(_ column: Int) -> Double {
        responseStandardDeviation / Double(counts[column]).squareRoot()
    }

    /// Predicted heading error of a turn of 90°, RMS over its axes. Unit: radians.
    var predictedHeadingError: Double {
        // δG·G⁻¹ = −G·δS: its component along a is the sum over i, j of (Gᵀ·a)ᵢ·δSᵢⱼ·aⱼ.
        var sum = 0.0
        for axis in SphereCoverage.centres {
            let row = (correction.transpose * axis).squaredNorm
            let parts = [axis.x, axis.y, axis.z]
            for column in 0..<3 {
                let part = standardDeviation(column) * parts[column]
                sum += row * part * part
            }
        }
        return MoveLimits.referenceTurn * (sum / Double(SphereCoverage.regions)).squareRoot()
    }
}
