extension Setting {
    static let iio: [Setting] = [
        Setting(
            .iio, "enabled", .toggle(\.iio.enabled), requiresRestart: true,
            "Whether inertial and magnetic sensors are read."),
        Setting(
            .iio, "context",
            .text(
                \.iio.context, range: "local:, ip:HOST, usb:…, serial:… or xml:FILE",
                check: SettingChecks.iioContext),
            requiresRestart: true,
            "Where libiio finds the devices."),
        deviceName("accelerometer", \.iio.accelerometer),
        deviceName("gyroscope", \.iio.gyroscope),
        deviceName("magnetometer", \.iio.magnetometer),
        deviceName("barometer", \.iio.barometer),
        Setting(
            .iio, "inertial_rate_hz", .number(\.iio.inertialRateHz, 10...4000), unit: "Hz", requiresRestart: true,
            "Accelerometer and gyroscope samples a second; the driver rounds it to what the device can do."),
        Setting(
            .iio, "magnetometer_rate_hz", .number(\.iio.magnetometerRateHz, 1...1000), unit: "Hz",
            requiresRestart: true,
            "Magnetometer samples a second; the driver rounds it to what the device can do."),
        Setting(
            .iio, "barometer_rate_hz", .number(\.iio.barometerRateHz, 0.1...200), unit: "Hz", requiresRestart: true,
            "Pressure samples a second; the driver rounds it to what the device can do."),
        Setting(
            .iio, "mount_matrix",
            .numbers(
                \.iio.mountMatrix, range: "9 numbers of a rotation, row by row, or empty",
                check: SettingChecks.mountMatrix),
            requiresRestart: true,
            "Turns sensor axes into body axes (x right, y up, z towards the wearer), for all sensors; empty: "
                + "what udev or the device says."
        ),
        Setting(
            .iio, "silence_seconds", .number(\.iio.silenceSeconds, 0.1...60), unit: "s", requiresRestart: true,
            "A device that delivers nothing for so long is called silent and opened anew."),
    ]

    static let gnss: [Setting] = [
        Setting(
            .gnss, "enabled", .toggle(\.gnss.enabled), requiresRestart: true,
            "Whether fixes are taken from gpsd."),
        Setting(
            .gnss, "host", .text(\.gnss.host, range: "name or address", check: SettingChecks.host),
            requiresRestart: true,
            "Where gpsd runs."),
        Setting(
            .gnss, "port", .whole(\.gnss.port, 1...65535), requiresRestart: true,
            "The TCP port of gpsd."),
        Setting(
            .gnss, "device",
            .text(\.gnss.device, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "The receiver to listen to, as gpsd names it, such as /dev/ttyACM0; empty: whichever gpsd reports."),
        Setting(
            .gnss, "silence_seconds", .number(\.gnss.silenceSeconds, 1...600), unit: "s", requiresRestart: true,
            "A receiver that reports nothing for so long is called silent."),
        Setting(
            .gnss, "error_confidence", .number(\.gnss.errorConfidence, 0.3...0.999), requiresRestart: true,
            "The probability that the truth lies within the errors gpsd states (eph, epx, epv …): gpsd's own estimates "
                + "from DOP mean 0.95, accuracies that a u-blox receiver states by its binary protocol 0.68. Unused "
                + "where GST gives standard deviations."
        ),
        Setting(
            .gnss, "latency_seconds", .number(\.gnss.latencySeconds, 0...2), unit: "s", requiresRestart: true,
            "How long a fix takes from its epoch to its arrival; used only while the system's clock is not set and "
                + "cannot tell."
        ),
        Setting(
            .gnss, "lever_arm_m",
            .numbers(\.gnss.leverArmMetres, range: "3 numbers, -10 to 10", check: SettingChecks.leverArm), unit: "m",
            requiresRestart: true,
            "From the inertial sensor to the antenna in body axes (right, up, towards the wearer)."),
    ]

    private static func deviceName(_ key: String, _ field: Field<String>) -> Setting {
        Setting(
            .iio, key, .text(field, range: "name of an IIO device, or empty", check: SettingChecks.deviceName),
            requiresRestart: true,
            "The \(key), by the device's name or label; empty: the first device that has such channels.")
    }
}
