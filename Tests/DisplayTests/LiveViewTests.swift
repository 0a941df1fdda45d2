import Display
import Testing
import WaymarkClient

@Suite("Live view")
struct LiveViewTests {
    @Test("a full pose fills every line")
    func full() throws {
        var view = LiveView()
        view.show(try Samples.pose())
        view.ahead = [try Samples.decode(Samples.turn)]
        #expect(
            view.lines() == [
                "state     localized",
                "position  47.3765432° 8.5481234°  431.3 m  ±2.1 m  ±3.4 m vertical",
                "          x +12.35  y -0.04  z -45.68 m in the scene, inferred",
                "heading   0.0° N from true north  ±4.2°, orientation tracked",
                "motion    on foot (97 %), 1.40 m/s towards 1° N",
                "frame     generation 1",
                "sources   inertial magnetometer",
                "time      90.250 s  2026-05-01T10:00:00.250000Z",
                "",
                "ahead     ↖    84.3 m  left into Mill Lane (turn, 120 m along the route)",
            ])
    }

    @Test("before the first pose it says what it waits for")
    func waiting() {
        #expect(LiveView().lines() == ["waiting for the first pose; see 'waymark status' for what is missing"])
    }

    @Test("what is not known is said to be so, and reasons are explained")
    func unknown() throws {
        var view = LiveView()
        view.show(
            try Samples.pose([
                "geo": nil, "heading": nil, "course": nil, "speed": nil, "motion": nil,
                "state": "limited", "sources": [String](),
                "reasons": ["noGNSSData", "tooCold"], "accuracy": [String: Double](), "utc": nil,
            ]))
        let text = view.lines().joined(separator: "\n")
        #expect(text.contains("state     limited\nbecause   no position fix"))
        #expect(text.contains("\n          tooCold\n"))
        #expect(text.contains("position  geographic position not known"))
        #expect(text.contains("heading   not known"))
        #expect(text.contains("motion    not known"))
        #expect(text.contains("sources   none"))
        #expect(text.contains("time      90.250 s\n"))
        #expect(text.contains("ahead     nothing"))
    }

    @Test("motion is shown as far as it is known: a mode without a velocity, or a velocity without a mode")
    func motion() throws {
        let speedless = try Samples.pose([
            "speed": nil, "course": nil, "motion": ["mode": "rest", "probability": 0.5] as [String: Any],
        ])
        var view = LiveView()
        view.show(speedless)
        #expect(view.lines().contains("motion    at rest (50 %)"))
        view.show(try Samples.pose(["motion": ["mode": "rest", "probability": 0.9996] as [String: Any]]))
        #expect(view.lines().contains("motion    at rest (>99 %), 1.40 m/s towards 1° N"))
        view.show(try Samples.pose(["motion": nil]))
        #expect(view.lines().contains("motion    1.40 m/s towards 1° N"))
        // What no daemon sends is still shown on one line.
        for probability in [-1e300, 1e300] {
            view.show(try Samples.pose(["motion": ["mode": "vehicle", "probability": probability] as [String: Any]]))
            #expect(view.lines().contains { $0.hasPrefix("motion    in a vehicle (") && !$0.contains("\n") })
        }
    }

    @Test("a correction of the frame is shown until it has ended, by the shorter way round")
    func slew() throws {
        var view = LiveView()
        view.frame = try Samples.decode(Samples.frame) as Waymark.Frame
        view.show(try Samples.pose())
        #expect(view.lines().contains("frame     generation 1, correcting 1.5° and 5.0 m, 1.8 s left"))
        view.show(try Samples.pose(["time": ["sec": 92, "nsec": 1]]))
        #expect(view.lines().contains("frame     generation 1, settled"))
        view.show(try Samples.pose(["generation": 2]))
        #expect(view.lines().contains("frame     generation 2"))
    }

    @Test("skipped poses are added up")
    func missed() throws {
        var view = LiveView()
        view.show(try Samples.pose(["missed": 3]))
        view.show(try Samples.pose(["missed": 4]))
        #expect(view.lines().contains { $0.hasSuffix("7 poses skipped") })
    }

    @Test("no more things ahead are shown than fit")
    func bounded() throws {
        var view = LiveView()
        view.show(try Samples.pose())
        view.ahead = Array(repeating: try Samples.decode(Samples.turn), count: 50)
        #expect(view.lines().filter { $0.contains("Mill Lane") }.count == LiveView.aheadLimit)
    }

    @Test("what is longer than a line goes on in the next one, with every word")
    func wrapped() throws {
        var view = LiveView()
        view.show(try Samples.pose(["state": "limited", "reasons": ["noGNSSData", "headingUncertain"]]))
        let whole = view.lines().joined(separator: " ").split(separator: " ")
        for columns in [40, 60, 79] {
            let lines = view.lines(columns: columns)
            #expect(lines.joined(separator: " ").split(separator: " ") == whole)
            #expect(lines.allSatisfy { $0.count <= columns || !$0.dropFirst(10).contains(" ") })
        }
    }

    @Test("names from outside cannot move the cursor")
    func hostile() throws {
        let item: Waymark.Item = try Samples.decode(Samples.cafe)
        #expect(AheadText.line(item) == "E   12.3 km  Café [2J (place)")
    }

    @Test("a plain line shows the pose without line breaks")
    func plain() throws {
        let line = PoseText.line(try Samples.pose(["sources": ["bad\n\u{1B}source"]]))
        #expect(line.hasPrefix("90.250 s  2026-05-01T10:00:00.250000Z  localized  47.3765432° 8.5481234°"))
        #expect(
            line.hasSuffix("  motion on foot (97 %), 1.40 m/s towards 1° N"))
        #expect(line.contains("heading 0.0° N from true north  ±4.2°, orientation tracked  "))
        #expect(!line.contains("\n"))
    }
}
