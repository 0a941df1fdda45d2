import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Predicted errors of the field's direction after a fit: docs/calibration.md, "Magnetometer", Predicted.
struct HeadingPrediction {
    /// Heading error, RMS over the headings of a horizontal board. Unit: radians.
    let heading: Double
    /// Error of the field's elevation, RMS over the headings. Unit: radians.
    let tilt: Double

    /// - Parameters:
    ///   - vertical: up direction in the board's axes as it is worn.
    ///   - inclination: of the field below the horizon. Unit: radians.
    init(_ fit: MagneticFit, vertical: Vector3, inclination: Double) {
        self.init(
            correction: fit.scaled.correction, covariance: fit.covariance, vertical: vertical, inclination: inclination)
    }

    /// - Parameter covariance: covariance of the correction's elements, row by row, and of the centre.
    init(correction: Matrix<3, 3>, covariance: Matrix<12, 12>, vertical: Vector3, inclination: Double) {
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

    /// Variance of a quantity with the gradient `byField` with respect to the corrected field.
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
