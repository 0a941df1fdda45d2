import Geometry
import Model

/// Forces and rates of a magnetometer's session, corrected by the active calibrations of their sensors.
extension MagneticStore {
    func correctedForces(_ settings: CalibrationSettings) -> [Sample] {
        settings.corrected(forces.all, .accelerometer)
    }

    /// Rates in rad/s, corrected by the active calibration; empty if their unit is unknown.
    func correctedRates(_ settings: CalibrationSettings) -> [Sample] {
        let rates = settings.corrected(rates.all, .gyroscope)
        guard settings.unit == .arbitrary else { return rates }
        guard let scale = Self.scale(rates: rates, forces: correctedForces(settings)) else { return [] }
        return rates.map { Sample(time: $0.time, value: scale * $0.value) }
    }

    /// Factor that converts rates in an unknown unit to rad/s; nil if the board does not rotate.
    ///
    /// In the board's axes, gravity rotates by −ω×f. The factor is the least-squares fit of this rotation to the
    /// changes of the force.
    private static func scale(rates: [Sample], forces: [Sample]) -> Double? {
        var (index, product, square) = (0, 0.0, 0.0)
        for (before, after) in zip(forces, forces.dropFirst()) {
            let seconds = after.time - before.time
            let time = before.time + seconds / 2
            while index + 1 < rates.count, rates[index + 1].time <= time { index += 1 }
            guard index < rates.count, seconds < MagnetometerLimits.trackGap,
                (rates[index].time - time).magnitude < MagnetometerLimits.trackGap
            else { continue }
            let turned = -seconds * rates[index].value.cross(0.5 * (before.value + after.value))
            product += turned.dot(after.value - before.value)
            square += turned.squaredNorm
        }
        guard square > 0, product > 0, product.isFinite else { return nil }
        let scale = product / square
        // The usual units are rad/s and degrees per second.
        for usual in [1, Double.pi / 180] where (scale / usual - 1).magnitude < 0.15 { return usual }
        return scale
    }
}

extension CalibrationSettings {
    fileprivate func corrected(
        _ samples: [MagneticStore.Sample], _ sensor: SensorCalibration.Sensor
    ) -> [MagneticStore.Sample] {
        guard let active = activeCalibration(of: sensor) else { return samples }
        return samples.map { MagneticStore.Sample(time: $0.time, value: active.applied(to: $0.value)) }
    }
}
