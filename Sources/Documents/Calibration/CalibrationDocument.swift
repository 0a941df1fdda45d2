/// Calibrations as a file: one device's where the daemon keeps them, any number's for export and import.
public struct CalibrationDocument: Hashable, Sendable {
    /// Of the format that is written; a reader takes this one and older ones.
    public static let version = 1
    /// What the first member says, so that no other file is taken for one.
    public static let format = "waymark calibration"
    /// Longer than any that is written. Unit: bytes.
    public static let longest = 4 << 20
    public static let mostDevices = 64

    public var devices: [DeviceCalibration]

    public init(_ devices: [DeviceCalibration]) { self.devices = devices }
}

/// All that is kept of one device.
public struct DeviceCalibration: Hashable, Sendable {
    /// Nil for parts that are for whichever device serves their sensors.
    public var device: CalibratedDevice?
    /// In the order of the sensors, each at most once.
    public private(set) var sensors: [SensorRecords]

    public init(_ device: CalibratedDevice?, sensors: [SensorRecords] = []) {
        self.device = device
        self.sensors = []
        for records in sensors { self[records.sensor] = records }
    }

    /// What is kept of a sensor; setting nil takes it away.
    public subscript(_ sensor: CalibratedSensor) -> SensorRecords? {
        get { sensors.first { $0.sensor == sensor } }
        set {
            var kept = sensors.filter { $0.sensor != sensor }
            if let newValue { kept.append(newValue) }
            sensors = CalibratedSensor.allCases.compactMap { wanted in kept.first { $0.sensor == wanted } }
        }
    }

    /// Puts a record in force; what was there goes into the history.
    public mutating func add(_ record: CalibrationRecord, of sensor: CalibratedSensor) {
        guard var records = self[sensor] else {
            self[sensor] = SensorRecords(sensor, present: record)
            return
        }
        records.replace(with: record)
        self[sensor] = records
    }
}

/// What is in force of a sensor, and what was before it.
public struct SensorRecords: Hashable, Sendable {
    /// So many are kept beside the one in force.
    public static let mostHistory = 5

    public var sensor: CalibratedSensor
    public var present: CalibrationRecord
    /// The newest first.
    public private(set) var history: [CalibrationRecord]

    public init(_ sensor: CalibratedSensor, present: CalibrationRecord, history: [CalibrationRecord] = []) {
        self.sensor = sensor
        self.present = present
        self.history = Array(history.prefix(Self.mostHistory))
    }

    public mutating func replace(with record: CalibrationRecord) {
        var past = present
        // A curve is long, and only the newest is looked at.
        for axis in past.noise.indices { past.noise[axis].curve = [] }
        history = Array(([past] + history).prefix(Self.mostHistory))
        present = record
    }
}
