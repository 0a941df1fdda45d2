extension Setting {
    /// Every setting, in the order of the reference file. Keys are declared only in these tables.
    package static let all: [Setting] =
        socket + service + source + simulation + iio + sensors + gnss + power + pose + scene + navigation + bridge
        + serve + mqtt + calibration + recording + state

    private static let socket: [Setting] = section(.service, \.service, requiresRestart: true) {
        [
            $0.text(
                "socket", \.socket, "absolute path, at most 107 bytes", SettingChecks.socketPath,
                "Path of the socket; under systemd, that of the socket unit is used instead."),
            $0.toggle(
                "pose_ring", \.poseRing,
                "Whether poses are also in shared memory, from which render threads read them without a system call."),
            $0.text(
                "pose_ring_socket", \.poseRingSocket, "absolute path, at most 107 bytes, or empty",
                SettingChecks.optionalSocketPath,
                "Path of the socket that hands out this memory, with the mode and group of the other; under systemd, "
                    + "that of the socket unit is used instead. Empty: /run/waymark/pose-ring.sock beside "
                    + "/run/waymark/waymark.sock, else the path of the other with .ring added."),
            $0.fileMode(
                "socket_mode", \.socketMode,
                "Permission bits of the socket; under systemd, those of the socket unit are used instead."),
            $0.text(
                "socket_group", \.socketGroup, "name of a group, or empty", SettingChecks.account,
                "Group of the socket, whose members may connect and read; empty: the daemon's own group."),
        ]
    }

    private static let service: [Setting] = section(.service, \.service, requiresRestart: false) {
        [
            $0.whole(
                "max_clients", \.maxClients, 1...4096,
                "Maximum number of connected clients; further clients are rejected with an error. The last 8, at "
                    + "most a quarter, are reserved for root and the daemon's own user; likewise of "
                    + "max_subscriptions. Clients of the pose ring are counted separately, up to the same numbers."),
            $0.whole(
                "max_clients_per_user", \.maxClientsPerUser, 1...4096,
                "Maximum number of connected clients of one user, except root and the daemon's own user. Clients of "
                    + "the pose ring are counted separately, up to the same number."),
            $0.whole(
                "max_subscriptions", \.maxSubscriptions, 1...4096,
                "Maximum number of open streams of all clients; a connection carries one."),
            $0.whole(
                "max_subscriptions_per_user", \.maxSubscriptionsPerUser, 1...4096,
                "Maximum number of open streams of one user, except root and the daemon's own user."),
            $0.whole(
                "max_pending_calls_per_user", \.maxPendingCallsPerUser, 1...4096,
                "Maximum number of calls of one user that wait for files or the place store, except of root and the "
                    + "daemon's own user; beyond that, the user's calls wait."),
            $0.whole(
                "max_pending_calls_per_client", \.maxPendingCallsPerClient, 1...1024,
                "Maximum number of unanswered calls per client; beyond that, reading from the client pauses."),
            $0.whole(
                "max_message_bytes", \.maxMessageBytes, 1024...16_777_216,
                "Maximum length of a message from a client."),
            $0.number(
                "stuck_client_seconds", \.stuckClientSeconds, 1...3600,
                "Disconnect a client that has read nothing for this long."),
            $0.text(
                "change_user", \.changeUser, "name of a user, or empty", SettingChecks.account,
                "User with permission to make changes (start recordings, …), besides root and the daemon's own user."),
            $0.text(
                "change_group", \.changeGroup, "name of a group, or empty", SettingChecks.account,
                "Group whose members have permission to make changes; connecting requires the socket's group as well."),
            $0.choice("log_level", \.logLevel, "Minimum severity that is logged."),
        ]
    }

    private static let source: [Setting] = section(.source, \.source, requiresRestart: true) {
        [
            $0.choice("kind", \.kind, "Measurement source: real sensors, or the built-in simulated walk."),
            $0.text(
                "samples", \.samples, "name of a source, or empty", SettingChecks.sourceName,
                "Name of the program's source (org.waymark.Aid) whose samples are those of the inertial unit, the "
                    + "magnetometer and the barometer; then no IIO device is used, and mount_matrix and sign of the "
                    + "sections iio apply to its sensors. Empty: IIO devices."),
        ]
    }

    private static let simulation: [Setting] = section(.simulation, \.simulation, requiresRestart: true) {
        [
            $0.whole(
                "seed", \.seed, 0...4_294_967_295,
                "Random seed of the simulated sensor errors; the same seed gives the same measurements."),
            $0.whole(
                "inertial_rate_hz", \.inertialRateHz, 10...1000,
                "Sampling rate of the simulated accelerometer and gyroscope."),
            $0.whole(
                "magnetometer_rate_hz", \.magnetometerRateHz, 0...200,
                "Sampling rate of the simulated magnetometer; 0: no magnetometer."),
            $0.whole("gnss_rate_hz", \.gnssRateHz, 0...20, "Rate of the simulated GNSS fixes; 0: no receiver."),
            $0.whole(
                "barometer_rate_hz", \.barometerRateHz, 0...100,
                "Sampling rate of the simulated barometer; 0: no barometer."),
            $0.toggle(
                "magnetic_disturbances", \.magneticDisturbances,
                "Whether the walk passes iron that disturbs the magnetic field."),
            $0.number(
                "compass_off_degrees", \.compassOffDegrees, -180...180,
                "Rotation of the simulated magnetometer's axes about the body's up axis, for good: the heading by "
                    + "the compass is too large by it, clockwise."),
            $0.number(
                "gyro_off_degrees_per_second", \.gyroOffDegreesPerSecond, 0...20,
                "Constant bias of the simulated gyroscope, askew to its axes: a sensor as the factory delivers it."),
            $0.toggle(
                "camera", \.camera,
                "Whether the simulated wearer also has a camera, whose odometry is offered as the source \"camera\"."),
            $0.choice(
                "motion", \.motion,
                "Scenario: a walk through streets, sitting and looking around, or a walk to a bus and a ride."),
        ]
    }

    private static let power: [Setting] = section(.power, \.power, requiresRestart: false) {
        [
            $0.toggle(
                "enabled", \.enabled,
                "Whether sampling rates are reduced while poses are not used: no subscriber, no recent request for a "
                    + "pose or scene, no recording, no calibration. Estimation continues; a new client has the full "
                    + "rate at once."),
            $0.number(
                "idle_after_seconds", \.idleAfterSeconds, 1...3600,
                "Time without use of poses before idling. Increases up to ten minutes while clients return soon "
                    + "after."),
            $0.number(
                "idle_inertial_rate_hz", \.idleInertialRateHz, 25...4000,
                "Accelerometer and gyroscope rate while idle; at most the rate of each. Steps and turns are tracked "
                    + "well at 50 Hz; for lower rates see docs/supervision.md."),
            $0.number(
                "idle_magnetometer_rate_hz", \.idleMagnetometerRateHz, 1...1000,
                "Magnetometer rate while idle; at most iio.magnetometer.rate_hz."),
            $0.number(
                "idle_barometer_rate_hz", \.idleBarometerRateHz, 0.1...200,
                "Barometer rate while idle; at most iio.pressure.rate_hz."),
        ]
    }

    private static let pose: [Setting] = section(.pose, \.pose, requiresRestart: false) {
        [
            $0.number(
                "default_rate_hz", \.defaultRateHz, 1...1000,
                "Pose rate for subscribers that request none; at most pose.max_rate_hz."),
            $0.number(
                "max_rate_hz", \.maxRateHz, 1...1000,
                "Maximum pose rate that a subscriber may request; the rate never exceeds that of the inertial "
                    + "samples."),
        ]
    }

    private static let navigation: [Setting] = section(.navigation, \.navigation, requiresRestart: false) {
        [
            $0.text(
                "service", \.service,
                "\"osrm\", \"valhalla\", one of them with an address (\"osrm+http://HOST:PORT\"), or empty",
                SettingChecks.routingService,
                "Default routing service, run by yourself; empty: none, and routes are straight lines. Without an "
                    + "address, localhost at the service's usual port is used (5000 and 8002)."),
            $0.text(
                "profile", \.profile, "1 to 40 letters, digits, hyphens and underscores", SettingChecks.routingProfile,
                "Routing profile: foot, bicycle, car, or another profile (OSRM) or costing (Valhalla) of the service."),
            $0.number(
                "timeout_seconds", \.timeoutSeconds, 0.5...300,
                "Timeout of requests to the service; half of it applies to the connection. The daemon waits a second "
                    + "longer for the navigator."),
            $0.number(
                "off_route_patience_seconds", \.offRoutePatienceSeconds, 0...3600,
                "Reroute (`--keep` of `waymark route to`, and `waymark navigator`) when the wearer has been off the "
                    + "route for this time."),
            $0.number(
                "least_interval_seconds", \.minimumIntervalSeconds, 1...3600,
                "Minimum interval between requests for a reroute; doubled, up to ten minutes, after each one that "
                    + "failed or whose route the wearer is off again."),
        ]
    }

    private static let calibration: [Setting] = section(.calibration, \.calibration, requiresRestart: false) {
        [
            $0.toggle(
                "apply", \.apply,
                "Whether the calibrations stored in the folder calibration of state.directory are applied to the "
                    + "samples of their devices."),
            $0.toggle(
                "online", \.online,
                "Whether a hard-iron change estimated while the board is worn is stored and applied, once it has "
                    + "proved better for ten minutes."),
        ]
    }

    private static let recording: [Setting] = section(.recording, \.recording, requiresRestart: false) {
        [
            $0.path(
                "directory", \.directory,
                "Folder of recordings that are requested by name; they are readable by the daemon's user alone."),
            $0.toggle(
                "at_start", \.atStart, requiresRestart: true,
                "Record from the first measurement on, so that a replay reproduces the published poses exactly."),
            $0.number(
                "pose_rate_hz", \.poseRateHz, 0...1000,
                "Poses recorded per second, where the request names no rate; 0 for every pose. A replay computes all "
                    + "of them from the measurements, which are always recorded as they came."),
            $0.whole(
                "minimum_free_megabytes", \.minimumFreeMegabytes, 0...1_048_576,
                "Stop recordings (with complete files) when the file system has less free space than this."),
        ]
    }

    private static let state: [Setting] = section(.state, \.state, requiresRestart: true) {
        [
            $0.path("directory", \.directory, "Folder of the daemon's persistent state."),
            $0.toggle(
                "warm_start", \.warmStart,
                "Whether estimated biases, hard iron and the last position are stored in warm-start.json in that "
                    + "directory and used at the next start, if they are recent and consistent with the measurements."),
        ]
    }
}
