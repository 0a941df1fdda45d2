/// A key of earlier versions, which causes an error that names its replacement.
struct RetiredSetting {
    /// Section and key, such as `iio.inertial_rate_hz`.
    let path: String
    /// Replacement, as a sentence.
    let advice: String

    /// All retired keys: sections for each sensor replaced keys for all of them.
    private static let all: [RetiredSetting] = [
        RetiredSetting(path: "iio.accelerometer", advice: "write device (or label) in the section [iio.accelerometer]"),
        RetiredSetting(path: "iio.gyroscope", advice: "write device (or label) in the section [iio.gyroscope]"),
        RetiredSetting(path: "iio.magnetometer", advice: "write device (or label) in the section [iio.magnetometer]"),
        RetiredSetting(path: "iio.barometer", advice: "write device (or label) in the section [iio.pressure]"),
        RetiredSetting(
            path: "iio.inertial_rate_hz",
            advice: "write rate_hz in the sections [iio.accelerometer] and [iio.gyroscope]"),
        RetiredSetting(
            path: "iio.magnetometer_rate_hz", advice: "write rate_hz in the section [iio.magnetometer]"),
        RetiredSetting(path: "iio.barometer_rate_hz", advice: "write rate_hz in the section [iio.pressure]"),
    ]

    /// Problem of an entry with a retired key; nil for any other entry.
    static func problem(of entry: TomlDocument.Entry) -> String? {
        // Some of the keys are now sections.
        if entry.value == .table, Setting.Section(rawValue: entry.path) != nil { return nil }
        return all.first { $0.path == entry.path }.map { "\($0.path): is no longer a setting; \($0.advice)" }
    }
}
