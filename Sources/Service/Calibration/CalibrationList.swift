import Documents
import Messages
import Persistence
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

    /// Reason why it is not active; nil where it is.
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
