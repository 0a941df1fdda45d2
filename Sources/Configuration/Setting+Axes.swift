/// Sections of the sensors: `iio.accelerometer`, `iio.gyroscope`, `iio.magnetometer` and `iio.pressure`.
extension Setting {
    static let sensors: [Setting] =
        identity(.accelerometer, "accelerometer", \.iio.accelerometer.device, \.iio.accelerometer.label)
        + [inertialRate(.accelerometer, "Accelerometer", \.iio.accelerometer.rateHz)]
        + axes(
            .accelerometer, \.iio.accelerometer.mountMatrix, \.iio.accelerometer.sign,
            "specific force (-9.81 m/s² on the axis that points up), as hubs after the Windows convention do")
        + identity(.gyroscope, "gyroscope", \.iio.gyroscope.device, \.iio.gyroscope.label)
        + [inertialRate(.gyroscope, "Gyroscope", \.iio.gyroscope.rateHz)]
        + axes(.gyroscope, \.iio.gyroscope.mountMatrix, \.iio.gyroscope.sign, "the angular rate")
        + identity(.magnetometer, "magnetometer", \.iio.magnetometer.device, \.iio.magnetometer.label)
        + [
            Setting(
                .magnetometer, "rate_hz", .number(\.iio.magnetometer.rateHz, 1...1000), unit: "Hz",
                requiresRestart: true,
                "Magnetometer sampling rate; the driver rounds it to a supported rate.")
        ]
        + axes(.magnetometer, \.iio.magnetometer.mountMatrix, \.iio.magnetometer.sign, "the magnetic field")
        + identity(.pressure, "barometer", \.iio.pressure.device, \.iio.pressure.label)
        + [
            Setting(
                .pressure, "rate_hz", .number(\.iio.pressure.rateHz, 0.1...200), unit: "Hz", requiresRestart: true,
                "Barometer sampling rate; the driver rounds it to a supported rate.")
        ]

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

    private static func inertialRate(_ section: Section, _ name: String, _ rate: Field<Double>) -> Setting {
        Setting(
            section, "rate_hz", .number(rate, 10...4000), unit: "Hz", requiresRestart: true,
            "\(name) sampling rate; the driver rounds it to a supported rate. An accelerometer and a gyroscope on one "
                + "device have the higher of their rates.")
    }

    /// Mount matrix and sign of a sensor.
    ///
    /// - Parameter quantity: what a sensor of the sign -1 reports the opposite of.
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
