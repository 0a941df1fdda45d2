extension Setting {
    /// Every setting, in the order of the reference file. This table is the one place where a key is declared.
    public static let all: [Setting] =
        service + source + simulation + iio + gnss + power + pose + scene + navigation + calibration
        + recording + state

    private static let service: [Setting] = [
        Setting(
            .service, "socket",
            .text(\.service.socket, range: "absolute path, at most 107 bytes", check: SettingChecks.socketPath),
            requiresRestart: true,
            "Where clients connect; under systemd the socket unit decides instead."),
        Setting(
            .service, "socket_mode", .fileMode(\.service.socketMode), requiresRestart: true,
            "Who may connect, as permission bits of the socket; under systemd the socket unit decides instead."),
        Setting(
            .service, "socket_group",
            .text(\.service.socketGroup, range: "name of a group, or empty", check: SettingChecks.account),
            requiresRestart: true,
            "The group that the socket belongs to; empty leaves it with the daemon's own."),
        Setting(
            .service, "max_clients", .whole(\.service.maxClients, 1...4096), requiresRestart: false,
            "How many clients may be connected at once; one more is told so and closed."),
        Setting(
            .service, "max_subscriptions", .whole(\.service.maxSubscriptions, 1...4096),
            requiresRestart: false,
            "How many streams may be open at once, of all clients together; a connection carries one."),
        Setting(
            .service, "max_pending_calls_per_client", .whole(\.service.maxPendingCallsPerClient, 1...1024),
            requiresRestart: false,
            "How many calls one client may send ahead of their replies; reading from it pauses beyond that."),
        Setting(
            .service, "max_message_bytes", .whole(\.service.maxMessageBytes, 1024...16_777_216), unit: "bytes",
            requiresRestart: false,
            "The longest message that a client may send."),
        Setting(
            .service, "stuck_client_seconds", .number(\.service.stuckClientSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "A client that takes nothing of what it was sent for so long is closed."),
        Setting(
            .service, "change_user",
            .text(\.service.changeUser, range: "name of a user, or empty", check: SettingChecks.account),
            requiresRestart: false,
            "The user who may change things, such as start a recording, besides root and the daemon's own user."),
        Setting(
            .service, "change_group",
            .text(\.service.changeGroup, range: "name of a group, or empty", check: SettingChecks.account),
            requiresRestart: false,
            "The group whose members may change things."),
        Setting(
            .service, "log_level", .choice(\.service.logLevel), requiresRestart: false,
            "The least important lines that are still logged."),
    ]

    private static let source: [Setting] = [
        Setting(
            .source, "kind", .choice(\.source.kind), requiresRestart: true,
            "Real sensors, or the built-in simulated walk.")
    ]

    private static let simulation: [Setting] = [
        Setting(
            .simulation, "seed", .whole(\.simulation.seed, 0...4_294_967_295), requiresRestart: true,
            "Chooses the random errors of the simulated sensors; the same seed gives the same measurements."),
        Setting(
            .simulation, "inertial_rate_hz", .whole(\.simulation.inertialRateHz, 10...1000), unit: "Hz",
            requiresRestart: true,
            "Simulated accelerometer and gyroscope samples a second."),
        Setting(
            .simulation, "magnetometer_rate_hz", .whole(\.simulation.magnetometerRateHz, 0...200), unit: "Hz",
            requiresRestart: true,
            "Simulated magnetometer samples a second; 0 is without a magnetometer."),
        Setting(
            .simulation, "gnss_rate_hz", .whole(\.simulation.gnssRateHz, 0...20), unit: "Hz",
            requiresRestart: true,
            "Simulated fixes a second; 0 is without a receiver."),
        Setting(
            .simulation, "barometer_rate_hz", .whole(\.simulation.barometerRateHz, 0...100), unit: "Hz",
            requiresRestart: true,
            "Simulated pressure samples a second; 0 is without a barometer."),
        Setting(
            .simulation, "magnetic_disturbances", .toggle(\.simulation.magneticDisturbances), requiresRestart: true,
            "Whether the walk passes iron that bends the magnetic field."),
        Setting(
            .simulation, "motion", .choice(\.simulation.motion), requiresRestart: true,
            "Walk through streets, sit and look around, or walk to a bus and ride it."),
    ]

    private static let pose: [Setting] = [
        Setting(
            .pose, "default_rate_hz", .number(\.pose.defaultRateHz, 1...1000), unit: "Hz", requiresRestart: false,
            "Poses a second for a subscriber that asks for no rate; at most pose.max_rate_hz."),
        Setting(
            .pose, "max_rate_hz", .number(\.pose.maxRateHz, 1...1000), unit: "Hz", requiresRestart: false,
            "The most poses a second that a subscriber may ask for; there are never more than inertial samples."),
    ]

    private static let calibration: [Setting] = [
        Setting(
            .calibration, "apply", .toggle(\.calibration.apply), requiresRestart: false,
            "Whether the calibrations that are kept in the folder calibration of state.directory are taken out of the "
                + "samples of the devices that they belong to."),
        Setting(
            .calibration, "online", .toggle(\.calibration.online), requiresRestart: false,
            "Whether a change of the magnetometer's hard iron that the estimator finds while the board is worn is kept "
                + "and applied, once it has proved better for ten minutes."),
    ]

    private static let recording: [Setting] = [
        Setting(
            .recording, "directory",
            .text(\.recording.directory, range: "absolute path", check: SettingChecks.path), requiresRestart: false,
            "Where recordings asked for by name are written."),
        Setting(
            .recording, "at_start", .toggle(\.recording.atStart), requiresRestart: true,
            "Record from the first measurement on, so that a replay gives the very poses that were published."),
        Setting(
            .recording, "minimum_free_megabytes", .whole(\.recording.minimumFreeMegabytes, 0...1_048_576),
            unit: "MB", requiresRestart: false,
            "A recording ends, complete, when less than this is free on its file system."),
    ]

    private static let state: [Setting] = [
        Setting(
            .state, "directory", .text(\.state.directory, range: "absolute path", check: SettingChecks.path),
            requiresRestart: true,
            "Where the daemon keeps what it has to remember."),
        Setting(
            .state, "warm_start", .toggle(\.state.warmStart), requiresRestart: true,
            "Whether what was learned of the sensors (biases, hard iron, the last place) is kept in warm-start.json in "
                + "that directory and used at the next start, as far as it is fresh and nothing speaks against it."
        ),
    ]
}
