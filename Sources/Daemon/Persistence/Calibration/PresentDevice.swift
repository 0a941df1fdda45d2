import Configuration
import Documents
import Model
import Sensors

/// Board with the sensors that the wearer wears.
package protocol Board: AnyObject, Sendable {
    /// Names of the sensors that are present now.
    var sensors: WarmStart.Sensors { get }
    /// Devices that are present now and can be calibrated.
    var devices: [PresentDevice] { get }
}

/// Device that is present now, with its properties that matter to calibrations.
package struct PresentDevice {
    package let device: CalibratedDevice
    package let mounts: [SensorKind: SensorMount]
    /// Temperature of the device. Unit: degrees Celsius.
    package let temperature: Double?
    /// State of the device, such as `silent`; `detail` is the reason, such as `no sample for 1 s`.
    package let state: String
    package let detail: String?

    /// Returns nil if the report has no axis of an inertial or magnetic sensor, for example while the device is still
    /// being searched for.
    package init?(_ report: DeviceReport) {
        guard report.mountMatrices.keys.contains(where: { $0 != .barometer }) else { return nil }
        device = CalibratedDevice(
            name: report.name, label: report.label, serial: report.serial, location: report.location)
        mounts = report.mounts
        temperature = report.temperature
        state = report.state.rawValue
        detail = report.detail
    }

    /// Creates the device of a simulated walk. Each seed is a separate board.
    package init(_ simulation: Configuration.Simulation) {
        device = CalibratedDevice(name: "simulated", serial: "seed \(simulation.seed)")
        mounts = [.accelerometer: Self.identity, .gyroscope: Self.identity, .magnetometer: Self.identity]
        (temperature, state, detail) = (nil, "streaming", nil)
    }

    private static let identity = SensorMount([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// Returns the mount of a sensor; nil if the device does not deliver it.
    package func mount(of sensor: CalibratedSensor) -> SensorMount? { mounts[sensor.kind] }
}

extension DeviceReport {
    /// Mounts of the sensor kinds that the device delivers.
    package var mounts: [SensorKind: SensorMount] {
        var mounts: [SensorKind: SensorMount] = [:]
        for (kind, matrix) in mountMatrices {
            mounts[kind] = SensorMount(matrix, sign: axes.first { $0.kind == kind }?.sign ?? 1)
        }
        return mounts
    }
}

extension CalibratedSensor {
    /// Kind of sensor whose device has the calibration. The device of the accelerometer has the mount of the board as a
    /// whole, and the device of the gyroscope has the noise.
    package var kind: SensorKind {
        switch self {
        case .gyroscope, .noise: .gyroscope
        case .accelerometer, .mount: .accelerometer
        case .magnetometer: .magnetometer
        }
    }
}

/// Detects when a sensor starts to deliver samples, because a device that appears or reappears may be a different one.
package struct SensorPresence {
    /// Silence after which the next sample may be from another device. After a shorter silence it is from the same one,
    /// because no device reappears faster. Unit: ns.
    private static let silence: Int64 = 200_000_000

    private struct Sensor {
        var last = Int64.min
        var count: UInt64 = 0

        mutating func notes(_ time: BootTime) -> Bool {
            count &+= 1
            let (passed, overflow) = time.nanoseconds.subtractingReportingOverflow(last)
            last = time.nanoseconds
            return overflow || passed > SensorPresence.silence || passed < 0
        }
    }

    private var gyroscope = Sensor()
    private var accelerometer = Sensor()
    private var magnetometer = Sensor()

    package init() {}

    /// Counts a sample; returns whether it is the first one of its sensor, or the first after a silence.
    package mutating func notes(_ measurement: Measurement) -> Bool {
        switch measurement {
        case .angularRate(let sample): gyroscope.notes(sample.time)
        case .specificForce(let sample): accelerometer.notes(sample.time)
        case .magneticField(let sample): magnetometer.notes(sample.time)
        default: false
        }
    }

    /// Returns the number of samples of a sensor since the start. For the mount of the board, it is that of the
    /// accelerometer.
    package func count(of sensor: SensorCalibration.Sensor) -> UInt64 {
        switch sensor {
        case .gyroscope: gyroscope.count
        case .accelerometer, .mount: accelerometer.count
        case .magnetometer: magnetometer.count
        }
    }
}
