/// Sections `iio` and `gnss`.
extension Setting {
    static let iio: [Setting] = [
        Setting(
            .iio, "enabled", .toggle(\.iio.enabled), requiresRestart: true,
            "Enables the inertial and magnetic sensors and the barometer."),
        Setting(
            .iio, "context",
            .text(
                \.iio.context, range: "local:, ip:HOST, usb:…, serial:… or xml:FILE",
                check: SettingChecks.iioContext),
            requiresRestart: true,
            "libiio context of the devices."),
        Setting(
            .iio, "mount_matrix",
            .numbers(
                \.iio.mountMatrix, range: "9 numbers of a rotation, row by row, or empty",
                check: SettingChecks.mountMatrix),
            requiresRestart: true,
            "Mount matrix from sensor axes to body axes (x right, y up, z towards the wearer), for all sensors without "
                + "one of their own; empty: the matrix of the device or of udev."
        ),
        Setting(
            .iio, "silence_seconds", .number(\.iio.silenceSeconds, 0.1...60), unit: "s", requiresRestart: true,
            "Time without samples after which a device is reported as silent and reopened."),
    ]

    static let gnss: [Setting] = [
        Setting(
            .gnss, "enabled", .toggle(\.gnss.enabled), requiresRestart: true,
            "Enables the GNSS receiver."),
        Setting(
            .gnss, "host", .text(\.gnss.host, range: "name or address", check: SettingChecks.host),
            requiresRestart: true,
            "Host of gpsd."),
        Setting(
            .gnss, "port", .whole(\.gnss.port, 1...65535), requiresRestart: true,
            "TCP port of gpsd."),
        Setting(
            .gnss, "device",
            .text(\.gnss.device, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "Receiver to use, by its name in gpsd, such as /dev/ttyACM0; empty: any receiver of gpsd."),
        Setting(
            .gnss, "silence_seconds", .number(\.gnss.silenceSeconds, 1...600), unit: "s", requiresRestart: true,
            "Time without data after which a receiver is reported as silent."),
        Setting(
            .gnss, "error_confidence", .number(\.gnss.errorConfidence, 0.3...0.999), requiresRestart: true,
            "Confidence level of the errors reported by gpsd (eph, epx, epv …): 0.95 for gpsd's own estimates "
                + "from DOP, 0.68 for accuracies reported by a u-blox receiver in its binary protocol. Unused "
                + "if GST sentences give standard deviations."
        ),
        Setting(
            .gnss, "latency_seconds", .number(\.gnss.latencySeconds, 0...2), unit: "s", requiresRestart: true,
            "Latency of a fix from its epoch to its arrival; used only where it cannot be measured: "
                + "while the system clock is not set, and for a receiver without a time."
        ),
        Setting(
            .gnss, "lever_arm_m",
            .numbers(\.gnss.leverArmMetres, range: "3 numbers, -10 to 10", check: SettingChecks.leverArm), unit: "m",
            requiresRestart: true,
            "Lever arm from the inertial sensor to the antenna in body axes (right, up, towards the wearer)."),
    ]
}
