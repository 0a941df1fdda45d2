/// Description of one key of the configuration file: name, range, meaning, and access to its value.
public struct Setting: Sendable {
    /// Table of the file that contains the key.
    public let section: Section
    /// Name of the key within its table.
    public let key: String
    /// Unit, such as `Hz`; nil for a value without unit.
    public let unit: String?
    /// Effect of the setting, in one or two sentences.
    public let meaning: String
    /// Whether a change takes effect only after a restart, not on reload.
    public let requiresRestart: Bool
    let value: SettingValue

    /// Section and key, as in messages, such as `iio.enabled`.
    public var path: String { "\(section.rawValue).\(key)" }

    /// Permitted values, such as `1 to 1000`.
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

    /// Value in `configuration`, if it is a number.
    func number(_ configuration: Configuration) -> Double? { value.number(configuration) }

    /// Value in `configuration`, as TOML.
    public func written(_ configuration: Configuration) -> String { value.written(configuration) }

    /// A table of the configuration file.
    public enum Section: String, CaseIterable, Sendable {
        case service, source, simulation, iio
        case accelerometer = "iio.accelerometer"
        case gyroscope = "iio.gyroscope"
        case magnetometer = "iio.magnetometer"
        case pressure = "iio.pressure"
        case gnss, power, pose
        case frame, route, places, placements, labels, announcements, anchors, navigation, bridge, serve, mqtt
        case calibration, recording, state

        /// Purpose of the section, in one sentence.
        public var meaning: String {
            switch self {
            case .service: "Socket, clients and permissions."
            case .source: "Measurement source."
            case .simulation: "Built-in simulated walk, used if source.kind is \"simulation\"."
            case .iio: "Accelerometer, gyroscope, magnetometer and barometer, through libiio."
            case .accelerometer: "Accelerometer."
            case .gyroscope: "Gyroscope."
            case .magnetometer: "Magnetometer."
            case .pressure: "Barometer."
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
            case .navigation:
                "Routing service of `waymark route to` and `waymark navigator`; the daemon itself sends no requests."
            case .bridge: "Poses in the protocols of other programs, by `waymark-bridge`; empty: off."
            case .serve: "Live page and Foxglove's protocol, by `waymark serve`."
            case .mqtt: "Poses, state and events at an MQTT broker, by `waymark-mqtt`."
            case .calibration: "Use of sensor calibrations."
            case .recording: "Recordings by the daemon."
            case .state: "Persistent state."
            }
        }
    }
}

/// Checking, storing and formatting of a setting's value.
struct SettingValue: Sendable {
    let range: String
    /// The value as TOML.
    let written: @Sendable (Configuration) -> String
    /// The value as a number; nil if it is of another type.
    let number: @Sendable (Configuration) -> Double?
    /// Checks and stores a value; returns the problem, and leaves the configuration unchanged, if it is not valid.
    let store: @Sendable (TomlValue, inout Configuration) -> String?
    /// Copies the value from the first configuration to the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// Binds the value to a property of the configuration.
    ///
    /// - Parameters:
    ///   - written: formats a value as TOML.
    ///   - accept: checks a value from a file and passes it to its second argument, or returns the problem.
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

/// Path to the property of the configuration that a setting stores.
typealias Field<Value> = WritableKeyPath<Configuration, Value> & Sendable
