import Commands
import Foundation
import Testing
import WaymarkClient

@Suite("Instruments of the live view")
struct InstrumentTests {
    /// Row of the ribbon's scale, and the text below it.
    private static func ribbon(heading: Double, places: String = "") throws -> (marks: String, scale: String) {
        let lines = try LiveSamples.view(heading: heading, places: places).lines(24, 81)
        let row = try #require(lines.firstIndex { $0.contains("▲ ") })
        return (lines[row - 2], lines[row - 1])
    }

    private static func column(of text: Character, in line: String) -> Int? {
        let signs = Array(line)
        return signs.indices.first { signs[$0] == text && ($0 + 1 == signs.count || !signs[$0 + 1].isLetter) }
    }

    @Test("north is in the middle at a heading of 0°, and on its side of the middle on either side of 0°")
    func north() throws {
        // The middle of 81 columns; 1.5° a column.
        #expect(try Self.column(of: "N", in: Self.ribbon(heading: 0).scale) == 40)
        #expect(try Self.column(of: "N", in: Self.ribbon(heading: 359.9).scale) == 40)
        #expect(try Self.column(of: "N", in: Self.ribbon(heading: 345).scale) == 50)
        #expect(try Self.column(of: "N", in: Self.ribbon(heading: 15).scale) == 30)
        #expect(try Self.ribbon(heading: 90).scale.contains("E"))
        let text = try LiveSamples.view(heading: 359.96).text(24, 80)
        #expect(text.contains("▲ 0.0° N"))
    }

    @Test("a mark is at its bearing, across north too", arguments: [(10.0, 350.0), (350, 10), (180, 200), (0, 359.5)])
    func bearings(heading: Double, bearing: Double) throws {
        let place = LiveSamples.placement("p", "place", name: "Inn", bearing: bearing, distance: 50)
        let column = try Self.column(of: "◆", in: Self.ribbon(heading: heading, places: place).marks)
        let turn = (bearing - heading).remainder(dividingBy: 360)
        #expect(column == 40 + Int((turn / (121.5 / 81)).rounded()))
    }

    @Test("names do not overlap, the next turn and what is nearest come first, and what has no room is left out")
    func crowd() throws {
        let crowd = (0..<60).map {
            LiveSamples.placement(
                "p\($0)", "place", name: "Place \($0)", bearing: Double($0), distance: Double(50 + $0))
        }
        let turn = LiveSamples.placement("t", "turn", name: "Turn left", bearing: 30, distance: 500)
        let lines = try LiveSamples.view(heading: 30, places: (crowd + [turn]).joined(separator: ",")).lines(24, 80)
        let row = try #require(lines.firstIndex { $0.contains("▲ ") })
        let names = lines[1..<row - 2].joined(separator: "  ")
        #expect(names.contains("Turn left 500 m") && names.contains("Place 0 50.0 m"))
        #expect(names.matches(of: #/Place \d+/#).count < 20)
        // A name stands as a whole, with space around it.
        for name in names.split(separator: "  ") {
            let whole = name.trimmingCharacters(in: .whitespaces)
            #expect(whole.wholeMatch(of: #/(Place \d+|Turn left)( [\d.]+ m)?/#) != nil, "\(whole)")
        }
    }

    @Test("the next turn and the destination beyond the ribbon are named at its border")
    func beyond() throws {
        let text = try LiveSamples.view(heading: 42).lines(24, 80)
        #expect(text.contains { $0.hasSuffix("Home ▶") })
        #expect(try LiveSamples.view(heading: 320).lines(24, 80).contains { $0.hasPrefix("◀ Home") })
    }

    @Test("names of wide letters and of marks alone take the columns that a terminal gives them")
    func wide() throws {
        let place = LiveSamples.placement("p", "place", name: "東京タワー", bearing: 42, distance: 50)
        let picture = try LiveSamples.view(heading: 42, places: place).picture(
            rows: 24, columns: 80, time: LiveSamples.time, canvas: Canvas(colour: false))
        let bytes = (0..<24).map { String(decoding: picture.bytes(row: $0), as: UTF8.self) }
        let row = try #require(bytes.first { $0.contains("東") })
        // The column behind each is given by number, for terminals that would have it elsewhere.
        #expect(row.contains("東\u{1B}["))
        #expect(picture.lines.contains { $0.contains("東京タワー 50.0 m") })
        #expect(
            try LiveSamples.view(heading: 42, places: place).text(24, 80, unicode: false).contains("?????????? 50.0 m"))
    }

    @Test(
        "pitch is up from the horizon, and roll is positive with the right side down",
        arguments: [
            // Axis of the rotation from body to scene, angle, pitch, roll.
            ("x", 10.0, "pitch +10°  roll +0°"), ("x", -90, "pitch -90°"), ("z", -30, "pitch +0°  roll +30°"),
            ("z", 30, "pitch +0°  roll -30°"), ("z", 180, "roll"), ("y", 77, "pitch +0°  roll +0°"),
        ])
    func attitude(axis: String, angle: Double, text: String) throws {
        var turn = ["x": 0.0, "y": 0, "z": 0, "w": cos(angle * .pi / 360)]
        turn[axis] = sin(angle * .pi / 360)
        var view = LiveView()
        view.show(try Samples.pose(["orientation": turn]))
        #expect(view.text(24, 80).contains(text))
    }

    @Test("the ground is below the line of sight upright, and above it upside down", arguments: [0.0, 180, -180])
    func ground(roll: Double) throws {
        var view = LiveView()
        view.show(
            try Samples.pose(["orientation": ["x": 0, "y": 0, "z": -sin(roll * .pi / 360), "w": cos(roll * .pi / 360)]])
        )
        let picture = view.picture(rows: 24, columns: 80, time: LiveSamples.time, canvas: Canvas())
        let rows = (0..<24).map { String(decoding: picture.bytes(row: $0), as: UTF8.self) }
        let sky = try #require(rows.firstIndex { $0.contains("\u{1B}[0;97;48;5;25m") })
        let ground = try #require(rows.firstIndex { $0.contains("\u{1B}[0;97;48;5;94m") })
        #expect((sky < ground) == (roll == 0))
    }

    @Test("ahead is up on the radar, and what is beyond the range is on its rim")
    func radar() throws {
        func row(_ bearing: Double, _ distance: Double) throws -> Int {
            let anchor = LiveSamples.placement("x", "anchor", name: "", bearing: bearing, distance: distance)
            let lines = try LiveSamples.view(heading: 300, places: anchor).lines(24, 80)
            return try #require(lines.lastIndex { $0.contains("✚") })
        }
        let (ahead, near, behind) = (try row(300, 99), try row(300, 40), try row(120, 99))
        #expect(ahead < near && near < behind)
        #expect(try row(300, 5000) == ahead)
    }
}
