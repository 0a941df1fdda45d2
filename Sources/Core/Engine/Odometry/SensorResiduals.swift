import Estimation
import Geometry
import Model

/// Sensor errors that remain after calibration, as the estimator has found them. They are for display only.
public struct SensorResiduals: Hashable, Sendable {
    /// Bias with its standard deviation, per axis. Frame: body.
    public struct Bias: Hashable, Sendable {
        /// Estimated bias.
        public var value: Vector3
        /// Standard deviation, per axis.
        public var standardDeviation: Vector3
    }

    /// Bias of the gyroscope. Unit: rad/s.
    public var gyroBias: Bias
    /// Bias of the accelerometer. Unit: m/s².
    public var accelerometerBias: Bias
    /// Hard iron; nil before the first magnetic sample. Unit: that of the magnetometer, microtesla.
    public var hardIron: Bias?
}

extension Odometry {
    /// Sensor errors at the newest inertial step; nil before the first step.
    public var residuals: SensorResiduals? {
        // The filter is copied only once instead of once for each value.
        guard let filter = running?.timeline.filter else { return nil }
        let state = filter.state
        func bias(_ value: Vector3, _ offset: Int) -> SensorResiduals.Bias {
            SensorResiduals.Bias(value: value, standardDeviation: filter.standardDeviations(offset))
        }
        return SensorResiduals(
            gyroBias: bias(state.gyroBias, ErrorState.gyroBias),
            accelerometerBias: bias(state.accelerometerBias, ErrorState.accelerometerBias),
            hardIron: running?.tracking.lastMagnetic == nil ? nil : bias(state.hardIron, ErrorState.hardIron))
    }

    /// Hard iron that has appeared on the board, either on trial or proven; nil while the active calibration is valid.
    ///
    /// It is based on measurements that are old enough to be final, so fixes that are up to `gnss.oldestSeconds` late
    /// have the same effect as fixes on time.
    public var hardIronProposal: ProposedHardIron? { running?.hardIron.proposal }
}
