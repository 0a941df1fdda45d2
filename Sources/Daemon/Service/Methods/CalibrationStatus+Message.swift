import Documents
import Geometry
import Messages
import Model
import Persistence
import Engine
import WaymarkInterface

/// The stored calibrations of all devices, and whether they are active.
enum CalibrationList {
    static func entries(of service: CalibrationService) -> [CalibrationInterface.Entry] {
        service.repository.kept.flatMap { calibration -> [CalibrationInterface.Entry] in
            guard let device = calibration.device else { return [] }
            return calibration.sensors.map { records in
                records.present.message(
                    of: records.sensor, device, obstacle: obstacle(records, device, service),
                    history: records.history.count, age: CalibrationAge(records.present).seconds)
            }
        }
    }

    /// Returns the reason why the calibration is not active; nil if it is active.
    private static func obstacle(
        _ records: SensorRecords, _ device: CalibratedDevice, _ service: CalibrationService
    ) -> String? {
        if records.sensor == .noise { return "noise calibrations are for information only" }
        if !service.hasSensors { return "a recording is being replayed" }
        if !service.application.isOn { return "calibration.apply is false" }
        if service.application.device(of: records.sensor)?.device != device { return "the device is not present" }
        return records.present.flaw
    }
}

extension StatusInterface.Calibration {
    /// - Parameters:
    ///   - found: sensor errors that the estimator has found in addition to the calibration; nil before the first
    ///     inertial step.
    ///   - proposal: change of the hard iron that the tracker proposes; nil if there is none.
    init(_ service: CalibrationService, residuals found: SensorResiduals?, proposal: ProposedHardIron?) {
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
    /// Returns nil if a number is not finite.
    fileprivate func message(of sensor: StatusInterface.CalibratedSensor) -> StatusInterface.ResidualBias? {
        guard value.isFinite, standardDeviation.isFinite else { return nil }
        return StatusInterface.ResidualBias(
            sensor: sensor, bias: [value.x, value.y, value.z],
            standardDeviation: [standardDeviation.x, standardDeviation.y, standardDeviation.z])
    }
}

extension ProposedHardIron {
    /// Nil if a number is not finite.
    fileprivate var message: StatusInterface.HardIronProposal? {
        guard offset.isFinite, standardDeviation.isFinite, seconds.isFinite, residualBefore.isFinite,
            residualAfter.isFinite
        else { return nil }
        return StatusInterface.HardIronProposal(
            hardIron: [offset.x, offset.y, offset.z],
            standardDeviation: [standardDeviation.x, standardDeviation.y, standardDeviation.z],
            seconds: seconds, residualBefore: residualBefore, residualAfter: residualAfter, proven: isProven)
    }
}
