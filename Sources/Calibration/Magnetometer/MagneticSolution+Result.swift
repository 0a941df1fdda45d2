import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

extension MagneticSolution {
    /// What the corrected field is long: what is known of it, what it is measured with, or 1.
    ///
    /// Measured means that the correction has the determinant 1: of the axes' lengths the geometric mean stays.
    func strength(_ settings: CalibrationSettings) -> Double {
        if let known = settings.fieldStrength { return known }
        guard settings.unit == .standard else { return 1 }
        return 1 / cbrt(fit.model.correction.determinant)
    }

    /// The parameters with their standard deviations.
    func sensorFit(strength: Double) -> SensorFit {
        var deviation = Matrix<3, 3>()
        for i in 0..<9 { deviation[i / 3, i % 3] = strength / fit.unit * fit.covariance[i, i].squareRoot() }
        let centre = (9..<12).map { fit.unit * fit.covariance[$0, $0].squareRoot() }
        return SensorFit(
            sensor: .magnetometer, correction: strength * fit.model.correction, bias: fit.model.centre,
            correctionDeviation: deviation, biasDeviation: Vector3(centre[0], centre[1], centre[2]))
    }

    /// Of the strength by what is in force, over the same samples.
    ///
    /// From the known strength, else from their mean; where neither has a unit, as parts of that.
    func residualBefore(_ settings: CalibrationSettings) -> Double? {
        let present = settings.present.last { $0.sensor == .magnetometer }
        let strengths = fields.map { (present?.applied(to: $0) ?? $0).norm }
        let mean = strengths.reduce(0, +) / Double(max(1, strengths.count))
        let hasUnit = settings.unit == .standard || present != nil && settings.fieldStrength != nil
        let expected = hasUnit ? settings.fieldStrength ?? mean : mean
        guard expected > 0 else { return nil }
        let square = strengths.reduce(0) { $0 + ($1 - expected) * ($1 - expected) } / Double(strengths.count)
        let scale = hasUnit ? 1 : (settings.fieldStrength ?? 1) / expected
        return square.squareRoot() * scale
    }
}
