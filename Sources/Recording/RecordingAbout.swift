import Model

/// What a recording says of itself, in a metadata record at its beginning.
public struct RecordingAbout: Sendable {
    /// Name of the record at the beginning, and of the one at the end.
    static let (name, endName) = ("waymark", "waymark/end")

    /// Name of the computer; empty where it is not known.
    public var host: String
    /// Sensors by the names of their devices; nil where they are not known.
    public var sensors: WarmStart.Sensors
    /// UTC since 1970 less boot time at the beginning; nil where no fix has given it. Unit: nanoseconds.
    public var utcOffset: Int64?

    /// Makes a description of its parts.
    public init(
        host: String = "", sensors: WarmStart.Sensors = WarmStart.Sensors(), utcOffset: Int64? = nil
    ) {
        self.host = host
        self.sensors = sensors
        self.utcOffset = utcOffset
    }

    /// What is known of measurements from elsewhere: UTC, from the first fix that has it.
    public init(of reader: any MeasurementReader) throws(RecordingError) {
        var universalTime = UniversalTime()
        while universalTime.offset == nil, let measurement = try reader.next() {
            if case .fix(let fix) = measurement { universalTime.learn(from: fix) }
        }
        self.init(utcOffset: universalTime.offset)
    }

    var metadata: [(name: String, value: String)] {
        var values = [
            (name: "version", value: Release.version), ("log_time", utcOffset == nil ? "boot" : "utc"),
        ]
        if !host.isEmpty { values.append(("host", host)) }
        if let utcOffset { values.append(Self.offset(utcOffset)) }
        let devices = [
            ("gyroscope", sensors.gyroscope), ("accelerometer", sensors.accelerometer),
            ("magnetometer", sensors.magnetometer), ("receiver", sensors.receiver),
        ]
        for (name, device) in devices { if let device { values.append((name, device)) } }
        return values
    }

    /// The offset as it was last, which a recording that began without one may have learned.
    static func end(utcOffset: Int64?) -> [(name: String, value: String)] { utcOffset.map { [offset($0)] } ?? [] }

    private static func offset(_ nanoseconds: Int64) -> (name: String, value: String) {
        ("utc_minus_boot_nanoseconds", "\(nanoseconds)")
    }
}

/// The clock of a file's own times: UTC where it was known when the file began, else the time since boot.
///
/// A file keeps the clock that it began with: one whose times go on from some minutes after boot to some decades after
/// 1970 shows nothing in a time line.
struct RecordingClock: Sendable {
    /// UTC less boot time; nil for boot time. Unit: nanoseconds.
    let utcOffset: Int64?

    /// Nanoseconds since 1970 or since boot; times before that become 0.
    func time(_ time: BootTime) -> UInt64 {
        let (shifted, overflow) = time.nanoseconds.addingReportingOverflow(utcOffset ?? 0)
        return overflow ? 0 : UInt64(clamping: shifted)
    }
}
