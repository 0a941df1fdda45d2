import Configuration
import Documents
import Model
import Sensors

/// A device that is there now, as far as calibrations are concerned.
package struct PresentDevice {
    package let device: CalibratedDevice
    /// Row by row, sensor axes to body axes, of each kind that it serves.
    package let mounts: [SensorKind: [Double]]
    /// Unit: degrees Celsius.
    package let temperature: Double?
    /// State of the device and the reason: `silent`, `no sample for 1 s`.
    package let state: String
    package let detail: String?

    /// Nil for a report of a device that serves no axis of any sensor, such as one that is still looked for.
    package init?(_ report: DeviceReport) {
        guard report.mountMatrices.keys.contains(where: { $0 != .barometer }) else { return nil }
        device = CalibratedDevice(
            name: report.name, label: report.label, serial: report.serial, location: report.location)
        mounts = report.mountMatrices
        temperature = report.temperature
        state = report.state.rawValue
        detail = report.detail
    }

    /// Device of a simulated walk: another seed is another board.
    package init(_ simulation: Configuration.Simulation) {
        device = CalibratedDevice(name: "simulated", serial: "seed \(simulation.seed)")
        mounts = [.accelerometer: Self.identity, .gyroscope: Self.identity, .magnetometer: Self.identity]
        (temperature, state, detail) = (nil, "streaming", nil)
    }

    private static let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]

    /// The mount under which it measures for a sensor; nil where it does not serve it.
    package func mount(of sensor: CalibratedSensor) -> [Double]? { mounts[sensor.kind] }
}

extension CalibratedSensor {
    /// Part of a device that the sensor belongs to: the board as a whole to its accelerometer, the noise to its
    /// gyroscope.
    package var kind: SensorKind {
        switch self {
        case .gyroscope, .noise: .gyroscope
        case .accelerometer, .mount: .accelerometer
        case .magnetometer: .magnetometer
        }
    }
}
