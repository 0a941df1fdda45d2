import Configuration
import Testing

/// Every problem of a text, as the user reads it.
private func problems(_ text: String) -> [String] {
    do {
        _ = try Configuration.parse(Array(text.utf8), file: "w.toml")
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

@Suite("Mistakes in a configuration file")
struct MistakeTests {
    @Test(
        "each mistake is named by file, line and column, with what to do",
        arguments: [
            (
                "[iio]\n\nacelerometer = \"lis3dh\"",
                "w.toml:3:1: unknown key iio.acelerometer; did you mean the section [iio.accelerometer]?"
            ),
            ("[iio]\nport = 1", "w.toml:2:1: unknown key iio.port; did you mean gnss.port?"),
            ("enabled = true", "w.toml:1:1: unknown key enabled; did you mean iio.enabled?"),
            ("[gps]\nhost = \"x\"", "w.toml:1:2: unknown section [gps]; did you mean [gnss]?"),
            (
                "[weather]",
                "w.toml:1:2: unknown section [weather]; sections are service, source, simulation, iio, iio.accelerometer, iio.gyroscope, "
                    + "iio.magnetometer, iio.pressure, gnss, power, pose, "
                    + "frame, route, places, placements, labels, announcements, anchors, navigation, bridge, serve, mqtt, calibration, recording, state"
            ),
            ("iio = 3", "w.toml:1:1: iio: is a section, not a key"),
            ("[gnss]\nport = \"2947\"", "w.toml:2:8: gnss.port: must be a whole number, not a string"),
            ("[gnss]\nport = 2947.0", "w.toml:2:8: gnss.port: must be a whole number, not a number"),
            ("[gnss]\nport = 70000", "w.toml:2:8: gnss.port: 70000 is out of range: 1 to 65535"),
            ("[gnss]\nport = 0", "w.toml:2:8: gnss.port: 0 is out of range: 1 to 65535"),
            ("[gnss]\nenabled = 1", "w.toml:2:11: gnss.enabled: must be true or false, not a whole number"),
            ("[gnss]\nhost = \"\"", "w.toml:2:8: gnss.host: must not be empty"),
            (
                "[bridge]\nnmea_talker = \"Gp\"",
                "w.toml:2:15: bridge.nmea_talker: must be two letters A to Z, such as \"GP\""
            ),
            (
                "[bridge]\nnmea_talker = \"GPS\"",
                "w.toml:2:15: bridge.nmea_talker: must be two letters A to Z, such as \"GP\""
            ),
            ("[gnss]\nhost = 1979-05-27", "w.toml:2:8: gnss.host: must be a string in quotes, not a date or time"),
            ("[gnss.host]\nx = 1", "w.toml:1:1: gnss.host: must be a string in quotes, not a table"),
            ("[gnss]\nsilence_seconds = nan", "w.toml:2:19: gnss.silence_seconds: nan is out of range: 1 to 600"),
            ("[gnss]\nsilence_seconds = inf", "w.toml:2:19: gnss.silence_seconds: inf is out of range: 1 to 600"),
            ("[gnss]\nlever_arm_m = [1, 2]", "w.toml:2:15: gnss.lever_arm_m: must have 3 numbers (x, y, z), not 2"),
            (
                "[gnss]\nlever_arm_m = [1, [2], \"3\"]",
                "w.toml:2:15: gnss.lever_arm_m: must be an array of finite numbers only"
            ),
            (
                "[source]\nsamples = \"My phone\"",
                "w.toml:2:11: source.samples: must have 1 to 16 of the characters a-z, 0-9, -, _ and ., the first a "
                    + "letter"
            ),
            (
                "[iio]\nmount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, -1]",
                "w.toml:2:16: iio.mount_matrix: is a mirror image, not a rotation: its determinant is -1"
            ),
            (
                "[iio]\nmount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 0]",
                "w.toml:2:16: iio.mount_matrix: is not a rotation: its columns are not orthonormal to 1e-3"
            ),
            ("[iio.acelerometer]", "w.toml:1:6: unknown section [iio.acelerometer]; did you mean [iio.accelerometer]?"),
            ("[iio.gyroscope]\nsign = 2", "w.toml:2:8: iio.gyroscope.sign: must be 1 or -1"),
            ("[iio.accelerometer]\nsign = -1.0", "w.toml:2:8: iio.accelerometer.sign: must be 1 or -1"),
            (
                "[iio.pressure]\nsign = 1",
                "w.toml:2:1: unknown key iio.pressure.sign; did you mean iio.accelerometer.sign?"
            ),
            (
                "[iio.magnetometer]\nmount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, -1]",
                "w.toml:2:16: iio.magnetometer.mount_matrix: is a mirror image, not a rotation: its determinant is -1"
            ),
            (
                "[iio]\ncontext = \"network\"",
                "w.toml:2:11: iio.context: must begin with local:, ip:, usb:, serial: or xml:"
            ),
            (
                "[source]\nkind = \"sensor\"",
                "w.toml:2:8: source.kind: must be one of \"sensors\", \"simulation\", not \"sensor\"; did you mean "
                    + "\"sensors\"?"
            ),
            (
                "[service]\nsocket_mode = 432",
                "w.toml:2:15: service.socket_mode: must be octal digits in quotes, such as \"0660\""
            ),
            (
                "[service]\nsocket_mode = \"0680\"",
                "w.toml:2:15: service.socket_mode: must be three or four octal digits, \"0600\" to \"0777\""
            ),
            ("[service]\nsocket = \"run/x\"", "w.toml:2:10: service.socket: must be an absolute path"),
            ("[service]\nsocket = \"/a/../x\"", "w.toml:2:10: service.socket: must not contain \"..\""),
            (
                "[service]\nsocket = \"/\(String(repeating: "x", count: 107))\"",
                "w.toml:2:10: service.socket: is longer than the maximum of a socket path (107 bytes)"
            ),
            ("[service]\nsocket = \"/a\\u0000b\"", "w.toml:2:10: service.socket: must not contain control characters"),
            ("[service]\nchange_group = \"a b\"", "w.toml:2:16: service.change_group: is not a valid account name"),
            (
                "[pose]\ndefault_rate_hz = 200\nmax_rate_hz = 100",
                "w.toml:2:19: pose.default_rate_hz: must not be greater than pose.max_rate_hz, which is 100"
            ),
            (
                "[pose]\nmax_rate_hz = 10",
                "w.toml:2:15: pose.default_rate_hz: must not be greater than pose.max_rate_hz, which is 10"
            ),
            (
                "[places]\nnear_m = 500",
                "w.toml:2:10: places.near_m: must be less than places.middle_m, which is 500"
            ),
            (
                "[places]\nproximity_enter = 0.3",
                "w.toml:2:19: places.proximity_leave: must be less than places.proximity_enter, which is 0.3"
            ),
            (
                "[places]\nradius_m = 2000",
                "w.toml:2:12: places.radius_m: must not be greater than places.most_radius_m, which is 1000"
            ),
            (
                "[places]\nleast_radius_m = 501",
                "w.toml:2:18: places.least_radius_m: must not be greater than places.radius_m, which is 500"
            ),
            (
                "[placements]\nsize_far_m = 50",
                "w.toml:2:14: placements.size_near_m: must be less than placements.size_far_m, which is 50"
            ),
            (
                "[announcements]\ndistances_m = [12, 40]",
                "w.toml:2:15: announcements.distances_m: must be in descending order"
            ),
            (
                "[announcements]\ndistances_m = []",
                "w.toml:2:15: announcements.distances_m: must have 1 to 8 numbers, not 0"
            ),
            (
                "[announcements]\ndistances_m = [100, 0.5]",
                "w.toml:2:15: announcements.distances_m: has a number out of range: 1 to 10000"
            ),
            ("[places]\nmost_shown = -1", "w.toml:2:14: places.most_shown: -1 is out of range: 1 to 1000"),
            (
                "[placements]\nradius_m = 300",
                "w.toml:2:1: unknown key placements.radius_m; did you mean places.radius_m?"
            ),
            ("\"iio.enabled\" = true", "w.toml:1:1: unknown key \"iio.enabled\"; did you mean iio.enabled?"),
        ])
    func mistake(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test(
        "a key of an earlier version is an error that says what to write instead",
        arguments: [
            ("accelerometer = \"lis3dh\"", "accelerometer", "device (or label) in the section [iio.accelerometer]"),
            ("gyroscope = \"\"", "gyroscope", "device (or label) in the section [iio.gyroscope]"),
            ("magnetometer = \"x\"", "magnetometer", "device (or label) in the section [iio.magnetometer]"),
            ("barometer = \"x\"", "barometer", "device (or label) in the section [iio.pressure]"),
            (
                "inertial_rate_hz = 200", "inertial_rate_hz",
                "rate_hz in the sections [iio.accelerometer] and [iio.gyroscope]"
            ),
            ("magnetometer_rate_hz = 50", "magnetometer_rate_hz", "rate_hz in the section [iio.magnetometer]"),
            ("barometer_rate_hz = 10", "barometer_rate_hz", "rate_hz in the section [iio.pressure]"),
        ])
    func retired(line: String, key: String, advice: String) {
        #expect(problems("[iio]\n\(line)") == ["w.toml:2:1: iio.\(key): is no longer a setting; write \(advice)"])
    }

    @Test("the sections of sensors hold settings of their own, as tables, dotted keys or inline tables")
    func sensors() throws {
        for text in [
            "[iio.gyroscope]\nrate_hz = 400\nlabel = \"lid\"",
            "iio.gyroscope.rate_hz = 400\niio.gyroscope.label = \"lid\"",
            "[iio]\ngyroscope = { rate_hz = 400, label = \"lid\" }",
            "[iio]\ngyroscope.rate_hz = 400\ngyroscope.label = \"lid\"",
        ] {
            let found = try Configuration.parse(Array(text.utf8), file: "w.toml").iio
            #expect(found.gyroscope.rateHz == 400 && found.gyroscope.label == "lid")
            #expect(found.accelerometer == Configuration().iio.accelerometer)
        }
    }

    @Test("what is no TOML at all is named by line")
    func syntax() {
        let duplicate = problems("[gnss]\nport = 1\nport = 2")
        #expect(duplicate.count == 1)
        #expect(duplicate.first?.hasPrefix("w.toml:3:") == true)
        #expect(duplicate.first?.contains("port") == true)
        for text in ["[gnss", "[gnss]\nport =", "[gnss]\nport = 99999999999999999999", "port", "[gnss]\nx = \"\u{1}\""]
        {
            let found = problems(text)
            #expect(found.count == 1, "\(text)")
            #expect(found.first?.contains(": not valid TOML: ") == true, "\(found)")
        }
    }

    @Test("all mistakes of a file are reported, in the order of its lines")
    func collected() {
        let text = "[pose]\nmax_rate_hz = 0\nfoo = 1\n[gnss]\nport = 0\n[iio]\nenabled = 2\n[zzz]\na = 1\nb = 2\n"
        let lines = problems(text).map { $0.split(separator: ":")[1] }
        #expect(lines == ["2", "3", "5", "7", "8"])
    }

    @Test("a refused value leaves the setting as it was")
    func unchanged() throws {
        let good = try Configuration.parse(Array("[gnss]\nport = 3000\nsilence_seconds = 3".utf8), file: "w.toml")
        #expect(good.gnss.port == 3000)
        #expect(good.gnss.silenceSeconds == 3)
        #expect(good.gnss.host == "localhost")
    }
}
