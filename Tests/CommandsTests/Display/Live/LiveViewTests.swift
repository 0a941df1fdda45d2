import Commands
import Testing
import WaymarkClient

@Suite("Live view")
struct LiveViewTests {
    /// From one cell to more than any screen has.
    private static let sizes = [
        (1, 1), (1, 80), (2, 3), (3, 10), (4, 200), (5, 5), (7, 40), (12, 40), (15, 72), (16, 71), (24, 80), (40, 120),
        (60, 20), (100, 300),
    ]

    @Test("a picture has the rows of the terminal, none longer than it is wide", arguments: sizes)
    func fits(rows: Int, columns: Int) throws {
        for unicode in [true, false] {
            let lines = try LiveSamples.view().lines(rows, columns, unicode: unicode)
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.count <= columns })
            if !unicode { #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }) }
        }
    }

    @Test("24 rows of 80 columns have state, heading, turn, route, places, sensors and time")
    func whole() throws {
        let text = try LiveSamples.view().text(24, 80)
        for part in [
            "● localized", "2026-05-01 10:00:00 UTC", "▲ 42.0° NE ±4.2°  from true north", "↱", "Turn right 30.0 m",
            "Corner Café 60.0 m", "3 places", "↱ Turn right in 31.4 m", "⚑ Home, 640 m left, 8 min 20 s", "100 m",
            "±2.1 m  ±3.4 m up  ±4.2°", "47.3765432° 8.5481234°  431.3 m", "on foot (97 %)", "1.40 m/s towards 1° N",
            "x +12.35  y -0.04  z -45.68 m", "generation 1", "inertial magnetometer", "magnetometer", "searching",
            "recording walk.mcap, 1.3 MB, 3 lost", "Café [2J", "waymarkd 0.1.0 on sensors",
        ] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }

    @Test("what matters least goes first: small terminals keep state, heading, accuracy and the next turn")
    func small() throws {
        let view = try LiveSamples.view()
        #expect(view.lines(1, 40) == ["● localized  42° NE  ±2.1 m  recording"])
        #expect(view.lines(1, 12) == ["● localized"])
        let small = view.text(12, 40)
        for part in ["● localized", "42.0° NE", "±2.1 m", "↱ Turn right in 31.4 m", "⚑ Home"] {
            #expect(small.contains(part), "\(part) in\n\(small)")
        }
        #expect(!small.contains("magnetometer  "))
    }

    @Test("before the first pose it says what it waits for, and what the daemon says to do")
    func waiting() throws {
        var view = LiveView()
        #expect(view.text(24, 80).contains("waiting for the first pose; see 'waymark status' for what is missing"))
        view.status = try Samples.decode(Samples.status)
        #expect(view.text(24, 80).contains("because no position fix; tooCold"))
        #expect(view.text(24, 80).contains("advice: go where the sky is free"))
        #expect(view.lines(1, 9) == ["● waiting"])
    }

    @Test("what is not known is named, and reasons are explained with the advice")
    func unknown() throws {
        var view = LiveView()
        view.show(
            try Samples.pose([
                "geo": nil, "heading": nil, "course": nil, "speed": nil, "motion": nil, "state": "limited",
                "sources": [String](), "reasons": ["noGNSSData", "tooCold"], "accuracy": [String: Double](), "utc": nil,
            ]))
        let text = view.text(24, 80)
        for part in [
            "● limited", "because no position fix; tooCold", "advice: ", "heading not known",
            "geographic position not known", "motion not known", "no sources", "nothing ahead", "±?",
        ] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }

    @Test("a daemon that is away is reported with the time and what to do, and old values stay")
    func away() throws {
        var view = try LiveSamples.view()
        view.link = .away(
            since: "10:00:02 UTC", seconds: 12.4, problem: "no daemon answers at /run/x: start\u{1B}[2J it")
        let text = view.text(24, 80)
        #expect(text.contains("● daemon away"))
        #expect(text.contains("daemon away since 10:00:02 UTC (12 s); connecting again every second"))
        #expect(text.contains("no daemon answers at /run/x: start [2J it"))
        #expect(text.contains("▲ 42.0° NE"))
        #expect(view.text(1, 20) == "● daemon away")
    }

    @Test("poses that do not come any more are reported")
    func stale() throws {
        let view = try LiveSamples.view()
        let canvas = Canvas(colour: false)
        let late = view.picture(rows: 24, columns: 80, time: LiveSamples.time + 7, canvas: canvas).lines
        #expect(late.contains { $0.contains("no pose for 7 s; see 'waymark status'") })
        #expect(!view.text(24, 80).contains("no pose for"))
    }

    @Test("a correction of the frame is shown until it has ended, and skipped poses are added up")
    func frame() throws {
        var view = LiveView()
        view.frame = try Samples.decode(Samples.frame) as Waymark.Frame
        view.show(try Samples.pose(["missed": 3]))
        view.show(try Samples.pose(["missed": 4]))
        let text = view.text(50, 160)
        #expect(text.contains("correcting 1.5° and 5.0 m, 1.8 s left"))
        #expect(text.contains("7 poses skipped"))
        view.show(try Samples.pose(["time": ["sec": 92, "nsec": 1]]))
        #expect(view.text(50, 160).contains("generation 1, settled"))
    }

    @Test("placements of another generation of the frame are not shown")
    func generations() throws {
        var view = try LiveSamples.view()
        view.show(try Samples.pose(["generation": 2]))
        #expect(!view.text(24, 80).contains("Corner Café 60"))
    }

    @Test("the radar shows the walls of the plan around the wearer, within its range, turned by the heading")
    func plan() throws {
        // North of the wearer, whatever a daemon adds.
        let lines: Waymark.PlanLines = try Samples.decode(
            #"{"name":"Hall","radius":200,"lines":[{"kind":"wall","points":[-60,70,60,70,3]},{"kind":"door","points":[]},"#
                + #"{"kind":"moat","points":[0,1e300]},{"kind":"wall","points":[-900,900,900,900]}]}"#)
        func rows(heading: Double, ranges: Int = 0) throws -> [Int] {
            var view = try LiveSamples.view(heading: heading, places: "")
            for _ in 0..<ranges { view.changeRadar(larger: false) }
            let before = view.lines(40, 120)
            view.plan = RadarPlan(lines, about: Waymark.Location(latitude: 47.3765432, longitude: 8.5481234))
            return zip(before, view.lines(40, 120)).enumerated().compactMap { $1.0 == $1.1 ? nil : $0 }
        }
        let (ahead, behind) = (try rows(heading: 0), try rows(heading: 180))
        let (last, first) = (try #require(ahead.last), try #require(behind.first))
        #expect(last < first, "\(ahead) are above \(behind)")
        #expect(try rows(heading: 0, ranges: 2).isEmpty, "it is farther than 25 m")
    }

    @Test("the radar has the range that is written beside it, and keys change it within bounds")
    func range() throws {
        var view = try LiveSamples.view()
        view.changeRadar(larger: true)
        #expect(view.text(24, 80).contains("200 m"))
        for _ in 0..<20 { view.changeRadar(larger: true) }
        #expect(view.text(24, 80).contains("10 km"))
        for _ in 0..<20 { view.changeRadar(larger: false) }
        #expect(view.text(24, 80).contains("25 m"))
    }

    private func source(_ name: String, _ state: String, age: Double = 0.07) throws -> Waymark.AidSource {
        try Samples.decode(
            #"{"source":"\#(name)","user":0,"kinds":["odometry"],"state":"\#(state)","rate":30,"age":\#(age),"#
                + #""accepted":9,"refused":[],"trust":[]}"#)
    }

    @Test(
        "a source has its rate, or instead of it why it is not trusted, also by a word that is newer", .serialized,
        arguments: [
            ("trusted", "30.0 Hz"), ("used", "30.0 Hz"), ("watched", "watched"), ("refused", "refused"),
            ("lost", "lost"), ("waiting", "waiting"), ("paused", "paused"),
        ])
    func source(state: String, shown: String) throws {
        var view = try LiveSamples.view()
        view.show(try Samples.pose())
        view.aids = [try source("camera", state)]
        let row = try #require(view.lines(24, 80).first { $0.hasPrefix("● camera") })
        #expect(row.contains(shown))
        let wide = try #require(view.lines(40, 140).first { $0.hasPrefix("● camera") })
        #expect(wide.contains(state))
    }

    @Test("a source has the age of its newest offer")
    func marker() throws {
        var view = try LiveSamples.view()
        view.aids = [try source("marker", "trusted", age: 50)]
        let row = try #require(view.lines(24, 80).first { $0.hasPrefix("● marker") })
        #expect(row.contains("30.0 Hz") && row.contains("50.0 s"))
    }

    @Test("colours only where the terminal may have them, and each row ends without")
    func colours() throws {
        let view = try LiveSamples.view()
        for colour in [true, false] {
            let picture = view.picture(
                rows: 24, columns: 80, time: LiveSamples.time, canvas: Canvas(unicode: true, colour: colour))
            let rows = (0..<picture.rows).map { String(decoding: picture.bytes(row: $0), as: UTF8.self) }
            #expect(rows.contains { $0.contains("\u{1B}[0;1;36m") } == colour)
            for row in rows {
                let last = row.matches(of: #/\x{1B}\[([0-9;]*)m/#).last
                #expect(last.map { $0.1 == "0" } ?? true)
            }
        }
    }

    @Test("any numbers and any names in any size make a picture of that size", arguments: 0..<40 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var random = LiveRandom(state: seed)
        for _ in 0..<20 {
            let view = try random.view()
            let (rows, columns) = (Int.random(in: 1...60, using: &random), Int.random(in: 1...160, using: &random))
            let canvas = Canvas(unicode: .random(using: &random), colour: .random(using: &random))
            let picture = view.picture(
                rows: rows, columns: columns, time: .random(in: -1e6...1e6, using: &random), canvas: canvas)
            #expect(picture.rows == rows)
            for row in 0..<rows {
                let bytes = picture.bytes(row: row)
                // No control characters but escape sequences, and nothing in them that is not the view's own.
                #expect(bytes.allSatisfy { $0 >= 0x20 || $0 == 0x1B })
                for sequence in String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}").dropFirst() {
                    #expect(sequence.wholeMatch(of: #/\[[0-9;]*[mG][^\u{1B}]*/#) != nil)
                }
            }
        }
    }
}

/// Views of random values, from a seed (SplitMix64, Steele et al. 2014).
private struct LiveRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private static let numbers = [0, 1, -1, 359.999, 360, -180, 1e-300, 1e300, -1e300, 47.5, 1e9, 123_456]
    private static let names = [
        "", "Café", "\u{1B}[2J\u{7}\n", "東京タワー", "👩‍👩‍👧‍👦🇨🇭", String(repeating: "Z\u{301}", count: 300), "\u{301}", "عربي",
        "a\u{2028}b\u{202E}c\u{200B}", String(repeating: "x", count: 5000), "\u{9B}31m",
    ]

    private mutating func number() -> Double {
        Bool.random(using: &self)
            ? Self.numbers.randomElement(using: &self) ?? 0 : .random(in: -400...400, using: &self)
    }

    private mutating func name() -> String { Self.names.randomElement(using: &self) ?? "" }

    mutating func view() throws -> LiveView {
        var view = LiveView()
        if Int.random(in: 0..<8, using: &self) > 0 {
            view.show(
                try Samples.pose([
                    "heading": Bool.random(using: &self) ? number() : nil, "speed": number(), "course": number(),
                    "orientation": ["x": number(), "y": number(), "z": number(), "w": number()],
                    "position": ["x": number(), "y": number(), "z": number()],
                    "accuracy": ["horizontalAccuracy": number(), "orientationYawAccuracy": number()],
                    "sources": [name()], "reasons": [name()], "missed": Int(next() >> 12),
                ]))
        }
        let kinds = ["place", "cluster", "route", "arrow", "node", "start", "turn", "destination", "anchor", "other"]
        let placements = (0..<Int.random(in: 0..<40, using: &self)).map { index in
            LiveSamples.placement(
                "p\(index)", kinds.randomElement(using: &self) ?? "", name: name(), bearing: number(),
                distance: number(), more: #","alongRoute":\#(number())"#)
        }
        view.show(try LiveSamples.scene(placements.joined(separator: ",")))
        if Bool.random(using: &self) {
            var status: Waymark.Status = try Samples.decode(Samples.status)
            status.devices[0].name = name()
            status.devices[0].detail = name()
            status.devices[0].age = number()
            view.status = status
        }
        if Int.random(in: 0..<5, using: &self) == 0 {
            view.link = .away(since: name(), seconds: number(), problem: name())
        }
        var item: Waymark.Item = try Samples.decode(Samples.turn)
        (item.name, item.distance, item.bearing, item.turn) = (name(), number(), number(), number())
        view.ahead = [item, item]
        return view
    }
}
