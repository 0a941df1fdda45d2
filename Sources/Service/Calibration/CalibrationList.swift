import Documents
import JSON
import Messages
import Persistence

/// Reply of `List`: the stored calibrations of all devices, and whether they are active.
enum CalibrationList {
    static func bytes(of service: CalibrationService) -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("calibrations")
        json.beginArray()
        for entry in entries(of: service) { entry.write(into: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    static func entries(of service: CalibrationService) -> [CalibrationEntryMessage] {
        service.shelf.kept.flatMap { calibration -> [CalibrationEntryMessage] in
            guard let device = calibration.device else { return [] }
            return calibration.sensors.map { records in
                let detail = obstacle(records, device, service)
                return CalibrationEntryMessage(
                    sensor: records.sensor, device: device, record: records.present, isInForce: detail == nil,
                    detail: detail, history: records.history.count, age: CalibrationAge(records.present).seconds)
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
