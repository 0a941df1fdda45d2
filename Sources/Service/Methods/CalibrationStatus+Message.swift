import Documents
import Estimation
import Geometry
import Messages
import Model
import WaymarkInterface

extension StatusInterface.Calibration {
    /// - Parameters:
    ///   - found: errors that the estimator has found beside the calibration; nil before the first inertial step.
    ///   - proposal: change of the hard iron that the tracker proposes; nil while there is none.
    init(_ service: CalibrationService, residuals found: SensorResiduals?, proposal: Estimation.HardIronProposal?) {
        self.init(
            sensors: CalibrationList.entries(of: service).filter { $0.sensor != .noise }.map { entry in
                StatusInterface.SensorCalibration(
                    sensor: entry.sensor, device: entry.identity, inForce: entry.inForce, age: entry.age,
                    origin: entry.origin, predictedHeadingError: entry.predictedHeadingError,
                    predictedTiltError: entry.predictedTiltError)
            },
            residuals: [
                found?.gyroBias.message(of: .gyroscope), found?.accelerometerBias.message(of: .accelerometer),
                found?.hardIron?.message(of: .magnetometer),
            ].compactMap { $0 },
            proposal: proposal?.message, running: service.live?.kind.message)
    }
}

extension SensorResiduals.Bias {
    /// Nil where a number is not finite.
    fileprivate func message(of sensor: StatusInterface.CalibratedSensor) -> StatusInterface.ResidualBias? {
        guard value.isFinite, deviation.isFinite else { return nil }
        return StatusInterface.ResidualBias(
            sensor: sensor, bias: [value.x, value.y, value.z],
            standardDeviation: [deviation.x, deviation.y, deviation.z])
    }
}

extension HardIronProposal {
    /// Nil where a number is not finite.
    fileprivate var message: StatusInterface.HardIronProposal? {
        guard offset.isFinite, deviation.isFinite, seconds.isFinite, residualBefore.isFinite, residualAfter.isFinite
        else { return nil }
        return StatusInterface.HardIronProposal(
            hardIron: [offset.x, offset.y, offset.z], standardDeviation: [deviation.x, deviation.y, deviation.z],
            seconds: seconds, residualBefore: residualBefore, residualAfter: residualAfter, proven: isProven)
    }
}
