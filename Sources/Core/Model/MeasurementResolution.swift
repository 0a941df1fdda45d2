import Geometry

/// Rounds samples to a fixed number of decimals when they enter, before anything uses or records them.
///
/// The last decimal is a tenth of the resolution of the finest wearable sensors, and far below the noise of any sensor:
/// 0.02°/h, 0.1 µg, 0.1 nT, 0.01 Pa. A recording then contains every bit of a sample in few digits, even if a mount
/// matrix rotates the sensor's axes.
extension Measurement {
    /// The measurement with its samples rounded; fixes, calibrations and times are unchanged.
    public var rounded: Measurement {
        switch self {
        case .angularRate(let sample):
            .angularRate(AngularRateSample(time: sample.time, rate: Self.round(sample.rate, 1e7)))
        case .specificForce(let sample):
            .specificForce(SpecificForceSample(time: sample.time, force: Self.round(sample.force, 1e6)))
        case .magneticField(let sample):
            .magneticField(MagneticSample(time: sample.time, field: Self.round(sample.field, 1e4)))
        case .pressure(let sample):
            .pressure(
                PressureSample(time: sample.time, pressureHectopascal: Self.round(sample.pressureHectopascal, 1e4)))
        case .fix, .aid, .calibration, .clock: self
        }
    }

    private static func round(_ vector: Vector3, _ steps: Double) -> Vector3 {
        Vector3(round(vector.x, steps), round(vector.y, steps), round(vector.z, steps))
    }

    /// Divides by a power of ten, because the quotient is the same number as the parsed decimal text.
    private static func round(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }
}
