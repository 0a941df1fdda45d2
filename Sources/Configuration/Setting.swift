/// One key of the configuration file: the whole of what the program knows about it.
public struct Setting: Sendable {
    public let section: Section
    public let key: String
    /// Such as `Hz`; nil where there is none.
    public let unit: String?
    /// What it does, in one sentence or two.
    public let meaning: String
    /// Whether a change takes effect only after a restart, or also on reload.
    public let requiresRestart: Bool
    let value: SettingValue

    /// As it stands in the file and in messages, such as `iio.enabled`.
    public var path: String { "\(section.rawValue).\(key)" }

    /// What values it takes, such as `1 to 1000`.
    public var range: String { value.range }

    init(
        _ section: Section, _ key: String, _ value: SettingValue, unit: String? = nil, requiresRestart: Bool,
        _ meaning: String
    ) {
        self.section = section
        self.key = key
        self.value = value
        self.unit = unit
        self.requiresRestart = requiresRestart
        self.meaning = meaning
    }

    /// Its value in `configuration`, where that is a number.
    func number(_ configuration: Configuration) -> Double? { value.number(configuration) }

    /// Its value in `configuration`, as TOML.
    public func written(_ configuration: Configuration) -> String { value.written(configuration) }

    /// A table of the file.
    public enum Section: String, CaseIterable, Sendable {
        case service, source, simulation, iio, gnss, power, pose
        case frame, route, places, placements, labels, announcements, anchors, navigation
        case calibration, recording, state

        /// What its keys are about, in one sentence.
        public var meaning: String {
            switch self {
            case .service: "Socket, clients and permissions."
            case .source: "Measurement source."
            case .simulation: "Built-in simulated walk, used if source.kind is \"simulation\"."
            case .iio: "Accelerometer, gyroscope, magnetometer and barometer, through libiio."
            case .gnss: "GNSS receiver, through gpsd."
            case .power: "Sensor rates while poses are not used."
            case .pose: "Pose rates."
            case .frame: "Alignment of the scene frame with the earth: corrections and readiness."
            case .route: "Routes: display, off-route detection and arrival."
            case .places: "Places: selection, bands, clusters and proximity."
            case .placements: "Placements: size, distance and position on the display."
            case .labels: "Labels: stacked vertically, so that none covers another or its own mark."
            case .announcements: "Spoken announcements."
            case .anchors: "Anchors placed by clients."
            case .navigation: "Routing service of `waymark route to`; the daemon itself sends no requests."
            case .calibration: "Use of sensor calibrations."
            case .recording: "Recordings by the daemon."
            case .state: "Persistent state."
            }
        }
    }
}

/// How the value of a setting is checked, stored and shown.
struct SettingValue: Sendable {
    let range: String
    /// As TOML.
    let written: @Sendable (Configuration) -> String
    /// The value as a number; nil where it is none.
    let number: @Sendable (Configuration) -> Double?
    /// Stores the value, or says what is wrong with it and leaves the configuration alone.
    let store: @Sendable (TomlValue, inout Configuration) -> String?
    /// Takes the value over from one configuration into another.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// - Parameters:
    ///   - written: a value of the field as TOML.
    ///   - accept: stores a value from a file by its second argument, or says what is wrong with it.
    init<Value>(
        _ field: Field<Value>, range: String, written: @escaping @Sendable (Value) -> String,
        accept: @escaping @Sendable (TomlValue, (Value) -> Void) -> String?
    ) {
        self.range = range
        self.written = { written($0[keyPath: field]) }
        number = { configuration in
            let value = configuration[keyPath: field]
            return value as? Double ?? (value as? Int).map(Double.init)
        }
        store = { value, configuration in
            accept(value) { configuration[keyPath: field] = $0 }
        }
        copy = { $1[keyPath: field] = $0[keyPath: field] }
    }
}

/// A place in the configuration that a setting fills.
typealias Field<Value> = WritableKeyPath<Configuration, Value> & Sendable
