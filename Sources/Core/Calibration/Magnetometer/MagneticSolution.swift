import Geometry
import Glibc
import Model

/// Fit to the undisturbed samples of a session, with its predicted errors.
package struct MagneticSolution {
    package let fit: MagneticFit
    let disturbance: MagneticDisturbance
    package let prediction: HeadingPrediction
    package let coverage: SphereCoverage
    /// Tilt of the board from its mean attitude. Without up directions, it is the tilt of the field from its best-fit
    /// plane. Unit: radians.
    let tilt: Double
    /// RMS residual of the strength over the undisturbed samples, as a fraction of the field strength.
    let residualRMS: Double
    /// Undisturbed samples. Measured units.
    let fields: [Vector3]

    package init?(_ store: MagneticStore, settings: CalibrationSettings) {
        guard store.fields.count >= MagnetometerLimits.minimumSampleCount,
            let start = FieldEllipsoid(robust: store.fields.map(\.value))
        else { return nil }
        let joined = MagneticPoints(store, start: start, settings: settings)
        let hasBias = settings.activeCalibration(of: .accelerometer) != nil
        let bias =
            hasBias ? MagnetometerLimits.calibratedAccelerometerBias : MagnetometerLimits.accelerometerBias
        let all = joined.points
        var kept = MagneticDisturbance(all, corrected: start.corrected).keeping(all)
        var found: (MagneticFit, MagneticDisturbance)?
        for _ in 0..<2 {
            guard
                let fit = MagneticFit(
                    best: kept, start: start, hasForces: joined.hasForces, biasStandardDeviation: bias)
            else {
                return nil
            }
            let disturbance = MagneticDisturbance(all, corrected: fit.model.corrected)
            found = (fit, disturbance)
            let next = disturbance.keeping(all)
            if next.count == kept.count { break }
            kept = next
        }
        guard let found else { return nil }
        (fit, disturbance) = found
        fields = kept.map(\.field)
        var (coverage, sum) = (SphereCoverage(), 0.0)
        for point in kept {
            let field = fit.model.corrected(point.field)
            coverage.insert(field)
            sum += (field.norm - 1) * (field.norm - 1)
        }
        self.coverage = coverage
        residualRMS = (sum / Double(kept.count)).squareRoot()
        let pose = BoardPose(kept, fit)
        tilt = pose.tilt
        prediction = HeadingPrediction(
            correction: fit.scaled.correction, covariance: fit.covariance, vertical: pose.vertical,
            inclination: pose.inclination)
    }
}

extension MagneticPoints {
    /// Makes points from a store, with forces and rates corrected by the active calibrations.
    init(_ store: MagneticStore, start: FieldEllipsoid, settings: CalibrationSettings) {
        self.init(
            fields: store.fields, forces: store.correctedForces(settings), rates: store.correctedRates(settings),
            start: start)
    }
}

extension MagneticFit {
    /// Makes an aligned fit if the forces agree with the field, otherwise a fit without rotation.
    init?(best points: [MagneticPoint], start: FieldEllipsoid, hasForces: Bool, biasStandardDeviation: Double) {
        let withUp = points.count { $0.up != nil }
        if hasForces, withUp * 2 >= points.count,
            let fit = MagneticFit(points, start: start, aligned: true, biasStandardDeviation: biasStandardDeviation),
            fit.noise[.elevation] ?? 1 < Self.maximumElevationNoise
        {
            self = fit
        } else if let fit = MagneticFit(
            points, start: start, aligned: false, biasStandardDeviation: biasStandardDeviation)
        {
            self = fit
        } else {
            return nil
        }
    }

    /// Largest elevation noise, as a fraction of the field strength. If it is larger, the forces are from another
    /// board.
    private static let maximumElevationNoise = 0.35
}

extension MagneticSolution {
    /// Magnitude of the corrected field: the known strength, the measured strength, or 1. A correction with determinant
    /// 1, which preserves the geometric mean of the axes, gives the measured strength.
    func strength(_ settings: CalibrationSettings) -> Double {
        if let known = settings.fieldStrength { return known }
        guard settings.unit == .standard else { return 1 }
        return 1 / cbrt(fit.model.correction.determinant)
    }

    func sensorFit(strength: Double) -> SensorFit {
        let standardDeviation = Matrix<3, 3> { row, column in
            strength / fit.unit * fit.covariance[3 * row + column, 3 * row + column].squareRoot()
        }
        let centre = (9..<12).map { fit.unit * fit.covariance[$0, $0].squareRoot() }
        return SensorFit(
            sensor: .magnetometer, correction: strength * fit.model.correction, bias: fit.model.centre,
            correctionStandardDeviation: standardDeviation,
            biasStandardDeviation: Vector3(centre[0], centre[1], centre[2]))
    }

    /// RMS residual of the strength over the same samples, but with the active calibration.
    ///
    /// It is relative to the known strength, or to the mean strength if none is known. Without a unit, it is a fraction
    /// of the mean strength.
    func residualBefore(_ settings: CalibrationSettings) -> Double? {
        let present = settings.activeCalibration(of: .magnetometer)
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
