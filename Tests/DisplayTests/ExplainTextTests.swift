import Display
import Testing
import WaymarkClient

@Suite("Why content moved, in words")
struct ExplainTextTests {
    private func correction(_ turn: Double, _ shift: Double, _ fields: String = "") throws -> Correction {
        try Samples.decode(
            """
            {"time":{"sec":90,"nsec":500000000},"generation":1,"before":{"yaw":0,"east":0,"north":0,"up":0},
            "target":{"yaw":0,"east":0,"north":0,"up":0},"turn":\(turn),"shift":\(shift),"rise":0,
            "text":"content turned"\(fields.isEmpty ? ",\"causes\":[\"gnssVelocity\"]" : fields)}
            """)
    }

    @Test("what can be seen has a line, the rest is counted")
    func lines() throws {
        #expect(ExplainText.lines([]) == ["Content has not moved."])
        let seen = try correction(4.2, 0, #","utc":"2026-06-21T14:03:12.500000Z","causes":["steps"]"#)
        #expect(
            ExplainText.lines([seen, try correction(0.01, 0.02), try correction(0, 0.5)]) == [
                "14:03:12  content turned", "90.5 s  content turned",
                "And 1 correction of less than 0.2° and 0.1 m.",
            ])
        #expect(
            ExplainText.lines([try correction(0.01, 0), try correction(0.01, 0)]) == [
                "2 corrections of less than 0.2° and 0.1 m each."
            ])
        let asked = try correction(4.2, 0, #","causes":["steps"],"moved":1.25,"angle":3.4"#)
        #expect(ExplainText.lines([asked]) == ["90.5 s  content turned; it moved 1.3 m, seen 3.4° aside"])
        let event = try correction(0, 0, #","causes":["newGeneration"]"#)
        #expect(ExplainText.lines([event]).count == 1)
    }
}
