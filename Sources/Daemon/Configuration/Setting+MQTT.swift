import Linux

extension Setting {
    static let mqtt: [Setting] = mqttAccess + mqttContent + mqttPrivacy + mqttQueue

    private static let mqttAccess: [Setting] = [
        Setting(
            .mqtt, "publish", .toggle(\.mqtt.publish), requiresRestart: true,
            "Whether the wearer has agreed that positions leave this computer. Until then waymark-mqtt connects to "
                + "nothing and stores nothing."),
        Setting(
            .mqtt, "brokers",
            .text(
                \.mqtt.brokers, range: "addresses (\"mqtts://HOST:PORT\") separated by spaces, or empty",
                check: SettingChecks.brokers),
            requiresRestart: true,
            "The broker, or the nodes of a cluster, which are tried in turn. mqtts:// is encrypted by TLS (port 8883), "
                + "mqtt:// is not (port 1883)."),
        Setting(
            .mqtt, "allow_unencrypted", .toggle(\.mqtt.allowUnencrypted), requiresRestart: true,
            "Whether a broker on another computer may be reached by mqtt://. Everybody on the way could read positions "
                + "and passwords."),
        Setting(
            .mqtt, "id",
            .text(
                \.mqtt.id, range: "1 to 64 letters, digits, hyphens and underscores, or empty",
                check: { SettingChecks.identifier($0, isOptional: true) }),
            requiresRestart: true,
            "Identifier of the wearer, which is part of the topics, and the client's name at the broker. Empty: one made "
                + "of this computer's machine-id."),
        Setting(
            .mqtt, "topic",
            .text(
                \.mqtt.topic, range: "names separated by slashes",
                check: { FleetTopics.isRoot($0) ? nil : "must be names of letters, digits, - and _, with / between" }),
            requiresRestart: true,
            "First part of the topics: TOPIC/ID/pose, TOPIC/ID/state, TOPIC/ID/event and TOPIC/ID/health."),
        Setting(
            .mqtt, "username",
            .text(\.mqtt.username, range: "user name, or empty", check: SettingChecks.words), requiresRestart: true,
            "User name at the broker; empty: that of the credential waymark-mqtt.username. The password is the credential "
                + "waymark-mqtt.password: see waymark-mqtt(8)."),
        file(
            "authority_file", \.mqtt.authorityFile,
            "Certificates of the authorities that may have signed the broker's certificate, in PEM; empty: the "
                + "credential waymark-mqtt.authority, else the authorities of the system."),
        file(
            "certificate_file", \.mqtt.certificateFile,
            "Certificate by which the broker knows this client, in PEM; empty: the credential waymark-mqtt.certificate, "
                + "else none."),
        file(
            "key_file", \.mqtt.keyFile,
            "Private key of this certificate, in PEM and not encrypted; empty: the credential waymark-mqtt.key."),
    ]

    private static let mqttContent: [Setting] = [
        Setting(
            .mqtt, "pose_rate_hz", .number(\.mqtt.poseRateHz, 0.001...10), unit: "Hz", requiresRestart: true,
            "Maximum rate of poses."),
        Setting(
            .mqtt, "pose_least_m", .number(\.mqtt.poseMinimumMetres, 0...1000), unit: "m", requiresRestart: true,
            "Movement since the last published pose without which the next one is not published; 0 for none."),
        Setting(
            .mqtt, "owntracks", .toggle(\.mqtt.ownTracks), requiresRestart: true,
            "Whether locations are also published for OwnTracks' recorder and Home Assistant, as owntracks/TOPIC/ID."),
        Setting(
            .mqtt, "owntracks_interval_s", .number(\.mqtt.ownTracksIntervalSeconds, 0.1...86_400), unit: "s",
            requiresRestart: true, "Minimum time between two of these locations."),
        Setting(
            .mqtt, "owntracks_least_m", .number(\.mqtt.ownTracksMinimumMetres, 0...10_000), unit: "m",
            requiresRestart: true,
            "Movement since the last of these locations without which the next one is not published; 0 for none."),
        Setting(
            .mqtt, "still_interval_s", .number(\.mqtt.stillIntervalSeconds, 1...86_400), unit: "s",
            requiresRestart: true, "Time after which poses and locations are published without movement."),
        Setting(
            .mqtt, "health_interval_s", .number(\.mqtt.healthIntervalSeconds, 5...86_400), unit: "s",
            requiresRestart: true, "Interval of health messages."),
    ]

    private static let mqttPrivacy: [Setting] = [
        Setting(
            .mqtt, "grid_m", .number(\.mqtt.gridMetres, 0...100_000), unit: "m", requiresRestart: true,
            "Size of the cells of a grid, at least 1: of positions only the cell is published, with the accuracy that it "
                + "has, of attitudes the eighth of the compass, and of events neither name nor distance; 0 for exact positions."
        ),
        Setting(
            .mqtt, "private_areas",
            .text(
                \.mqtt.privateAreas, range: "\"NAME LATITUDE LONGITUDE RADIUS; …\", or empty",
                check: SettingChecks.privateAreas),
            requiresRestart: true,
            "Areas within which no pose, location or event is published: names, centres in degrees and radii in metres. "
                + "Names are not published. A wearer whose accuracy does not exclude an area by 99.8 % counts as inside. Circles "
                + "that poses never enter can be guessed: choose other centres than what they protect."),
    ]

    private static let mqttQueue: [Setting] = [
        Setting(
            .mqtt, "directory",
            .text(\.mqtt.directory, range: "absolute path", check: SettingChecks.path), requiresRestart: true,
            "Directory of the queue of what the broker has not received."),
        Setting(
            .mqtt, "queue_mb", .whole(\.mqtt.queueMegabytes, 1...4096), unit: "MB", requiresRestart: true,
            "Size of the messages that wait, beyond which the oldest poses are dropped and counted, but no events. "
                + "A pose takes about 0.5 kB."),
    ]

    private static func file(_ key: String, _ field: Field<String>, _ meaning: String) -> Setting {
        Setting(
            .mqtt, key, .text(field, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true, meaning)
    }
}

extension SettingChecks {
    /// Addresses of brokers, or empty.
    @Sendable static func brokers(_ text: String) -> String? {
        do throws(BrokerAddress.Problem) {
            _ = try BrokerAddress.list(text)
            return nil
        } catch {
            return error.description
        }
    }

    /// The identifier of a wearer.
    @Sendable static func identifier(_ text: String, isOptional: Bool) -> String? {
        isOptional && text.isEmpty || FleetTopics.isIdentifier(text)
            ? nil : "must be 1 to 64 letters, digits, hyphens and underscores"
    }

    /// A list of private areas, or empty.
    @Sendable static func privateAreas(_ text: String) -> String? {
        do throws(PrivateArea.Problem) {
            _ = try PrivateArea.list(text)
            return nil
        } catch {
            return error.description
        }
    }
}
