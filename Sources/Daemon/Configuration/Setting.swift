/// Description of one key of the configuration file: its name, range and meaning, and access to its value.
package struct Setting: Sendable {
    package let section: Section
    /// Name of the key within its table.
    package let key: String
    /// Effect of the setting, in one or two sentences.
    package let meaning: String
    /// Whether a change takes effect only after a restart, not on reload.
    package let requiresRestart: Bool
    /// Permitted values as text, such as `1 to 1000`.
    package let range: String
    /// The value as TOML.
    package let written: @Sendable (Configuration) -> String
    /// The value as a number; nil if it is of another type.
    let number: @Sendable (Configuration) -> Double?
    /// Checks a value and stores it. If the value is not valid, returns the problem and leaves the configuration
    /// unchanged.
    let store: @Sendable (TomlValue, inout Configuration) -> String?
    /// Copies the value from the first configuration to the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// Section and key as they appear in messages, such as `iio.enabled`.
    package var path: String { "\(section.rawValue).\(key)" }

    /// Unit, derived from the ending of the key; nil for a value without unit.
    var unit: String? { Self.units.first { key.hasSuffix($0.ending) }?.name }

    private static let units: [(ending: String, name: String)] = [
        ("_degrees_per_second", "°/s"), ("_degrees", "°"), ("_seconds", "s"), ("_s", "s"), ("_hz", "Hz"),
        ("_m", "m"), ("_speed", "m/s"), ("_bytes", "bytes"), ("_megabytes", "MB"), ("_mb", "MB"),
    ]

    /// A table of the configuration file.
    package enum Section: String, CaseIterable, Sendable {
        case service, source, simulation, iio
        case accelerometer = "iio.accelerometer"
        case gyroscope = "iio.gyroscope"
        case magnetometer = "iio.magnetometer"
        case pressure = "iio.pressure"
        case gnss, power, pose
        case frame, route, places, placements, labels, announcements, anchors, navigation, bridge, serve, mqtt
        case calibration, recording, state

        /// Purpose of the section, in one sentence.
        package var meaning: String {
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

/// Makes the settings of one section. Their values are the properties of one part of the configuration.
struct SettingTable<Part> {
    let section: Setting.Section
    let part: Field<Configuration, Part>
    let requiresRestart: Bool

    /// - Parameters:
    ///   - requiresRestart: nil for the value of the section.
    ///   - written: formats a value as TOML.
    ///   - read: checks and converts a value from the file; throws the problem if the value is not valid.
    func setting<Value>(
        _ key: String, _ field: Field<Part, Value>, _ meaning: String, range: String, requiresRestart: Bool? = nil,
        written: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (TomlValue) throws(SettingProblem) -> Value
    ) -> Setting {
        Setting(
            section: section, key: key, meaning: meaning, requiresRestart: requiresRestart ?? self.requiresRestart,
            range: range,
            written: { [part] in written($0[keyPath: part][keyPath: field]) },
            number: { [part] configuration in
                let value = configuration[keyPath: part][keyPath: field]
                return value as? Double ?? (value as? Int).map(Double.init)
            },
            store: { [part] value, configuration in
                do throws(SettingProblem) {
                    configuration[keyPath: part][keyPath: field] = try read(value)
                    return nil
                } catch {
                    return error.description
                }
            },
            copy: { [part] in $1[keyPath: part][keyPath: field] = $0[keyPath: part][keyPath: field] })
    }
}

extension Setting {
    /// Makes the settings of a section.
    ///
    /// - Parameters:
    ///   - part: part of the configuration that holds the values.
    ///   - requiresRestart: whether a change takes effect only after a restart, not on reload.
    static func section<Part>(
        _ section: Section, _ part: Field<Configuration, Part>, requiresRestart: Bool,
        _ settings: (SettingTable<Part>) -> [Setting]
    ) -> [Setting] {
        settings(SettingTable(section: section, part: part, requiresRestart: requiresRestart))
    }
}

/// Reason why a value is not valid, phrased as a predicate whose subject is the setting.
package struct SettingProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    static func invalid(_ description: String) -> SettingProblem { SettingProblem(description: description) }
}

/// Path to a property of the configuration, or of a part of it.
typealias Field<Part, Value> = WritableKeyPath<Part, Value> & Sendable
