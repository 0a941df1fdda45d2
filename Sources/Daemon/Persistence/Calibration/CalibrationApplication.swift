import Calibration
import Documents
import Geometry
import Glibc
import Linux
import Model
import Recording

/// Passes the stored calibrations of the present devices to the engine, at the start and after each change.
package final class CalibrationApplication {
    /// Stored calibration of a present device, rotated to its current mount.
    package struct Match {
        package let device: PresentDevice
        package let record: CalibrationRecord
    }

    private let repository: CalibrationRepository
    private let board: (any Board)?
    /// Calibrations as last passed to the engine, by sensor.
    private var passed: [SensorCalibration.Sensor: SensorCalibration] = [:]
    package var isOn: Bool

    /// - Parameter board: board with the sensors; nil if measurements do not come from sensors, as in a replay.
    package init(repository: CalibrationRepository, isOn: Bool, board: (any Board)?) {
        self.repository = repository
        self.isOn = isOn
        self.board = board
    }

    /// Returns the device that currently delivers a sensor.
    package func device(of sensor: CalibratedSensor) -> PresentDevice? {
        board?.devices.first { $0.mount(of: sensor) != nil }
    }

    package var accelerometerMount: SensorMount? { device(of: .accelerometer)?.mount(of: .accelerometer) }

    /// Returns the stored calibration of the device that currently delivers a sensor.
    package func match(_ sensor: CalibratedSensor) -> Match? {
        guard let device = device(of: sensor), let records = repository.calibration(of: device.device)?[sensor] else {
            return nil
        }
        return Match(
            device: device,
            record: records.present.turned(to: device.mount(of: sensor), accelerometer: accelerometerMount))
    }

    /// Returns the calibration that should be active for a sensor.
    private func wanted(_ sensor: CalibratedSensor) -> Match? {
        guard isOn, let match = match(sensor), match.record.flaw == nil else { return nil }
        return match
    }

    /// Calibrations last passed to the engine, except those without effect.
    package var inForce: [SensorCalibration] {
        SensorCalibration.Sensor.allCases.compactMap { passed[$0] }.filter { !$0.isNeutral }
    }

    /// Passes the calibrations that have changed to the engine. To be called before the first sample of a sensor, and
    /// after each change of devices, stored calibrations or `isOn`.
    ///
    /// - Parameter calibrate: passes a changed calibration to the engine.
    package func update(at time: BootTime, _ calibrate: (SensorCalibration) -> Void) {
        for sensor in SensorCalibration.Sensor.allCases {
            let match = wanted(CalibratedSensor(sensor))
            // While a sensor has no device, its calibration stays, because the next device is not yet known.
            guard !isOn || device(of: CalibratedSensor(sensor)) != nil else { continue }
            let known = passed[sensor]
            let calibration =
                match?.record.calibration(at: time) ?? SensorCalibration(time: time, sensor: sensor)
            guard known.map({ !$0.hasSameEffect(as: calibration) }) ?? (match != nil) else { continue }
            passed[sensor] = calibration
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

    // MARK: warm start

    /// Names of the present sensors. Each name is tagged with the active calibration, because states that were
    /// estimated under another calibration do not apply.
    package var sensors: WarmStart.Sensors {
        let sensors = board?.sensors ?? WarmStart.Sensors()
        var tagged = sensors
        tagged.gyroscope = tag(sensors.gyroscope, .gyroscope)
        tagged.accelerometer = tag(sensors.accelerometer, .accelerometer)
        tagged.magnetometer = tag(sensors.magnetometer, .magnetometer)
        return tagged
    }

    /// Returns the name of a sensor, tagged with the active calibrations of the sensor and of the mount, because the
    /// mount rotates the samples of every sensor.
    private func tag(_ name: String?, _ sensor: CalibratedSensor) -> String? {
        guard let name else { return nil }
        let parts = [sensor, .mount].compactMap { wanted($0)?.record.fit?.parameterBytes }
        guard !parts.isEmpty else { return name }
        let number = String(FNV.hash(parts.joined()) >> 32, radix: 16)
        return String(name.prefix(WarmStartMessage.maximumNameLength - Self.maximumTagLength)) + " calibrated \(number)"
    }

    /// Length of ` calibrated ` and eight digits. Unit: bytes.
    private static let maximumTagLength = 20
}

extension SensorCalibration {
    package func hasSameEffect(as other: SensorCalibration) -> Bool {
        correction == other.correction && bias == other.bias && biasStandardDeviation == other.biasStandardDeviation
    }

    /// Whether samples are left unchanged.
    package var isNeutral: Bool { correction == .identity && bias == .zero }
}

extension SensorFit {
    /// Bytes of the parameters that act on samples, little-endian.
    fileprivate var parameterBytes: [UInt8] {
        let rows = (0..<3).flatMap { row in (0..<3).map { correction[row, $0] } }
        return ([bias.x, bias.y, bias.z] + rows).flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
    }
}

/// Age of a calibration, according to the system clock, which may have been set in the meantime.
package struct CalibrationAge {
    /// Age, never negative. Unit: seconds.
    package let seconds: Double

    package init(_ record: CalibrationRecord) { seconds = max(0, Self.now - record.time) }

    /// Current time by the system clock. Unit: seconds since 1970 UTC.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Age as a text, such as "3 days old".
    package var text: String {
        switch seconds {
        case ..<120: "\(Int(seconds)) s old"
        case ..<7200: "\(Int(seconds / 60)) min old"
        case ..<172_800: "\(Int(seconds / 3600)) h old"
        default: "\(Int(min(seconds / 86400, 1e6))) days old"
        }
    }
}
