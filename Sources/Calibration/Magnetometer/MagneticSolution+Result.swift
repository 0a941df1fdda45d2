import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

extension MagneticSolution {
    /// Magnitude of the corrected field: the known strength, the measured one, or 1.
    ///
    /// The measured one is that of a correction of determinant 1, which preserves the geometric mean of the axes.
    func strength(_ settings: CalibrationSettings) -> Double {
        if let known = settings.fieldStrength { return known }
        guard settings.unit == .standard else { return 1 }
        return 1 / cbrt(fit.model.correction.determinant)
    }

    /// Parameters with their standard deviations.
    func sensorFit(strength: Double) -> SensorFit {
        var deviation = Matrix<3, 3>()
        for i in 0..<9 { deviation[i / 3, i % 3] = strength / fit.unit * fit.covariance[i, i].squareRoot() }
        let centre = (9..<12).map { fit.unit * fit.covariance[$0, $0].squareRoot() }
        return SensorFit(
            sensor: .magnetometer, correction: strength * fit.model.correction, bias: fit.model.centre,
            correctionDeviation: deviation, biasDeviation: Vector3(centre[0], centre[1], centre[2]))
    }

    /// RMS residual of the strength over the same samples with the calibration in force.
    ///
    /// It refers to the known strength, else to their mean; without a unit it is a part of that.
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
