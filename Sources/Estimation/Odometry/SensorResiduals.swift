import Geometry
import Model

/// What the estimator finds still wrong with the sensors, calibrations applied: for a status, not for correcting by it.
public struct SensorResiduals: Hashable, Sendable {
    /// A value and its standard deviation, by axis. Frame: body.
    public struct Bias: Hashable, Sendable {
        public var value: Vector3
        public var deviation: Vector3

        public init(value: Vector3, deviation: Vector3) {
            self.value = value
            self.deviation = deviation
        }
    }

    /// Unit: rad/s.
    public var gyroBias: Bias
    /// Unit: m/s².
    public var accelerometerBias: Bias
    /// Unit: that of the magnetometer, microtesla; nil before it has said anything.
    public var hardIron: Bias?
}

extension Odometry {
    /// What the filter tracks at the newest inertial step; nil before the first.
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

    /// A hard iron that the board has come to carry, on trial or proven; nil while the calibration in force holds.
    ///
    /// Made of what is so old that no late measurement changes it: fixes up to `gnss.oldestSeconds` late leave it as if they
    /// had come in time.
    public var hardIronProposal: HardIronProposal? { running?.timeline.hardIron.proposal }
}
