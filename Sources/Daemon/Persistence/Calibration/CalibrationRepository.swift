import Documents
import Linux

/// Change of the stored calibration of one sensor of a device. The record replaces the stored one; nil deletes all
/// stored records of the sensor.
package struct CalibrationEdit {
    package let device: CalibratedDevice
    package let sensor: CalibratedSensor
    package let record: CalibrationRecord?

    package init(device: CalibratedDevice, sensor: CalibratedSensor, record: CalibrationRecord?) {
        self.device = device
        self.sensor = sensor
        self.record = record
    }
}

/// In-memory copy of the stored calibrations, for the reactor's thread: read once at the start, and written by a worker
/// thread, one change after the other.
package final class CalibrationRepository {
    /// Reason why a change was not stored; the copy in memory is then unchanged too.
    package struct Problem: Error {
        package let path: String
        package let reason: String
    }

    private struct Change {
        let device: CalibratedDevice
        let edit: (inout DeviceCalibration) -> Void
        let then: (Problem?) -> Void
    }

    /// Files of the calibrations; nil in a replay, which stores nothing.
    private let store: CalibrationStore?
    private let worker: SerialWorker
    private let untouchable: [String: String]
    /// Reason why files may exist that are not in memory; they are not replaced.
    private let unread: String?
    /// Stored calibrations in the order in which their files were found, new ones last.
    package private(set) var kept: [DeviceCalibration]
    private var changes: [Change] = []
    private var isChanging = false
    /// Called when the stored calibrations have changed.
    package var onChange: () -> Void = {}

    /// Reads the stored calibrations.
    ///
    /// - Parameter state: state directory of the daemon; nil in a replay, which stores nothing.
    package convenience init(_ reactor: Reactor, state: String?) throws(SystemError) {
        let store = state.map(CalibrationStore.init)
        try self.init(reactor, store, store?.load() ?? CalibrationStore.Content())
    }

    /// - Parameter content: content of the store.
    package init(
        _ reactor: Reactor, _ store: CalibrationStore?, _ content: CalibrationStore.Content
    ) throws(SystemError) {
        self.store = store
        worker = try SerialWorker(reactor, name: "calibration")
        for warning in content.warnings { Log.warning(warning) }
        (kept, untouchable, unread) = (content.devices, content.untouchable, content.unread)
    }

    package func calibration(of device: CalibratedDevice) -> DeviceCalibration? { kept.first { $0.device == device } }

    /// Changes the stored calibrations of a device, after all earlier requests.
    private func change(
        _ device: CalibratedDevice, _ edit: @escaping (inout DeviceCalibration) -> Void,
        then: @escaping (Problem?) -> Void
    ) {
        changes.append(Change(device: device, edit: edit, then: then))
        if !isChanging { changeNext() }
    }

    private func changeNext() {
        isChanging = !changes.isEmpty
        guard isChanging else { return }
        let change = changes.removeFirst()
        let known = calibration(of: change.device)
        var calibration = known ?? DeviceCalibration(change.device)
        change.edit(&calibration)
        let path = store?.path(of: change.device) ?? ""
        let obstacle = untouchable[path] ?? (known == nil ? unread : nil)
        worker.perform { [store, calibration] () -> String? in
            guard let store else { return "a recording is being replayed: calibrations are not stored" }
            if let obstacle, store.exists(path) { return obstacle + "; move it away to calibrate" }
            do throws(FileError) {
                try store.save(calibration)
                return nil
            } catch {
                return "\(error)"
            }
        } then: { [weak self] reason in
            guard let self else { return }
            if reason == nil { keep(calibration) }
            change.then(reason.map { Problem(path: path, reason: $0) })
            changeNext()
        }
    }

    /// Applies edits device by device: a new record moves the stored one into the history; nil deletes the stored
    /// records.
    ///
    /// - Parameter then: called on the reactor once all edits are durable, or with the first problem.
    package func apply(_ edits: [CalibrationEdit], then: @escaping (Problem?) -> Void) {
        guard let first = edits.first else { return then(nil) }
        let (own, others) = (edits.filter { $0.device == first.device }, edits.filter { $0.device != first.device })
        change(first.device) { calibration in
            for edit in own {
                if let record = edit.record {
                    calibration.add(record, of: edit.sensor)
                } else {
                    calibration[edit.sensor] = nil
                }
            }
        } then: { [weak self] problem in
            guard problem == nil, let self else { return then(problem) }
            apply(others, then: then)
        }
    }

    private func keep(_ calibration: DeviceCalibration) {
        if let place = kept.firstIndex(where: { $0.device == calibration.device }) {
            kept[place] = calibration
        } else {
            kept.append(calibration)
        }
        kept.removeAll { $0.sensors.isEmpty }
        onChange()
    }

    // MARK: end

    package func requestEnd() { worker.requestEnd() }

    package func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("calibration: the disk did not respond in time; the last change may be lost")
        }
    }
}
