import Model

/// Description of a recording, which is stored in a metadata record at its beginning.
public struct RecordingAbout: Sendable {
    /// Names of the metadata records at the beginning and at the end of the file.
    static let (name, endName) = ("waymark", "waymark/end")

    /// Version of Waymark that wrote the file.
    public private(set) var version = Release.version
    /// Name of the computer; empty if unknown.
    public var host: String
    /// Device names of the sensors; nil if unknown.
    public var sensors: WarmStart.Sensors
    /// UTC since 1970 minus boot time at the beginning; nil if no fix had a time yet. Unit: nanoseconds.
    public var utcOffset: Int64?

    /// Makes a description of its parts.
    public init(
        host: String = "", sensors: WarmStart.Sensors = WarmStart.Sensors(), utcOffset: Int64? = nil
    ) {
        self.host = host
        self.sensors = sensors
        self.utcOffset = utcOffset
    }

    /// Describes measurements from other sources. UTC comes from the first fix that has it; host and sensors are
    /// unknown.
    public init(of reader: any MeasurementReader) throws(RecordingError) {
        var universalTime = UniversalTime()
        while universalTime.offset == nil, let measurement = try reader.next() {
            if case .fix(let fix) = measurement { universalTime.learn(from: fix) }
        }
        self.init(utcOffset: universalTime.offset)
    }

    /// Reads the description at a file's beginning; nil if the metadata record has another name or is damaged.
    ///
    /// Texts are limited in length, and control characters are removed.
    package init?(metadata record: UnsafeRawBufferPointer) {
        guard let listed = Self.values(record, named: Self.name) else { return nil }
        var values: [String: String] = [:]
        for entry in listed { values[entry.name] = String(entry.value.printable.prefix(Self.maximumTextLength)) }
        guard let version = values["version"] else { return nil }
        self.version = version
        host = values["host"] ?? ""
        utcOffset = values["utc_minus_boot_nanoseconds"].flatMap { Int64($0) }
        sensors = WarmStart.Sensors()
        for (name, sensor) in Self.sensorNames { sensors[keyPath: sensor] = values[name] }
    }

    private static let maximumTextLength = 200

    /// Names and values of a metadata record; nil if the record has another name or is damaged.
    static func values(_ record: UnsafeRawBufferPointer, named name: String) -> [(name: String, value: String)]? {
        var fields = MCAPFields(record)
        guard fields.text() == name, let size = fields.integer(UInt32.self) else { return nil }
        let end = fields.position + Int(size)
        var values: [(name: String, value: String)] = []
        while fields.position < end {
            guard let name = fields.text(), let value = fields.text() else { return nil }
            values.append((name, value))
        }
        return values
    }

    /// Version and host, for the user.
    public var origin: String { "Waymark \(version)" + (host.isEmpty ? "" : " on \(host)") }

    var metadata: [(name: String, value: String)] {
        var values = [(name: "version", value: version), ("log_time", utcOffset == nil ? "boot" : "utc")]
        if !host.isEmpty { values.append(("host", host)) }
        return values + changeable
    }

    /// Values that may become known later: UTC from the first fix, and sensors as they are opened.
    var changeable: [(name: String, value: String)] {
        let offset = utcOffset.map { [(name: "utc_minus_boot_nanoseconds", value: "\($0)")] } ?? []
        return offset + Self.sensorNames.compactMap { name, sensor in sensors[keyPath: sensor].map { (name, $0) } }
    }

    private static var sensorNames: [(String, WritableKeyPath<WarmStart.Sensors, String?>)] {
        [
            ("gyroscope", \.gyroscope), ("accelerometer", \.accelerometer), ("magnetometer", \.magnetometer),
            ("receiver", \.receiver),
        ]
    }
}

/// Clock of the times in a file: UTC if it was known when the file began, otherwise boot time.
///
/// A file keeps its initial clock, because times that jumped from some minutes after boot to some decades after 1970
/// would be useless.
struct RecordingClock: Sendable {
    /// UTC minus boot time; nil for boot time. Unit: nanoseconds.
    let utcOffset: Int64?

    /// Nanoseconds since 1970 or since boot; earlier times become 0.
    func time(_ time: BootTime) -> UInt64 {
        let (shifted, overflow) = time.nanoseconds.addingReportingOverflow(utcOffset ?? 0)
        return overflow ? 0 : UInt64(clamping: shifted)
    }
}
