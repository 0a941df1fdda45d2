import Commands
import Fleet
import Testing

@Suite("View of a fleet")
struct FleetViewTests {
    private static func text(_ view: FleetView, _ rows: Int, _ columns: Int, unicode: Bool = true) -> [String] {
        view.picture(rows: rows, columns: columns, canvas: Canvas(unicode: unicode, colour: false)).lines
    }

    /// Row and column of the only place where a text stands.
    private static func place(_ text: String, in lines: [String], from column: Int = 0) throws -> (
        row: Int, column: Int
    ) {
        for (row, line) in lines.enumerated() {
            let signs = Array(line)
            let wanted = Array(text)
            guard signs.count >= wanted.count + column else { continue }
            for start in column...(signs.count - wanted.count)
            where Array(signs[start..<start + wanted.count]) == wanted {
                return (row, start)
            }
        }
        throw NotFound(text: text, picture: "\n" + lines.joined(separator: "\n"))
    }

    private struct NotFound: Error {
        let text: String
        let picture: String
    }

    @Test("Each wearer has a row with condition, age and accuracy, and the title counts them")
    func rows() throws {
        let lines = Self.text(FleetSamples.view(FleetSamples.three, at: 12), 24, 120)
        #expect(lines[0].hasPrefix("● 3 wearers  1 localized  1 not localized  1 in trouble"))
        #expect(lines[0].hasSuffix("00:00:12 UTC"))
        let ada = try #require(lines.first { $0.contains("● ada") })
        #expect(ada.contains("localized") && ada.contains("12 s") && ada.contains("±2.5 m") && ada.contains("→ 90°"))
        #expect(try #require(lines.first { $0.contains("● bob") }).contains("limited"))
        #expect(try #require(lines.first { $0.contains("● eve") }).contains("no daemon"))
    }

    @Test("On the map east is to the right and north above, marks point where wearers look, and a scale has its length")
    func map() throws {
        let lines = Self.text(FleetSamples.view(FleetSamples.three), 30, 120)
        let ada = try Self.place("→", in: lines, from: 64)
        let bob = try Self.place("●", in: Array(lines[..<ada.row]), from: 64)
        let eve = try Self.place("●", in: [lines[ada.row]], from: 64)
        let metresPerColumn = 200.0 / Double(eve.column - ada.column)
        #expect(bob.row < ada.row && abs(bob.column - ada.column) <= 1)
        #expect(eve.column > ada.column)
        // A cell is twice as high as wide.
        #expect(abs(Double(ada.row - bob.row) * 2 * metresPerColumn - 200) < 3 * metresPerColumn)
        let bar = try #require(lines.last { $0.contains("├") })
        let parts = try #require(bar.firstMatch(of: #/(├─*┤) (\d+) m/#))
        let length = try #require(Double(parts.2))
        #expect(abs(Double(parts.1.count) * metresPerColumn - length) < 1.5 * metresPerColumn)
    }

    @Test("The map stands still while wearers walk within it, and follows when one leaves it")
    func standsStill() throws {
        var view = FleetSamples.view(FleetSamples.three)
        let before = try Self.place("● bob", in: Self.text(view, 30, 120), from: 64)
        let walked = FleetSamples.roster(
            [("ada/pose", FleetSamples.pose(2, latitude: 47.0002, longitude: 8, at: 1))], into: FleetSamples.three)
        view.show(walked, now: FleetSamples.time(2))
        #expect(try Self.place("● bob", in: Self.text(view, 30, 120), from: 64) == before)
        let gone = FleetSamples.roster(
            [("ada/pose", FleetSamples.pose(3, latitude: 46.99, longitude: 8, at: 2))], into: walked)
        view.show(gone, now: FleetSamples.time(3))
        let lines = Self.text(view, 30, 120)
        // 1300 m apart now, and before 200 m.
        #expect(try Self.place("● ada", in: lines, from: 64).row > Self.place("● bob", in: lines, from: 64).row + 20)
    }

    @Test(
        "Wearers on both sides of a meridian, at a pole and at the antipodes are all on the map",
        arguments: [
            [(0.0, 179.9995), (0.0, -179.9995)], [(89.9999, 0.0), (89.9999, 180.0)], [(47.0, 8.0), (-47.0, -172.0)],
            [(0.0, 0.0), (0.0, 0.0)],
        ])
    func everywhere(places: [(Double, Double)]) throws {
        let messages = zip(["ada", "bob"], places).map { name, place in
            ("\(name)/pose", FleetSamples.pose(1, latitude: place.0, longitude: place.1, at: 0))
        }
        let view = FleetSamples.view(FleetSamples.roster(messages))
        let map = Self.text(view, 30, 120).map { String($0.dropFirst(62)) }
        let marks = map.joined().filter { $0 == "●" }.count
        #expect(marks == (places[0] == places[1] ? 1 : 2))
    }

    @Test("Keys select a wearer, of whom all that is known is shown")
    func selection() throws {
        let messages = [
            ("bob/event", #"{"time":"\#(FleetSamples.time(0))","sequence":1,"kind":"arrived","text":"Inn\u001b[2J"}"#),
            (
                "bob/health",
                #"{"time":"\#(FleetSamples.time(0))","queue":{"poses":3,"events":1,"droppedPoses":4,"lostEvents":0},"#
                    + #""advice":["Go outside."]}"#
            ),
        ]
        var view = FleetSamples.view(FleetSamples.roster(messages, into: FleetSamples.three), at: 5)
        #expect(Self.text(view, 30, 120).contains { $0.hasPrefix("ada: localized, foot") })
        view.press("j")
        let text = Self.text(view, 30, 120).joined(separator: "\n")
        #expect(text.contains("▶● bob") && text.contains("bob: limited"))
        #expect(text.contains("arrived Inn [2J, 5 s ago") && text.contains("advice: Go outside."))
        for _ in 0..<9 { view.press("j") }
        #expect(Self.text(view, 30, 120).contains { $0.hasPrefix("▶● eve") })
        for _ in 0..<9 { view.press("k") }
        #expect(Self.text(view, 30, 120).contains { $0.hasPrefix("▶● ada") })
    }

    @Test("A key puts those first that need attention")
    func order() {
        var view = FleetSamples.view(FleetSamples.three)
        view.press("o")
        let names = Self.text(view, 24, 120).compactMap { $0.firstMatch(of: #/^[ ▶]● (\w+)/#)?.1 }
        #expect(names == ["eve", "bob", "ada"])
    }

    @Test("Numbers at the end of identifiers are in their order")
    func numbers() {
        let names = ["helmet-10", "helmet-9", "a2", "b1", "helmet", "helmet-100"]
        let roster = FleetSamples.roster(names.map { ("\($0)/state", FleetSamples.state()) })
        let lines = Self.text(FleetSamples.view(roster), 24, 120)
        #expect(
            lines.compactMap { $0.firstMatch(of: #/^[ ▶]● (\S+)/#)?.1 }
                == ["a2", "b1", "helmet", "helmet-9", "helmet-10", "helmet-100"])
    }

    @Test("Keys magnify the map around the selected wearer, and show all again")
    func zoom() throws {
        var view = FleetSamples.view(FleetSamples.three)
        let all = Self.text(view, 30, 120)
        for _ in 0..<6 { view.press("+") }
        let near = Self.text(view, 30, 120)
        #expect(throws: NotFound.self) { try Self.place("bob", in: near, from: 64) }
        let ada = try Self.place("→", in: near, from: 64)
        #expect(abs(ada.row - 14) <= 1 && abs(ada.column - 92) <= 2)
        view.press("0")
        #expect(Self.text(view, 30, 120) == all)
    }

    @Test("The selected wearer stays in sight in a list that is longer than the screen")
    func longList() {
        let many = FleetSamples.roster((0..<200).map { ("w\(1000 + $0)/state", FleetSamples.state()) })
        var view = FleetSamples.view(many)
        for _ in 0..<150 { view.press("j") }
        let lines = Self.text(view, 24, 80)
        #expect(lines.contains { $0.hasPrefix("▶● w1150") })
        #expect(lines.contains { $0.contains("more") })
    }

    @Test("Nothing is drawn beyond the terminal, and nothing ends the program, in any size")
    func sizes() {
        let view = FleetSamples.view(FleetSamples.three)
        for rows in 1...40 {
            for columns in [1, 2, 5, 11, 12, 23, 24, 40, 89, 90, 91, 200] {
                for unicode in [true, false] {
                    let lines = Self.text(view, rows, columns, unicode: unicode)
                    #expect(lines.count == rows && lines.allSatisfy { $0.count <= columns })
                    #expect(unicode || lines.allSatisfy { $0.allSatisfy(\.isASCII) })
                }
            }
        }
    }

    @Test("A broker that is gone is reported above what was last known")
    func away() {
        var view = FleetSamples.view(FleetSamples.three, at: 100)
        view.link = .away(since: FleetSamples.time(40), problem: "mqtt://127.0.0.1:1883: refused")
        let lines = Self.text(view, 30, 120)
        #expect(lines[1] == "no broker for 1 min; connecting again and again")
        #expect(lines[2] == "mqtt://127.0.0.1:1883: refused")
        #expect(lines.contains { $0.contains("● ada") })
    }

    @Test("A silent fleet, and messages that are none, are explained")
    func explanations() {
        let silent = FleetSamples.view(FleetRoster(root: "waymark"), at: 6)
        #expect(Self.text(silent, 30, 120)[1].hasPrefix("nothing has come on waymark/+/+"))
        let wrong = FleetSamples.view(FleetSamples.roster([("ada/pose", "{}")]), at: 1)
        #expect(Self.text(wrong, 30, 120)[1].hasPrefix("1 messages refused, the last: ada/pose"))
    }

    @Test("A wearer who has gone is not what the map is made for, unless all have gone")
    func gone() throws {
        let lost = FleetSamples.roster([("eve/state", #"{"online":false}"#)], into: FleetSamples.three)
        let lines = Self.text(FleetSamples.view(lost), 30, 120)
        #expect(try #require(lines.first { $0.contains("● eve") }).contains("connection lost"))
        #expect(throws: NotFound.self) { try Self.place("eve", in: lines, from: 64) }
        let all = FleetSamples.roster(
            [("ada/state", #"{"online":false}"#), ("bob/state", #"{"online":false}"#)], into: lost)
        _ = try Self.place("eve", in: Self.text(FleetSamples.view(all), 30, 120), from: 64)
    }

    @Test(
        "A wearer's condition is the worst that is known",
        arguments: [
            (#""daemon":true,"state":"localized""#, 1.0, "localized"), (#""daemon":false"#, 1, "no daemon"),
            (#""daemon":true,"state":"localized","withheld":true"#, 1, "private"),
            (#""daemon":true,"state":"localized""#, 200, "silent"), (#""daemon":true"#, 1, "no pose yet"),
            (#""daemon":true,"state":"dreaming""#, 1, "dreaming"),
        ])
    func conditions(members: String, seconds: Double, word: String) {
        let view = FleetSamples.view(FleetSamples.roster([("ada/state", FleetSamples.state(members))]), at: seconds)
        #expect(Self.text(view, 10, 80).contains { $0.contains("● ada") && $0.contains(word) })
    }
}
