/// Sections of the sensors: `iio.accelerometer`, `iio.gyroscope`, `iio.magnetometer` and `iio.pressure`.
extension Setting {
    static let sensors: [Setting] = accelerometer + gyroscope + magnetometer + pressure

    private static let accelerometer: [Setting] =
        identity(.accelerometer, "accelerometer", \.iio.accelerometer.device, \.iio.accelerometer.label)
        + [inertialRate(.accelerometer, \.iio.accelerometer.rateHz, "Accelerometer")]
        + axes(
            .accelerometer, \.iio.accelerometer.mountMatrix, \.iio.accelerometer.sign,
            "specific force (-9.81 m/s² on the axis that points up), as hubs after the Windows convention do")

    private static let gyroscope: [Setting] =
        identity(.gyroscope, "gyroscope", \.iio.gyroscope.device, \.iio.gyroscope.label)
        + [inertialRate(.gyroscope, \.iio.gyroscope.rateHz, "Gyroscope")]
        + axes(.gyroscope, \.iio.gyroscope.mountMatrix, \.iio.gyroscope.sign, "the angular rate")

    private static let magnetometer: [Setting] =
        identity(.magnetometer, "magnetometer", \.iio.magnetometer.device, \.iio.magnetometer.label)
        + [rate(.magnetometer, \.iio.magnetometer.rateHz, 1...1000, "Magnetometer")]
        + axes(.magnetometer, \.iio.magnetometer.mountMatrix, \.iio.magnetometer.sign, "the magnetic field")

    private static let pressure: [Setting] =
        identity(.pressure, "barometer", \.iio.pressure.device, \.iio.pressure.label)
        + [rate(.pressure, \.iio.pressure.rateHz, 0.1...200, "Barometer")]

    /// Device and label of a sensor.
    private static func identity(
        _ section: Section, _ name: String, _ device: Field<String>, _ label: Field<String>
    ) -> [Setting] {
        [
            Setting(
                section, "device",
                .text(device, range: "name of an IIO device, or empty", check: SettingChecks.deviceName),
                requiresRestart: true,
                "The \(name), by name or identifier (iio:device0) of its device; empty: the first device with such "
                    + "channels."),
            Setting(
                section, "label",
                .text(label, range: "label of an IIO device, or empty", check: SettingChecks.deviceName),
                requiresRestart: true,
                "The \(name), by the label that the device tree or the firmware gives its device; empty: any label."),
        ]
    }

    private static func rate(
        _ section: Section, _ field: Field<Double>, _ range: ClosedRange<Double>, _ name: String, more: String = ""
    ) -> Setting {
        Setting(
            section, "rate_hz", .number(field, range), unit: "Hz", requiresRestart: true,
            "\(name) sampling rate; the driver rounds it to a supported rate.\(more)")
    }

    private static func inertialRate(_ section: Section, _ field: Field<Double>, _ name: String) -> Setting {
        rate(
            section, field, 10...4000, name,
            more: " An accelerometer and a gyroscope on one device have the higher of their rates.")
    }

    /// Mount matrix and sign of a sensor.
    ///
    /// - Parameter quantity: description of the quantity whose opposite a sensor of sign -1 reports.
    private static func axes(
        _ section: Section, _ matrix: Field<[Double]>, _ sign: Field<Int>, _ quantity: String
    ) -> [Setting] {
        [
            Setting(
                section, "mount_matrix",
                .numbers(
                    matrix, range: "9 numbers of a rotation, row by row, or empty", check: SettingChecks.mountMatrix),
                requiresRestart: true,
                "Mount matrix of this sensor, in place of iio.mount_matrix; empty: that of all sensors."),
            Setting(
                section, "sign", .sign(sign), requiresRestart: true,
                "Sign of the readings, applied before the mount matrix: -1 for a device that reports the opposite of "
                    + "\(quantity)."
            ),
        ]
    }
}
