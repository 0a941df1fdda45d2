import Calibration
import Documents
import Messages
import Persistence
import WaymarkInterface

/// Imports calibration documents, and deletes stored calibrations.
struct CalibrationTransfer {
    let service: CalibrationService

    // MARK: reset

    /// Deletes stored calibrations of the given sensors of the connected devices.
    ///
    /// - Parameter then: called with the names of the sensors whose calibrations were deleted.
    func reset(
        _ sensors: [CalibratedSensor], then: @escaping (Result<[String], CalibrationInterface.Failure>) -> Void
    ) {
        let known = sensors.compactMap { sensor -> CalibrationEdit? in
            guard let device = service.application.device(of: sensor)?.device,
                service.repository.calibration(of: device)?[sensor] != nil
            else { return nil }
            return CalibrationEdit(device: device, sensor: sensor, record: nil)
        }
        service.repository.apply(known) { problem in
            then(problem.map { .failure(.init($0)) } ?? .success(known.map(\.sensor.rawValue)))
        }
    }

    // MARK: import

    /// Imports either the whole document or nothing.
    ///
    /// - Parameter then: called with the names of the sensors whose calibrations in the document were not stored
    ///   already.
    func take(
        _ bytes: [UInt8], isForced: Bool, then: @escaping (Result<[String], CalibrationInterface.Failure>) -> Void
    ) {
        let additions: [CalibrationEdit]
        do throws(CalibrationInterface.Failure) {
            additions = try self.additions(of: bytes, isForced: isForced)
        } catch {
            return then(.failure(error))
        }
        let names = CalibratedSensor.allCases.filter { sensor in additions.contains { $0.sensor == sensor } }
        service.repository.apply(additions) { problem in
            then(problem.map { .failure(.init($0)) } ?? .success(names.map(\.rawValue)))
        }
    }

    private func additions(of bytes: [UInt8], isForced: Bool) throws(CalibrationInterface.Failure)
        -> [CalibrationEdit]
    {
        let document: CalibrationDocument
        do throws(CalibrationDocumentError) {
            document = try CalibrationDocument.read(bytes)
        } catch {
            throw .invalidDocument(path: error.problem.path, reason: error.problem.message)
        }
        var additions: [CalibrationEdit] = []
        for (index, calibration) in document.devices.enumerated() {
            for (place, records) in calibration.sensors.enumerated() {
                let path = "$.devices[\(index)].sensors[\(place)]"
                guard let device = calibration.device ?? service.application.device(of: records.sensor)?.device else {
                    let reason = "no device name, and no device with a \(records.sensor.rawValue) is present"
                    throw .invalidDocument(path: path, reason: reason)
                }
                let addition = try addition(records, device, path: path + ".present", isForced: isForced)
                guard let addition else { continue }
                guard !additions.contains(where: { $0.device == device && $0.sensor == addition.sensor }) else {
                    let reason = "the \(addition.sensor.rawValue) of \(device.identity) more than once"
                    throw .invalidDocument(path: path, reason: reason)
                }
                additions.append(addition)
            }
        }
        try checkCount(additions)
        return additions
    }

    /// Limits the number of devices to the maximum of a document, so that all stored calibrations can be exported and
    /// imported again as one document.
    private func checkCount(_ additions: [CalibrationEdit]) throws(CalibrationInterface.Failure) {
        let maximum = CalibrationDocument.maximumDeviceCount
        let devices = Set(service.repository.kept.compactMap(\.device)).union(additions.map(\.device))
        guard devices.count > maximum, devices.count > service.repository.kept.count else { return }
        throw .invalidDocument(
            path: "$.devices",
            reason: "\(devices.count) devices exceed the maximum of \(maximum): delete the files of "
                + "devices that are no longer used, and restart the daemon")
    }

    /// Returns the edit that stores a calibration of the document; nil if it is stored already.
    private func addition(
        _ records: SensorRecords, _ device: CalibratedDevice, path: String, isForced: Bool
    ) throws(CalibrationInterface.Failure) -> CalibrationEdit? {
        var record = records.present
        if records.sensor != .noise, let flaw = record.flaw {
            throw .invalidDocument(path: path, reason: "cannot be applied to a sensor: \(flaw)")
        }
        // A record without a mount matrix gets the present mount, if its device is connected.
        if record.mountMatrix == nil, let served = service.application.device(of: records.sensor),
            served.device == device
        {
            record.mount = served.mount(of: records.sensor)
            if record.turn != nil { record.accelerometerMount = service.application.accelerometerMount?.matrix }
        }
        let present = service.repository.calibration(of: device)?[records.sensor]?.present
        if let present, present.hasSameContent(as: record) { return nil }
        if !isForced, let present, present.flaw == nil, let objection = objection(to: record, present) {
            throw .worseThanPresent(sensor: records.sensor.message, reason: objection)
        }
        record.origin = .import
        return CalibrationEdit(device: device, sensor: records.sensor, record: record)
    }

    /// Compares the errors that each calibration predicts for itself, because an import has no samples on which the two
    /// could be compared.
    private func objection(to record: CalibrationRecord, _ present: CalibrationRecord) -> String? {
        var result = CalibrationResult(
            kind: record.kind, verdict: .accepted(""), residualUnit: record.residualUnit)
        result.predictedHeadingError = record.predictedHeadingError
        result.predictedTiltError = record.predictedTiltError
        return CalibrationComparison.objection(to: result, present: .init(present))
    }
}

extension CalibrationRecord {
    /// Whether both records are equal except for their origin.
    fileprivate func hasSameContent(as other: CalibrationRecord) -> Bool {
        var same = other
        same.origin = origin
        return self == same
    }
}
