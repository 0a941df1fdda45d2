import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What a fit leaves in the direction of the field: docs/calibration.md, "Magnetometer", Predicted.
struct HeadingPrediction {
    /// RMS over the level headings. Unit: radians.
    let heading: Double
    /// Of the field's elevation, which a tilt by the field would have. Unit: radians.
    let tilt: Double

    /// - Parameter vertical: up in the board's axes when it is worn level.
    init(_ fit: MagneticFit, vertical: Vector3, inclination: Double) {
        self.init(
            correction: fit.scaled.correction, covariance: fit.covariance, vertical: vertical, inclination: inclination)
    }

    /// - Parameter covariance: of the correction's elements, row by row, and of the centre.
    init(correction: Matrix<3, 3>, covariance: Matrix<12, 12>, vertical: Vector3, inclination: Double) {
        let turns = 24
        let side = abs(vertical.y) < 0.9 ? Vector3(0, 1, 0) : Vector3(1, 0, 0)
        let first = side.cross(vertical).normalized ?? Vector3(1, 0, 0)
        let second = vertical.cross(first)
        let inverse = correction.inverse ?? .identity
        var (headings, tilts) = (0.0, 0.0)
        for turn in 0..<turns {
            let angle = 2 * Double.pi * Double(turn) / Double(turns)
            let level = cos(angle) * first + sin(angle) * second
            let field = cos(inclination) * level - sin(inclination) * vertical
            let difference = inverse * field
            headings += Self.variance(
                vertical.cross(level) / cos(inclination), difference, correction, covariance)
            tilts += Self.variance(
                sin(inclination) * level + cos(inclination) * vertical, difference, correction, covariance)
        }
        heading = (headings / Double(turns)).squareRoot()
        tilt = (tilts / Double(turns)).squareRoot()
    }

    /// Of what answers to the corrected field by `byField`.
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
