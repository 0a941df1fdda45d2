import Calibration
import Documents
import Geometry
import Linux
import Model
import Recording

/// Sees to it that the engine has the calibrations that are kept for the devices that are there.
package final class CalibrationApplication {
    /// A calibration that is kept for a device that is there, under the mount of now.
    package struct Match {
        package let device: PresentDevice
        package let record: CalibrationRecord
    }

    private let shelf: CalibrationShelf
    private let devices: () -> [PresentDevice]
    private let calibrate: (SensorCalibration) -> Void
    /// As the engine was told them last, by sensor.
    private var told: [SensorCalibration.Sensor: SensorCalibration] = [:]
    /// Whether calibrations are applied at all.
    package var isOn: Bool

    package init(
        shelf: CalibrationShelf, isOn: Bool, devices: @escaping () -> [PresentDevice],
        calibrate: @escaping (SensorCalibration) -> Void
    ) {
        self.shelf = shelf
        self.isOn = isOn
        self.devices = devices
        self.calibrate = calibrate
    }

    /// The device that serves a sensor now.
    package func device(of sensor: CalibratedSensor) -> PresentDevice? {
        devices().first { $0.mount(of: sensor) != nil }
    }

    /// What is kept for the device that serves a sensor now.
    package func match(_ sensor: CalibratedSensor) -> Match? {
        guard let device = device(of: sensor), let records = shelf.calibration(of: device.device)?[sensor] else {
            return nil
        }
        return Match(device: device, record: records.present.turned(to: device.mount(of: sensor)))
    }

    /// What is to be in force of a sensor.
    private func wanted(_ sensor: CalibratedSensor) -> Match? {
        guard isOn, let match = match(sensor), match.record.flaw == nil else { return nil }
        return match
    }

    /// What the engine was told last, but for what changes nothing.
    package var inForce: [SensorCalibration] {
        SensorCalibration.Sensor.allCases.compactMap { told[$0] }.filter { !$0.isNeutral }
    }

    /// Tells the engine what is other than it knows: before the first sample of a sensor, and after each change.
    package func update(at time: BootTime) {
        for sensor in SensorCalibration.Sensor.allCases {
            let match = wanted(CalibratedSensor(sensor))
            // While no device is there nobody says what the next one needs.
            guard !isOn || device(of: CalibratedSensor(sensor)) != nil else { continue }
            let known = told[sensor]
            let calibration =
                match?.record.calibration(at: time) ?? SensorCalibration(time: time, sensor: sensor)
            guard known.map({ !$0.hasSameEffect(as: calibration) }) ?? (match != nil) else { continue }
            told[sensor] = calibration
            calibrate(calibration)
            Log.notice("calibration: " + Self.line(CalibratedSensor(sensor), match))
        }
    }

    private static func line(_ sensor: CalibratedSensor, _ match: Match?) -> String {
        guard let match else { return "\(sensor.rawValue): no active calibration" }
        let record = match.record
        let degrees = 180 / Double.pi
        let parts = [
            CalibrationAge(record).text,
            record.origin == .calibrate ? nil : "by \(record.origin.rawValue)",
            record.predictedHeadingError.map { "heading error \(($0 * degrees * 100).rounded() / 100)°" },
            record.predictedTiltError.map { "tilt error \(($0 * degrees * 1000).rounded() / 1000)°" },
        ]
        return "\(sensor.rawValue) of \(match.device.device.identity) active: "
            + parts.compactMap { $0 }.joined(separator: ", ")
    }

    // MARK: the warm start

    /// Sensors as the warm start knows them: what was learned under another calibration is of another sensor.
    package func tagged(_ sensors: WarmStart.Sensors) -> WarmStart.Sensors {
        var tagged = sensors
        tagged.gyroscope = tag(sensors.gyroscope, .gyroscope)
        tagged.accelerometer = tag(sensors.accelerometer, .accelerometer)
        tagged.magnetometer = tag(sensors.magnetometer, .magnetometer)
        return tagged
    }

    /// With the mount, which turns all that comes after it.
    private func tag(_ name: String?, _ sensor: CalibratedSensor) -> String? {
        guard let name else { return nil }
        let parts = [sensor, .mount].compactMap { wanted($0)?.record.fit?.parameterBytes }
        guard !parts.isEmpty else { return name }
        let number = String(FNV.hash(parts.joined()) >> 32, radix: 16)
        return String(name.prefix(WarmStartMessage.longestName - Self.longestTag)) + " calibrated \(number)"
    }

    /// ` calibrated ` and eight digits. Unit: bytes.
    private static let longestTag = 20
}

extension SensorCalibration {
    package func hasSameEffect(as other: SensorCalibration) -> Bool {
        correction == other.correction && bias == other.bias && biasDeviation == other.biasDeviation
    }

    /// Whether it leaves every sample as it is.
    package var isNeutral: Bool { correction == .identity && bias == .zero }
}

extension SensorFit {
    /// What of it acts on samples, bit by bit.
    fileprivate var parameterBytes: [UInt8] {
        let rows = (0..<3).flatMap { row in (0..<3).map { correction[row, $0] } }
        return ([bias.x, bias.y, bias.z] + rows).flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
    }
}
