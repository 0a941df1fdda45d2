import Geometry
import Model

/// Magnitude and dip of the calibrated magnetic field over time, with their values in the World Magnetic Model.
package struct MagneticCurves: Sendable {
    /// Magnitude of the field. Unit: microtesla.
    package private(set) var strength = PeakSeries(maximumStep: 2)
    /// Angle of the field below the horizon, computed with the estimated orientation. Unit: degrees.
    package private(set) var dip = PeakSeries(maximumStep: 2)
    /// Magnitude in the model. Unit: microtesla.
    package private(set) var modelStrength = PeakSeries(maximumStep: 120)
    /// Dip in the model. Unit: degrees.
    package private(set) var modelDip = PeakSeries(maximumStep: 120)
    private var lastModel: Double?

    /// Interval of the model's values. It is the interval of fixes, so that the model's line is as long as the measured
    /// line. Unit: seconds.
    private static let modelInterval = 0.9

    init() {}

    /// Adds a sample of the magnetometer.
    ///
    /// - Parameters:
    ///   - time: time since the start of the recording. Unit: seconds.
    ///   - rotationENUFromBody: estimated orientation; nil if it is unknown. The dip does not depend on the heading.
    mutating func add(
        _ time: Double, _ sample: MagneticSample, _ calibrations: [SensorCalibration], rotationENUFromBody: Rotation3?
    ) {
        var field = sample.field
        for calibration in calibrations where calibration.sensor == .magnetometer {
            field = calibration.applied(to: field)
        }
        for calibration in calibrations where calibration.sensor == .mount { field = calibration.applied(to: field) }
        guard field.isFinite else { return }
        strength.add(time, field.norm)
        guard let rotationENUFromBody, field.norm > 0 else { return dip.add(time, nil) }
        dip.add(time, GeomagneticField(fluxDensityENU: rotationENUFromBody * field).inclination * 180 / .pi)
    }

    /// Adds the model's values at a position.
    ///
    /// - Parameter utcSeconds: UTC since 1970. Unit: seconds.
    mutating func addModel(_ time: Double, at position: GeodeticPosition, utcSeconds: Double?) {
        if let lastModel, time < lastModel + Self.modelInterval { return }
        guard let year = utcSeconds.flatMap(DecimalYear.of(utcSeconds:)),
            let field = WorldMagneticModel.wmm2025.field(at: position, decimalYear: year)
        else { return }
        lastModel = time
        // The model's unit is nanotesla.
        modelStrength.add(time, field.totalIntensity / 1000)
        modelDip.add(time, field.inclination * 180 / .pi)
    }
}
