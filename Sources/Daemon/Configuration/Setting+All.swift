extension Setting {
    /// Every setting, in the order of the reference file. Keys are declared only in this table.
    public static let all: [Setting] =
        service + source + simulation + iio + sensors + gnss + power + pose + scene + navigation + bridge + serve
        + mqtt + calibration + recording + state

    private static let service: [Setting] = [
        Setting(
            .service, "socket",
            .text(\.service.socket, range: "absolute path, at most 107 bytes", check: SettingChecks.socketPath),
            requiresRestart: true,
            "Path of the socket; under systemd, that of the socket unit is used instead."),
        Setting(
            .service, "pose_ring", .toggle(\.service.poseRing), requiresRestart: true,
            "Whether poses are also in shared memory, from which render threads read them without a system call."),
        Setting(
            .service, "pose_ring_socket",
            .text(
                \.service.poseRingSocket, range: "absolute path, at most 107 bytes, or empty",
                check: SettingChecks.optionalSocketPath),
            requiresRestart: true,
            "Path of the socket that hands out this memory, with the mode and group of the other; under systemd, that of "
                + "the socket unit is used instead. Empty: /run/waymark/pose-ring.sock beside "
                + "/run/waymark/waymark.sock, else the path of the other with .ring added."),
        Setting(
            .service, "socket_mode", .fileMode(\.service.socketMode), requiresRestart: true,
            "Permission bits of the socket; under systemd, those of the socket unit are used instead."),
        Setting(
            .service, "socket_group",
            .text(\.service.socketGroup, range: "name of a group, or empty", check: SettingChecks.account),
            requiresRestart: true,
            "Group of the socket, whose members may connect and read; empty: the daemon's own group."),
        Setting(
            .service, "max_clients", .whole(\.service.maxClients, 1...4096), requiresRestart: false,
            "Maximum number of connected clients; further clients are rejected with an error. The last 8, at most a quarter, "
                + "are reserved for root and the daemon's own user; likewise of max_subscriptions. Clients of the pose "
                + "ring are counted separately, up to the same numbers."),
        Setting(
            .service, "max_clients_per_user", .whole(\.service.maxClientsPerUser, 1...4096), requiresRestart: false,
            "Maximum number of connected clients of one user, except root and the daemon's own user. Clients of the "
                + "pose ring are counted separately, up to the same number."),
        Setting(
            .service, "max_subscriptions", .whole(\.service.maxSubscriptions, 1...4096),
            requiresRestart: false,
            "Maximum number of open streams of all clients; a connection carries one."),
        Setting(
            .service, "max_subscriptions_per_user", .whole(\.service.maxSubscriptionsPerUser, 1...4096),
            requiresRestart: false,
            "Maximum number of open streams of one user, except root and the daemon's own user."),
        Setting(
            .service, "max_pending_calls_per_user", .whole(\.service.maxPendingCallsPerUser, 1...4096),
            requiresRestart: false,
            "Maximum number of calls of one user that wait for files or the place store, except of root and the daemon's own "
                + "user; beyond that, the user's calls wait."),
        Setting(
            .service, "max_pending_calls_per_client", .whole(\.service.maxPendingCallsPerClient, 1...1024),
            requiresRestart: false,
            "Maximum number of unanswered calls per client; beyond that, reading from the client pauses."),
        Setting(
            .service, "max_message_bytes", .whole(\.service.maxMessageBytes, 1024...16_777_216), unit: "bytes",
            requiresRestart: false,
            "Maximum length of a message from a client."),
        Setting(
            .service, "stuck_client_seconds", .number(\.service.stuckClientSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "Disconnect a client that has read nothing for this long."),
        Setting(
            .service, "change_user",
            .text(\.service.changeUser, range: "name of a user, or empty", check: SettingChecks.account),
            requiresRestart: false,
            "User with permission to make changes (start recordings, …), besides root and the daemon's own user."),
        Setting(
            .service, "change_group",
            .text(\.service.changeGroup, range: "name of a group, or empty", check: SettingChecks.account),
            requiresRestart: false,
            "Group whose members have permission to make changes; connecting requires the socket's group as well."),
        Setting(
            .service, "log_level", .choice(\.service.logLevel), requiresRestart: false,
            "Minimum severity that is logged."),
    ]

    private static let source: [Setting] = [
        Setting(
            .source, "kind", .choice(\.source.kind), requiresRestart: true,
            "Measurement source: real sensors, or the built-in simulated walk."),
        Setting(
            .source, "samples",
            .text(\.source.samples, range: "name of a source, or empty", check: SettingChecks.sourceName),
            requiresRestart: true,
            "Name of the program's source (org.waymark.Aid) whose samples are those of the inertial unit, the magnetometer "
                + "and the barometer; then no IIO device is used, and mount_matrix and sign of the sections iio apply "
                + "to its sensors. Empty: IIO devices."),
    ]

    private static let simulation: [Setting] = [
        Setting(
            .simulation, "seed", .whole(\.simulation.seed, 0...4_294_967_295), requiresRestart: true,
            "Random seed of the simulated sensor errors; the same seed gives the same measurements."),
        Setting(
            .simulation, "inertial_rate_hz", .whole(\.simulation.inertialRateHz, 10...1000), unit: "Hz",
            requiresRestart: true,
            "Sampling rate of the simulated accelerometer and gyroscope."),
        Setting(
            .simulation, "magnetometer_rate_hz", .whole(\.simulation.magnetometerRateHz, 0...200), unit: "Hz",
            requiresRestart: true,
            "Sampling rate of the simulated magnetometer; 0: no magnetometer."),
        Setting(
            .simulation, "gnss_rate_hz", .whole(\.simulation.gnssRateHz, 0...20), unit: "Hz",
            requiresRestart: true,
            "Rate of the simulated GNSS fixes; 0: no receiver."),
        Setting(
            .simulation, "barometer_rate_hz", .whole(\.simulation.barometerRateHz, 0...100), unit: "Hz",
            requiresRestart: true,
            "Sampling rate of the simulated barometer; 0: no barometer."),
        Setting(
            .simulation, "magnetic_disturbances", .toggle(\.simulation.magneticDisturbances), requiresRestart: true,
            "Whether the walk passes iron that disturbs the magnetic field."),
        Setting(
            .simulation, "compass_off_degrees", .number(\.simulation.compassOffDegrees, -180...180), unit: "°",
            requiresRestart: true,
            "Rotation of the simulated magnetometer's axes about the body's up axis, for good: the heading by the compass is too "
                + "large by it, clockwise."),
        Setting(
            .simulation, "gyro_off_degrees_per_second", .number(\.simulation.gyroOffDegreesPerSecond, 0...20),
            unit: "°/s", requiresRestart: true,
            "Constant bias of the simulated gyroscope, askew to its axes: a sensor as the factory delivers it."),
        Setting(
            .simulation, "camera", .toggle(\.simulation.camera), requiresRestart: true,
            "Whether the simulated wearer also has a camera, whose odometry is offered as the source \"camera\"."),
        Setting(
            .simulation, "motion", .choice(\.simulation.motion), requiresRestart: true,
            "Scenario: a walk through streets, sitting and looking around, or a walk to a bus and a ride."),
    ]

    private static let pose: [Setting] = [
        Setting(
            .pose, "default_rate_hz", .number(\.pose.defaultRateHz, 1...1000), unit: "Hz", requiresRestart: false,
            "Pose rate for subscribers that request none; at most pose.max_rate_hz."),
        Setting(
            .pose, "max_rate_hz", .number(\.pose.maxRateHz, 1...1000), unit: "Hz", requiresRestart: false,
            "Maximum pose rate that a subscriber may request; the rate never exceeds that of the inertial samples."),
    ]

    private static let calibration: [Setting] = [
        Setting(
            .calibration, "apply", .toggle(\.calibration.apply), requiresRestart: false,
            "Whether the calibrations stored in the folder calibration of state.directory are applied to the "
                + "samples of their devices."),
        Setting(
            .calibration, "online", .toggle(\.calibration.online), requiresRestart: false,
            "Whether a hard-iron change estimated while the board is worn is stored "
                + "and applied, once it has proved better for ten minutes."),
    ]

    private static let recording: [Setting] = [
        Setting(
            .recording, "directory",
            .text(\.recording.directory, range: "absolute path", check: SettingChecks.path), requiresRestart: false,
            "Folder of recordings that are requested by name; they are readable by the daemon's user alone."),
        Setting(
            .recording, "at_start", .toggle(\.recording.atStart), requiresRestart: true,
            "Record from the first measurement on, so that a replay reproduces the published poses exactly."),
        Setting(
            .recording, "pose_rate_hz", .number(\.recording.poseRateHz, 0...1000), unit: "Hz", requiresRestart: false,
            "Poses recorded per second, where the request names no rate; 0 for every pose. A replay computes all of them "
                + "from the measurements, which are always recorded as they came."),
        Setting(
            .recording, "minimum_free_megabytes", .whole(\.recording.minimumFreeMegabytes, 0...1_048_576),
            unit: "MB", requiresRestart: false,
            "Stop recordings (with complete files) when the file system has less free space than this."),
    ]

    private static let state: [Setting] = [
        Setting(
            .state, "directory", .text(\.state.directory, range: "absolute path", check: SettingChecks.path),
            requiresRestart: true,
            "Folder of the daemon's persistent state."),
        Setting(
            .state, "warm_start", .toggle(\.state.warmStart), requiresRestart: true,
            "Whether estimated biases, hard iron and the last position are stored in warm-start.json in "
                + "that directory and used at the next start, if they are recent and consistent with the measurements."
        ),
    ]
}
