/// Sections `iio`, `gnss` and those of the sensors.
extension Setting {
    static let iio: [Setting] = section(.iio, \.iio, requiresRestart: true) {
        [
            $0.toggle("enabled", \.enabled, "Enables the inertial and magnetic sensors and the barometer."),
            $0.text(
                "context", \.context, "local:, ip:HOST, usb:…, serial:… or xml:FILE", SettingChecks.iioContext,
                "libiio context of the devices."),
            $0.numbers(
                "mount_matrix", \.mountMatrix, "9 numbers of a rotation, row by row, or empty",
                SettingChecks.mountMatrix,
                "Mount matrix from sensor axes to body axes (x right, y up, z towards the wearer), for all sensors "
                    + "without one of their own; empty: the matrix of the device or of udev."),
            $0.number(
                "silence_seconds", \.silenceSeconds, 0.1...60,
                "Time without samples after which a device is reported as silent and reopened."),
        ]
    }

    static let gnss: [Setting] = section(.gnss, \.gnss, requiresRestart: true) {
        [
            $0.toggle("enabled", \.enabled, "Enables the GNSS receiver."),
            $0.text("host", \.host, "name or address", SettingChecks.host, "Host of gpsd."),
            $0.whole("port", \.port, 1...65535, "TCP port of gpsd."),
            $0.optionalPath(
                "device", \.device,
                "Receiver to use, by its name in gpsd, such as /dev/ttyACM0; empty: any receiver of gpsd."),
            $0.number(
                "silence_seconds", \.silenceSeconds, 1...600,
                "Time without data after which a receiver is reported as silent."),
            $0.number(
                "error_confidence", \.errorConfidence, 0.3...0.999,
                "Confidence level of the errors reported by gpsd (eph, epx, epv …): 0.95 for gpsd's own estimates "
                    + "from DOP, 0.68 for accuracies reported by a u-blox receiver in its binary protocol. Unused if "
                    + "GST sentences give standard deviations."),
            $0.number(
                "latency_seconds", \.latencySeconds, 0...2,
                "Latency of a fix from its epoch to its arrival; used only where it cannot be measured: while the "
                    + "system clock is not set, and for a receiver without a time."),
            $0.numbers(
                "lever_arm_m", \.leverArmMetres, "3 numbers, -10 to 10", SettingChecks.leverArm,
                "Lever arm from the inertial sensor to the antenna in body axes (right, up, towards the wearer)."),
        ]
    }

    static let sensors: [Setting] =
        sensor(
            .accelerometer, \.iio.accelerometer, "accelerometer", rates: 10...4000, shared: sharedRate,
            opposite: "specific force (-9.81 m/s² on the axis that points up), as hubs after the Windows convention do")
        + sensor(
            .gyroscope, \.iio.gyroscope, "gyroscope", rates: 10...4000, shared: sharedRate,
            opposite: "the angular rate")
        + sensor(
            .magnetometer, \.iio.magnetometer, "magnetometer", rates: 1...1000, opposite: "the magnetic field")
        + section(.pressure, \.iio.pressure, requiresRestart: true) {
            device($0, "barometer", \.device, \.label) + [rate($0, "Barometer", \.rateHz, 0.1...200)]
        }

    private static let sharedRate =
        " An accelerometer and a gyroscope on one device have the higher of their rates."

    /// Makes the settings of a sensor with three axes.
    ///
    /// - Parameter quantity: description of the measured quantity. A sensor whose `sign` is -1 reports the opposite of
    ///   this quantity.
    private static func sensor(
        _ section: Section, _ part: Field<Configuration, Configuration.IIO.Sensor>, _ name: String,
        rates: ClosedRange<Double>, shared: String = "", opposite quantity: String
    ) -> [Setting] {
        Self.section(section, part, requiresRestart: true) {
            device($0, name, \.device, \.label) + [
                rate($0, name.prefix(1).uppercased() + name.dropFirst(), \.rateHz, rates, more: shared),
                $0.numbers(
                    "mount_matrix", \.mountMatrix, "9 numbers of a rotation, row by row, or empty",
                    SettingChecks.mountMatrix,
                    "Mount matrix of this sensor, in place of iio.mount_matrix; empty: that of all sensors."),
                $0.sign(
                    "sign", \.sign,
                    "Sign of the readings, applied before the mount matrix: -1 for a device that reports the opposite "
                        + "of \(quantity)."),
            ]
        }
    }

    private static func device<Part>(
        _ table: SettingTable<Part>, _ name: String, _ device: Field<Part, String>, _ label: Field<Part, String>
    ) -> [Setting] {
        [
            table.text(
                "device", device, "name of an IIO device, or empty", SettingChecks.deviceName,
                "The \(name), by name or identifier (iio:device0) of its device; empty: the first device with such "
                    + "channels."),
            table.text(
                "label", label, "label of an IIO device, or empty", SettingChecks.deviceName,
                "The \(name), by the label that the device tree or the firmware gives its device; empty: any label."),
        ]
    }

    private static func rate<Part>(
        _ table: SettingTable<Part>, _ name: String, _ field: Field<Part, Double>, _ range: ClosedRange<Double>,
        more: String = ""
    ) -> Setting {
        table.number(
            "rate_hz", field, range, "\(name) sampling rate; the driver rounds it to a supported rate.\(more)")
    }
}
