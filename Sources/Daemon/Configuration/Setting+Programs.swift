/// Sections of the programs that pass poses on to other software.
extension Setting {
    static let bridge: [Setting] = section(.bridge, \.bridge, requiresRestart: true) {
        [
            $0.toggle(
                "allow_remote", \.allowRemote,
                "Whether the addresses below may be reachable from other computers. Positions are personal data, and "
                    + "none of these protocols knows permissions."),
            $0.address(
                "gpsd", \.gpsd,
                "Serve gpsd's clients (cgps, gpspipe, QGIS) with the fused position. gpsd itself has port 2947."),
            $0.address("nmea_tcp", \.nmeaTCP, "Serve NMEA 0183 over TCP."),
            $0.text(
                "nmea_socket", \.nmeaSocket, "absolute path, at most 107 bytes, or empty",
                SettingChecks.optionalSocketPath,
                "Serve NMEA 0183 on a Unix socket, which members of service.socket_group may read."),
            $0.optionalPath(
                "nmea_terminal", \.nmeaTerminal,
                "Make a pseudo terminal that carries NMEA 0183, and a link to it at this path, for programs that "
                    + "read a serial port."),
            $0.text(
                "nmea_talker", \.nmeaTalker, "two letters A to Z", SettingChecks.talker,
                "Talker that each sentence of NMEA 0183 begins with. QGIS takes GP and GN alone; IN is integrated "
                    + "navigation."),
            $0.number("rate_hz", \.rateHz, 0.1...50, "Rate of gpsd's reports and of NMEA 0183."),
            $0.address(
                "opentrack", \.openTrack,
                "Send orientations in OpenTrack's UDP format to this address, for opentrack, XRLinuxDriver and "
                    + "games; their usual port is 4242."),
            $0.number("opentrack_rate_hz", \.openTrackRateHz, 1...1000, "Rate of these datagrams."),
            $0.toggle(
                "opentrack_position", \.openTrackPosition,
                "Whether they carry the position in the scene as well. Games expect the movement of a seated head: a "
                    + "walk of metres leaves their range."),
            $0.text(
                "mavlink", \.mavlink, "numeric address and port (\"udp:127.0.0.1:PORT\"), or empty",
                SettingChecks.mavlinkAddress,
                "Send poses as messages of MAVLink 2 by UDP to this address, for autopilots, MAVSDK and pymavlink; "
                    + "their usual port is 14550."),
            $0.whole(
                "mavlink_system", \.mavlinkSystem, 1...255,
                "Number of the system that these messages come from: that of the vehicle which carries the board, or "
                    + "another one for each wearer."),
            $0.address(
                "metrics", \.metrics,
                "Serve the daemon's health for Prometheus and other readers of OpenMetrics, at /metrics over HTTP. "
                    + "Needs libwebsockets."),
            $0.toggle(
                "sensor_proxy", \.sensorProxy,
                "Whether net.hadess.SensorProxy is provided on the system bus, for desktops that rotate their "
                    + "screen. iio-sensor-proxy has to be masked: it uses the same sensors."),
        ]
    }

    static let serve: [Setting] = section(.serve, \.serve, requiresRestart: true) {
        [
            $0.text(
                "http", \.http, "numeric address and port (\"127.0.0.1:PORT\")", SettingChecks.givenAddress,
                "Address of the live page and of Foxglove's protocol. 8765 is the port that Foxglove connects to by "
                    + "itself."),
            $0.toggle(
                "allow_remote", \.allowRemote,
                "Whether it may be reachable from other computers. Positions are personal data: they and the token "
                    + "pass the network unencrypted."),
            $0.toggle(
                "require_token", \.requireToken,
                "Whether readers need a token, a part of the address that `waymark serve` prints and "
                    + "waymark-serve.service writes to /run/waymark-serve/address for members of "
                    + "service.socket_group. Without it every user and program of this computer can read; other "
                    + "computers always need it."),
            $0.optionalPath(
                "token_file", \.tokenFile,
                "File with a token that stays the same, readable by the group waymark: 16 to 128 letters, digits, "
                    + "hyphens and underscores. Empty: each start makes a new one."),
            $0.text(
                "host_names", \.hostNames, "host names separated by spaces, or empty", SettingChecks.words,
                "Names of this computer by which browsers may call it, such as \"board.local\"; numeric addresses "
                    + "always work."),
            $0.text(
                "origins", \.origins, "origins (\"https://HOST\") separated by spaces, or empty", SettingChecks.origins,
                "Web pages of other hosts that may connect by Foxglove's protocol, and so read all poses while a "
                    + "browser on this computer shows them, such as \"https://app.foxglove.dev\". None by default."),
            $0.toggle(
                "allow_changes", \.allowChanges,
                "Whether the page may set the wearer's destination, and end the route. It needs the token, and the "
                    + "program the group waymark-change."),
            $0.optionalPath(
                "pictures", \.pictures,
                "Folder with pictures of places, readable by all: a place with the tag image=mill.jpg has mill.jpg "
                    + "of it. Empty: none."),
            $0.optionalPath(
                "tiles", \.tiles,
                "File with a map's raster tiles (MBTiles or PMTiles), readable by all, which the map of the page "
                    + "shows. Empty: none, and the map has a grid alone."),
        ]
    }

    static let mqtt: [Setting] = section(.mqtt, \.mqtt, requiresRestart: true) {
        [
            $0.toggle(
                "publish", \.publish,
                "Whether the wearer has agreed that positions leave this computer. Until then waymark-mqtt connects "
                    + "to nothing and stores nothing."),
            $0.text(
                "brokers", \.brokers, "addresses (\"mqtts://HOST:PORT\") separated by spaces, or empty",
                SettingChecks.brokers,
                "The broker, or the nodes of a cluster, which are tried in turn. mqtts:// is encrypted by TLS (port "
                    + "8883), mqtt:// is not (port 1883)."),
            $0.toggle(
                "allow_unencrypted", \.allowUnencrypted,
                "Whether a broker on another computer may be reached by mqtt://. Everybody on the way could read "
                    + "positions and passwords."),
            $0.text(
                "id", \.id, "1 to 64 letters, digits, hyphens and underscores, or empty",
                SettingChecks.optionalIdentifier,
                "Identifier of the wearer, which is part of the topics, and the client's name at the broker. Empty: "
                    + "one made of this computer's machine-id."),
            $0.text(
                "topic", \.topic, "names separated by slashes", SettingChecks.topicRoot,
                "First part of the topics: TOPIC/ID/pose, TOPIC/ID/state, TOPIC/ID/event and TOPIC/ID/health."),
            $0.text(
                "username", \.username, "user name, or empty", SettingChecks.words,
                "User name at the broker; empty: that of the credential waymark-mqtt.username. The password is the "
                    + "credential waymark-mqtt.password: see waymark-mqtt(8)."),
            $0.optionalPath(
                "authority_file", \.authorityFile,
                "Certificates of the authorities that may have signed the broker's certificate, in PEM; empty: the "
                    + "credential waymark-mqtt.authority, else the authorities of the system."),
            $0.optionalPath(
                "certificate_file", \.certificateFile,
                "Certificate by which the broker knows this client, in PEM; empty: the credential "
                    + "waymark-mqtt.certificate, else none."),
            $0.optionalPath(
                "key_file", \.keyFile,
                "Private key of this certificate, in PEM and not encrypted; empty: the credential waymark-mqtt.key."),
            $0.number("pose_rate_hz", \.poseRateHz, 0.001...10, "Maximum rate of poses."),
            $0.number(
                "pose_least_m", \.poseMinimumMetres, 0...1000,
                "Movement since the last published pose without which the next one is not published; 0 for none."),
            $0.toggle(
                "owntracks", \.ownTracks,
                "Whether locations are also published for OwnTracks' recorder and Home Assistant, as "
                    + "owntracks/TOPIC/ID."),
            $0.number(
                "owntracks_interval_s", \.ownTracksIntervalSeconds, 0.1...86_400,
                "Minimum time between two of these locations."),
            $0.number(
                "owntracks_least_m", \.ownTracksMinimumMetres, 0...10_000,
                "Movement since the last of these locations without which the next one is not published; 0 for none."),
            $0.number(
                "still_interval_s", \.stillIntervalSeconds, 1...86_400,
                "Time after which poses and locations are published without movement."),
            $0.number("health_interval_s", \.healthIntervalSeconds, 5...86_400, "Interval of health messages."),
            $0.number(
                "grid_m", \.gridMetres, 0...100_000,
                "Size of the cells of a grid, at least 1: of positions only the cell is published, with the accuracy "
                    + "that it has, of attitudes the eighth of the compass, and of events neither name nor distance; "
                    + "0 for exact positions."),
            $0.text(
                "private_areas", \.privateAreas, "\"NAME LATITUDE LONGITUDE RADIUS; …\", or empty",
                SettingChecks.privateAreas,
                "Areas within which no pose, location or event is published: names, centres in degrees and radii in "
                    + "metres. Names are not published. A wearer whose accuracy does not exclude an area by 99.8 % "
                    + "counts as inside. Circles that poses never enter can be guessed: choose other centres than "
                    + "what they protect."),
            $0.path("directory", \.directory, "Directory of the queue of what the broker has not received."),
            $0.whole(
                "queue_mb", \.queueMegabytes, 1...4096,
                "Size of the messages that wait, beyond which the oldest poses are dropped and counted, but no "
                    + "events. A pose takes about 0.5 kB."),
        ]
    }
}
