import Commands
import Testing
import WaymarkClient

@Suite("Pose in words")
struct PoseTextTests {
    @Test("a plain line shows the pose without line breaks")
    func plain() throws {
        let line = PoseText.line(try Samples.pose(["sources": ["bad\n\u{1B}source"]]))
        #expect(line.hasPrefix("90.250 s  2026-05-01T10:00:00.250000Z  localized  47.3765432° 8.5481234°"))
        #expect(
            line.hasSuffix("  motion on foot (97 %), 1.40 m/s towards 1° N"))
        #expect(line.contains("heading 0.0° N from true north  ±4.2°, orientation tracked  "))
        #expect(!line.contains("\n"))
    }

    @Test("what is not known is named, and motion is shown as far as it is known")
    func unknown() throws {
        let bare = PoseText.line(
            try Samples.pose([
                "geo": nil, "heading": nil, "course": nil, "speed": nil, "motion": nil, "utc": nil, "state": "limited",
                "reasons": ["noGNSSData", "tooCold"], "accuracy": [String: Double](),
            ]))
        #expect(bare.contains("limited (noGNSSData, tooCold)  geographic position not known"))
        #expect(bare.contains("heading not known"))
        #expect(bare.hasSuffix("motion not known"))
        let still = ["mode": "rest", "probability": 0.9996] as [String: Any]
        let resting = PoseText.line(try Samples.pose(["speed": nil, "course": nil, "motion": still]))
        #expect(resting.hasSuffix("motion at rest (>99 %)"))
        #expect(PoseText.line(try Samples.pose(["motion": nil])).hasSuffix("motion 1.40 m/s towards 1° N"))
        // What no daemon sends is still shown on one line.
        for probability in [-1e300, 1e300] {
            let odd = ["mode": "vehicle", "probability": probability] as [String: Any]
            #expect(!PoseText.line(try Samples.pose(["motion": odd])).contains("\n"))
        }
    }

    @Test("names from outside cannot move the cursor")
    func hostile() throws {
        let item: Waymark.Item = try Samples.decode(Samples.cafe)
        #expect(AheadText.table([item]).allSatisfy { !$0.contains("\u{1B}") })
    }
}
