/// Keys of earlier versions, each of which causes an error that names its replacement.
enum RetiredSetting {
    /// Replacement of each key, as a sentence: sections for each sensor replaced keys for all of them.
    private static let advice = [
        "iio.accelerometer": "write device (or label) in the section [iio.accelerometer]",
        "iio.gyroscope": "write device (or label) in the section [iio.gyroscope]",
        "iio.magnetometer": "write device (or label) in the section [iio.magnetometer]",
        "iio.barometer": "write device (or label) in the section [iio.pressure]",
        "iio.inertial_rate_hz": "write rate_hz in the sections [iio.accelerometer] and [iio.gyroscope]",
        "iio.magnetometer_rate_hz": "write rate_hz in the section [iio.magnetometer]",
        "iio.barometer_rate_hz": "write rate_hz in the section [iio.pressure]",
    ]

    /// Problem of an entry with a retired key; nil for any other entry.
    static func problem(of entry: TomlDocument.Entry) -> String? {
        // Some of the keys are now sections.
        if entry.value == .table, Setting.Section(rawValue: entry.path) != nil { return nil }
        return advice[entry.path].map { "\(entry.path): is no longer a setting; \($0)" }
    }
}
