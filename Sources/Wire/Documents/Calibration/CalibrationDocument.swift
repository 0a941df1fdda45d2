/// Contents of a calibration file. A file in the state directory contains the calibrations of one device; a file for
/// export or import may contain those of several devices.
public struct CalibrationDocument: Hashable, Sendable {
    /// Version of the format that is written; older versions are read too.
    public static let version = 1
    /// Value of the first member, which distinguishes a calibration from other files.
    public static let format = "waymark calibration"
    /// Maximum size of a document, larger than any document that is written. Unit: bytes.
    public static let maximumSize = 4 << 20
    /// Maximum number of devices in a document.
    public static let maximumDeviceCount = 64

    /// Devices with their calibrations, in the order of the document.
    public var devices: [DeviceCalibration]

    package init(_ devices: [DeviceCalibration]) { self.devices = devices }
}

/// Calibrations of one device.
public struct DeviceCalibration: Hashable, Sendable {
    /// Device; nil for calibrations that apply to any device that provides the sensors.
    public var device: CalibratedDevice?
    /// Records of the calibrated sensors, one per sensor, in the order of ``CalibratedSensor``.
    public private(set) var sensors: [SensorRecords]

    /// Makes the calibrations of a device. If a sensor occurs several times, its last element is kept.
    public init(_ device: CalibratedDevice?, sensors: [SensorRecords] = []) {
        self.device = device
        self.sensors = []
        for records in sensors { self[records.sensor] = records }
    }

    /// Records of a sensor; setting nil removes them.
    public subscript(_ sensor: CalibratedSensor) -> SensorRecords? {
        get { sensors.first { $0.sensor == sensor } }
        set {
            var kept = sensors.filter { $0.sensor != sensor }
            if let newValue { kept.append(newValue) }
            sensors = CalibratedSensor.allCases.compactMap { wanted in kept.first { $0.sensor == wanted } }
        }
    }

    /// Makes a record the active one of its sensor, and moves the previously active record to the history.
    public mutating func add(_ record: CalibrationRecord, of sensor: CalibratedSensor) {
        guard var records = self[sensor] else {
            self[sensor] = SensorRecords(sensor, present: record)
            return
        }
        records.replace(with: record)
        self[sensor] = records
    }
}

/// Active calibration of a sensor, and the earlier ones.
public struct SensorRecords: Hashable, Sendable {
    /// Maximum number of earlier calibrations that are stored.
    public static let maximumHistoryCount = 5

    package var sensor: CalibratedSensor
    /// Active calibration.
    public var present: CalibrationRecord
    /// Earlier calibrations, the newest first.
    public private(set) var history: [CalibrationRecord]

    /// Makes the records of a sensor; a longer history is cut to ``maximumHistoryCount``.
    public init(_ sensor: CalibratedSensor, present: CalibrationRecord, history: [CalibrationRecord] = []) {
        self.sensor = sensor
        self.present = present
        self.history = Array(history.prefix(Self.maximumHistoryCount))
    }

    /// Makes `record` the active one, and moves the previous one to the history without its noise curves.
    public mutating func replace(with record: CalibrationRecord) {
        var past = present
        // Curves are long, and only the newest one is displayed.
        for axis in past.noise.indices { past.noise[axis].curve = [] }
        history = Array(([past] + history).prefix(Self.maximumHistoryCount))
        present = record
    }
}
