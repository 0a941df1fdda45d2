import Geometry

/// Fit of an accelerometer in a box with right angles that was laid on its six faces. `measured = S·true + b` is linear
/// in S and b. Bias and scale of an axis come from the two faces on which the axis is vertical, because there the tilt
/// of the table has only a second-order effect. The other elements of the axis's column of S are half the difference
/// between the forces on these two faces. The table's tilt cancels in the difference if the box is turned over without
/// changing its heading. The axes are the edges of the box, so that faces also determine the rotation, which free poses
/// do not.
///
/// Source: Ferraris, Grimaldi, Parvis, "Procedure for effortless in-field calibration of three-axial rate gyro and
/// accelerometers", Sensors and Materials 7(5), 1995.
struct BoxFit: Sendable {
    let bias: Vector3
    /// Inverse of the response matrix S.
    let correction: Matrix<3, 3>
    /// Standard deviation of the mean force of a pose along its vertical axis. Measured units.
    private let ownStandardDeviation: Double
    /// Standard deviation of the mean force of a pose across its vertical axis. Measured units.
    private let crossStandardDeviation: Double
    private let gravity: Double

    /// Nil if a face is missing or the response is singular.
    init?(_ poses: [(face: BoxFace, pose: StillPose)], gravity: Double) {
        var means: [Vector3] = []
        for face in BoxFace.all {
            // The fit averages all poses on the same face, weighted by their samples.
            let moments = VectorMoments(
                poses.filter { $0.face == face }.map { VectorMoments($0.pose.force, count: $0.pose.forces) })
            guard moments.count > 0 else { return nil }
            means.append(moments.mean)
        }
        var (middles, columns): ([Vector3], [Vector3]) = ([], [])
        for axis in 0..<3 {
            let (up, down) = (means[2 * axis], means[2 * axis + 1])
            middles.append((up + down) / 2)
            columns.append((up - down) / (2 * gravity))
        }
        let (x, y, z) = (middles[0], middles[1], middles[2])
        bias = Vector3(x.x, y.y, z.z)
        guard let correction = Matrix(columns[0], columns[1], columns[2]).transpose.inverse else { return nil }
        self.correction = correction
        self.gravity = gravity
        // On the horizontal axes, the means of opposite faces differ from the bias by the effect of the table's tilt.
        let misalignment = (x - bias).squaredNorm + (y - bias).squaredNorm + (z - bias).squaredNorm
        var scatter = 0.0
        for (_, pose) in poses {
            scatter += pose.forceStandardDeviation * pose.forceStandardDeviation / Double(poses.count)
        }
        ownStandardDeviation = scatter.squareRoot()
        // The misalignment is the sum of six squares, each of the mean of two poses. The variance of one pose is 2/6 of
        // it.
        crossStandardDeviation = (scatter + misalignment / 3).squareRoot()
    }

    func force(_ measured: Vector3) -> Vector3 { correction * (measured - bias) }

    var sensorFit: SensorFit {
        var fit = SensorFit(sensor: .accelerometer, correction: correction, bias: bias)
        let own = ownStandardDeviation / 2.0.squareRoot()
        fit.biasStandardDeviation = Vector3(own, own, own)
        fit.correctionStandardDeviation = correction.standardDeviation(ofResponse: standardDeviation)
        return fit
    }

    /// Standard deviation of an element of S, which converts m/s² to measured units.
    private func standardDeviation(_ row: Int, _ column: Int) -> Double {
        (row == column ? ownStandardDeviation : crossStandardDeviation) / (2.0.squareRoot() * gravity)
    }

    /// Predicted tilt error, RMS over all directions. Unit: radians.
    var predictedTiltError: Double {
        var sum = 0.0
        for up in SphereCoverage.centres {
            let parts = [up.x, up.y, up.z]
            for row in 0..<3 {
                var error = correction[column: row]
                error -= up.dot(error) * up
                var variance = ownStandardDeviation * ownStandardDeviation / (2 * gravity * gravity)
                for column in 0..<3 {
                    let part = standardDeviation(row, column) * parts[column]
                    variance += part * part
                }
                sum += error.squaredNorm * variance
            }
        }
        return (sum / Double(SphereCoverage.regions)).squareRoot()
    }
}

/// Face of a box with right angles, given by the axis of the board that is vertical, and by whether that axis points
/// up.
struct BoxFace: Hashable, Sendable {
    /// Index of the axis, 0 to 2.
    var axis: Int
    var isPositive: Bool

    static let all = (0..<3).flatMap { [BoxFace(axis: $0, isPositive: true), BoxFace(axis: $0, isPositive: false)] }

    /// Finds the face whose axis is close to an up direction; nil if there is none.
    init?(up: Vector3) {
        let parts = [up.x, up.y, up.z]
        guard let axis = parts.firstIndex(where: { $0.magnitude >= MoveLimits.faceCosine }) else { return nil }
        self.init(axis: axis, isPositive: parts[axis] > 0)
    }

    init(axis: Int, isPositive: Bool) {
        self.axis = axis
        self.isPositive = isPositive
    }

    var up: Vector3 {
        let sign = isPositive ? 1.0 : -1
        return Vector3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0)
    }

    var name: String { (isPositive ? "+" : "−") + ["x", "y", "z"][axis] }
}
