import Geometry
import Measurements

/// Sensor errors that the estimator has found beyond the calibrations, for display only.
public struct SensorResiduals: Hashable, Sendable {
    /// Bias with its standard deviation, per axis. Frame: body.
    public struct Bias: Hashable, Sendable {
        /// Estimated bias.
        public var value: Vector3
        /// Standard deviation, per axis.
        public var deviation: Vector3

        /// Makes a bias.
        public init(value: Vector3, deviation: Vector3) {
            self.value = value
            self.deviation = deviation
        }
    }

    /// Bias of the gyroscope. Unit: rad/s.
    public var gyroBias: Bias
    /// Bias of the accelerometer. Unit: m/s².
    public var accelerometerBias: Bias
    /// Hard iron; nil before the first magnetic sample. Unit: that of the magnetometer, microtesla.
    public var hardIron: Bias?
}

extension Odometry {
    /// Sensor errors at the newest inertial step; nil before the first.
    public var residuals: SensorResiduals? {
        guard let state = running?.timeline.filter.state else { return nil }
        func bias(_ value: Vector3, _ offset: Int) -> SensorResiduals.Bias {
            func deviation(_ i: Int) -> Double { running?.timeline.filter.deviation(i) ?? 0 }
            return SensorResiduals.Bias(
                value: value, deviation: Vector3(deviation(offset), deviation(offset + 1), deviation(offset + 2)))
        }
        return SensorResiduals(
            gyroBias: bias(state.gyroBias, ErrorState.gyroBias),
            accelerometerBias: bias(state.accelerometerBias, ErrorState.accelerometerBias),
            hardIron: running?.tracking.lastMagnetic == nil ? nil : bias(state.hardIron, ErrorState.hardIron))
    }

    /// Hard iron that has appeared on the board, on trial or proven; nil while the calibration in force is right.
    ///
    /// It is based on measurements so old that no late one changes it: fixes that come up to `gnss.oldestSeconds` late
    /// have the same effect as in time.
    public var hardIronProposal: HardIronProposal? { running?.timeline.hardIron.proposal }
}
