/// Settings of an `IIOSource`: context, devices, sampling rates and mounting.
package struct IIOSettings: Hashable, Sendable {
    /// URI of the libiio context: `local:`, `ip:HOST[:PORT]`, `usb:`, ….
    package var contextURI = "local:"
    /// Whether the devices are those of this computer's kernel.
    var isLocal: Bool { contextURI.hasPrefix("local") }
    /// Name or identifier of the device for a kind. A kind without a name and a label gets the best device.
    package var deviceNames: [SensorKind: String] = [:]
    /// Label of the device for a kind.
    package var deviceLabels: [SensorKind: String] = [:]
    /// Sampling rates requested. Unit: Hz.
    package var rates: [SensorKind: Double] = [
        .accelerometer: 200, .gyroscope: 200, .magnetometer: 50, .barometer: 10,
    ]
    /// Mount matrices that override the matrices of driver and udev.
    package var mountMatrices: [SensorKind: MountMatrix] = [:]
    /// Signs of the sensors. The sign is -1 for a sensor that reports the opposite of the measured quantity, and 1 for
    /// a sensor without an entry.
    package var signs: [SensorKind: Int] = [:]
    /// Time without data after which a device is reported silent and its buffer is recreated. Unit: s.
    package var silenceTimeoutSeconds = 1.0

    package init() {}

    /// Sampling rate that is requested for both accelerometer and gyroscope, the higher one if they differ. Unit: Hz.
    package var inertialRate: Double {
        get { max(rate(of: .accelerometer), rate(of: .gyroscope)) }
        set { (rates[.accelerometer], rates[.gyroscope]) = (newValue, newValue) }
    }

    /// Sampling rate requested for a kind while clients take poses. Unit: Hz.
    package func rate(of kind: SensorKind) -> Double { rates[kind] ?? 0 }

    /// Whether a device may be used for a kind.
    func permits(_ device: DeviceSummary, for kind: SensorKind) -> Bool {
        device.isCalled(deviceNames[kind], label: deviceLabels[kind])
    }

    /// Whether the settings specify a device for a kind, by name or label.
    func isNamed(_ kind: SensorKind) -> Bool { deviceNames[kind] != nil || deviceLabels[kind] != nil }

    /// Silence timeout, clamped to 0.1 s … 60 s. Unit: ms.
    var silenceMilliseconds: UInt32 {
        guard silenceTimeoutSeconds.isFinite else { return 1000 }
        return UInt32(min(max(silenceTimeoutSeconds, 0.1), 60) * 1000)
    }
}

/// Quantity that a sensor measures, in the order in which the parts of a scan are delivered.
package enum SensorKind: String, CaseIterable, Comparable, Hashable, Sendable {
    case accelerometer
    case gyroscope
    case magnetometer
    case barometer

    /// The kernel's channel names, in the order x, y, z.
    package var channelNames: [String] {
        switch self {
        case .accelerometer: ["accel_x", "accel_y", "accel_z"]
        case .gyroscope: ["anglvel_x", "anglvel_y", "anglvel_z"]
        case .magnetometer: ["magn_x", "magn_y", "magn_z"]
        case .barometer: ["pressure"]
        }
    }

    /// Channel prefix in the kernel's file names, such as `accel` in `in_accel_scale`.
    var prefix: Substring { channelNames[0].prefix { $0 != "_" } }

    /// Factor from the kernel's unit to the measurement's unit: from gauss to microtesla, and from kilopascal to
    /// hectopascal.
    var unitFactor: Double {
        switch self {
        case .accelerometer, .gyroscope: 1
        case .magnetometer: 100
        case .barometer: 10
        }
    }

    /// Largest plausible magnitude for a worn sensor: 100 g, 100 rad/s, the field at the surface of a strong magnet, or
    /// the pressure of a deep dive. Unit: that of the measurement.
    ///
    /// The limit detects a wrong scale or a broken register before the value reaches the filter.
    var maximumMagnitude: Double {
        switch self {
        case .accelerometer: 981
        case .gyroscope: 100
        case .magnetometer: 1e6
        case .barometer: 11_000
        }
    }

    /// Whether a missing sensor of this kind is not reported.
    var isOptional: Bool { self == .barometer }

    /// Index among all kinds, in the order of delivery.
    var order: Int {
        switch self {
        case .accelerometer: 0
        case .gyroscope: 1
        case .magnetometer: 2
        case .barometer: 3
        }
    }

    package static func < (a: SensorKind, b: SensorKind) -> Bool {
        a.order < b.order
    }
}
