import Geometry

import Glibc

/// Predicted errors of the field's direction after a fit. See "Predicted" under "Magnetometer" in docs/calibration.md.
package struct HeadingPrediction {
    /// Heading error, RMS over the headings of a horizontal board. Unit: radians.
    package let heading: Double
    /// Error of the field's elevation, RMS over the headings. Unit: radians.
    let tilt: Double

    /// - Parameters:
    ///   - covariance: covariance of the correction's elements, row by row, and of the centre.
    ///   - vertical: up direction while the board is worn, in the board's axes.
    ///   - inclination: inclination of the field below the horizon. Unit: radians.
    package init(
        correction: Matrix<3, 3>, covariance: Matrix<12, 12>, vertical: Vector3, inclination: Double
    ) {
        let turns = 24
        let side = abs(vertical.y) < 0.9 ? Vector3(0, 1, 0) : Vector3(1, 0, 0)
        let first = side.cross(vertical).normalized ?? Vector3(1, 0, 0)
        let second = vertical.cross(first)
        let inverse = correction.inverse ?? .identity
        var (headings, tilts) = (0.0, 0.0)
        for turn in 0..<turns {
            let angle = 2 * Double.pi * Double(turn) / Double(turns)
            let north = cos(angle) * first + sin(angle) * second
            let field = cos(inclination) * north - sin(inclination) * vertical
            let difference = inverse * field
            headings += Self.variance(
                vertical.cross(north) / cos(inclination), difference, correction, covariance)
            tilts += Self.variance(
                sin(inclination) * north + cos(inclination) * vertical, difference, correction, covariance)
        }
        heading = (headings / Double(turns)).squareRoot()
        tilt = (tilts / Double(turns)).squareRoot()
    }

    /// Variance of a quantity whose gradient with respect to the corrected field is `byField`.
    private static func variance(
        _ byField: Vector3, _ difference: Vector3, _ correction: Matrix<3, 3>, _ covariance: Matrix<12, 12>
    ) -> Double {
        let row = MagneticParameters.aligned.derivative(byField: byField, at: difference, correction)
        var sum = 0.0
        for i in 0..<12 {
            for j in 0..<12 { sum += row[i] * covariance[i, j] * row[j] }
        }
        return max(0, sum)
    }
}

/// Attitude of the board while the user turned it.
struct BoardPose {
    /// Up direction while the board is worn, in the board's axes.
    let vertical: Vector3
    let inclination: Double
    let tilt: Double

    init(_ points: [MagneticPoint], _ fit: MagneticFit) {
        let fields = points.compactMap { fit.model.corrected($0.field).normalized }
        if fit.isAligned {
            let ups = points.compactMap { $0.up?.normalized }
            vertical = Self.axis(near: Self.mean(ups))
            inclination = -min(
                max(fit.model.elevation, -asin(Self.maximumInclinationSine)), asin(Self.maximumInclinationSine))
            tilt = Self.spread(ups)
        } else {
            tilt = Self.elevations(fields)
            (vertical, inclination) = Self.guess(fields, tilt: tilt)
        }
    }

    /// Estimates the attitude from the fields alone. While a nearly horizontal board is turned, the horizontal parts of
    /// the fields cancel. The mean is taken as the downward direction, and the median angle of the fields below the
    /// horizon as the inclination.
    static func guess(_ fields: [Vector3], tilt: Double) -> (vertical: Vector3, inclination: Double) {
        let mean = mean(fields)
        guard tilt < nearlyHorizontal, mean.norm > clear else {
            return (Vector3(0, 1, 0), MagnetometerLimits.assumedInclination)
        }
        let down = axis(near: mean)
        let sine = median(fields.map { $0.dot(down) })
        return (-down, asin(min(maximumInclinationSine, max(-maximumInclinationSine, sine))))
    }

    private static func mean(_ directions: [Vector3]) -> Vector3 {
        directions.reduce(.zero, +) / Double(max(1, directions.count))
    }

    /// Axis of the board closest to the mean direction. It is +y if there is no clear mean, and the mean itself if the
    /// mean is far from every axis.
    private static func axis(near mean: Vector3) -> Vector3 {
        guard mean.norm > 0.25, let direction = mean.normalized else { return Vector3(0, 1, 0) }
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].flatMap { [$0, -$0] }
        guard let axis = axes.max(by: { $0.dot(direction) < $1.dot(direction) }) else { return direction }
        return axis.dot(direction) > cos(Double.pi / 6) || mean.norm < 0.85 ? axis : direction
    }

    /// 90 % quantile of the angle from the mean direction. Unit: radians.
    private static func spread(_ directions: [Vector3]) -> Double {
        guard let mean = mean(directions).normalized else { return .pi }
        let cosines = directions.map { $0.dot(mean) }.sorted()
        guard !cosines.isEmpty else { return 0 }
        return acos(min(1, max(-1, cosines[cosines.count / 10])))
    }

    /// Half the range, from the 5 % to the 95 % quantile, of the angles between directions and their best-fit plane.
    /// Unit: radians.
    static func elevations(_ directions: [Vector3]) -> Double {
        let mean = mean(directions)
        var moment = Matrix<3, 3>()
        for direction in directions {
            let d = direction - mean
            moment = moment + Matrix(d.x * d, d.y * d, d.z * d)
        }
        guard let vectors = SymmetricEigen(moment)?.vectors, !directions.isEmpty else { return 0 }
        let axis = Vector3(vectors[0, 0], vectors[1, 0], vectors[2, 0])
        let angles = directions.map { asin(min(1, max(-1, $0.dot(axis)))) }.sorted()
        return (angles[angles.count * 19 / 20] - angles[angles.count / 20]) / 2
    }

    /// Largest tilt of a nearly horizontal board. With a larger tilt, the mean field carries no information. Unit:
    /// radians.
    private static let nearlyHorizontal = 35 * Double.pi / 180
    /// Smallest norm of the mean direction at which a board's attitude is estimated. A horizontal board near the
    /// equator has a smaller one.
    private static let clear = 0.4
    /// Sine of the largest inclination, 82°. Closer to the magnetic poles, the field gives no heading.
    private static let maximumInclinationSine = 0.99
}
