import Linux

extension Setting {
    static let bridge: [Setting] = [
        Setting(
            .bridge, "allow_remote", .toggle(\.bridge.allowRemote), requiresRestart: true,
            "Whether the addresses below may be reachable from other computers. Positions are personal data, and none of "
                + "these protocols knows permissions."),
        address(
            "gpsd", \.bridge.gpsd,
            "Serve gpsd's clients (cgps, gpspipe, QGIS) with the fused position. gpsd itself has port 2947."),
        address("nmea_tcp", \.bridge.nmeaTCP, "Serve NMEA 0183 over TCP."),
        Setting(
            .bridge, "nmea_socket",
            .text(
                \.bridge.nmeaSocket, range: "absolute path, at most 107 bytes, or empty",
                check: SettingChecks.optionalSocketPath),
            requiresRestart: true,
            "Serve NMEA 0183 on a Unix socket, which members of service.socket_group may read."),
        Setting(
            .bridge, "nmea_terminal",
            .text(\.bridge.nmeaTerminal, range: "absolute path, or empty", check: SettingChecks.optionalPath),
            requiresRestart: true,
            "Make a pseudo terminal that carries NMEA 0183, and a link to it at this path, for programs that read a "
                + "serial port."),
        Setting(
            .bridge, "nmea_talker",
            .text(\.bridge.nmeaTalker, range: "two letters A to Z", check: SettingChecks.talker),
            requiresRestart: true,
            "Talker that each sentence of NMEA 0183 begins with. QGIS takes GP and GN alone; IN is integrated navigation."
        ),
        Setting(
            .bridge, "rate_hz", .number(\.bridge.rateHz, 0.1...50), unit: "Hz", requiresRestart: true,
            "Rate of gpsd's reports and of NMEA 0183."),
        address(
            "opentrack", \.bridge.openTrack,
            "Send orientations in OpenTrack's UDP format to this address, for opentrack, XRLinuxDriver and games; their "
                + "usual port is 4242."),
        Setting(
            .bridge, "opentrack_rate_hz", .number(\.bridge.openTrackRateHz, 1...1000), unit: "Hz",
            requiresRestart: true, "Rate of these datagrams."),
        Setting(
            .bridge, "opentrack_position", .toggle(\.bridge.openTrackPosition), requiresRestart: true,
            "Whether they carry the position in the scene as well. Games expect the movement of a seated head: a walk of "
                + "metres leaves their range."),
        Setting(
            .bridge, "mavlink",
            .text(
                \.bridge.mavlink, range: "numeric address and port (\"udp:127.0.0.1:PORT\"), or empty",
                check: { SettingChecks.address(Configuration.Bridge.withoutProtocol($0)) }),
            requiresRestart: true,
            "Send poses as messages of MAVLink 2 by UDP to this address, for autopilots, MAVSDK and pymavlink; their usual "
                + "port is 14550."),
        Setting(
            .bridge, "mavlink_system", .whole(\.bridge.mavlinkSystem, 1...255), requiresRestart: true,
            "Number of the system that these messages come from: that of the vehicle which carries the board, or another one "
                + "for each wearer."),
        address(
            "metrics", \.bridge.metrics,
            "Serve the daemon's health for Prometheus and other readers of OpenMetrics, at /metrics over HTTP. Needs "
                + "libwebsockets."),
        Setting(
            .bridge, "sensor_proxy", .toggle(\.bridge.sensorProxy), requiresRestart: true,
            "Whether net.hadess.SensorProxy is provided on the system bus, for desktops that rotate their screen. "
                + "iio-sensor-proxy has to be masked: it uses the same sensors."),
    ]

    private static func address(_ key: String, _ field: Field<String>, _ meaning: String) -> Setting {
        Setting(
            .bridge, key,
            .text(
                field, range: "numeric address and port (\"127.0.0.1:PORT\"), or empty", check: SettingChecks.address),
            requiresRestart: true, meaning)
    }
}

extension SettingChecks {
    /// The talker of NMEA 0183.
    @Sendable static func talker(_ text: String) -> String? {
        let isTalker =
            text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        return isTalker ? nil : "must be two letters A to Z, such as \"GP\""
    }

    /// A numeric address with a port, or empty.
    @Sendable static func address(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(NetworkAddress.Problem) {
            _ = try NetworkAddress(text)
            return nil
        } catch {
            return error.description
        }
    }
}
