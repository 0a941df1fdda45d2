import Commands
import Testing
import WaymarkClient

@Suite("Why content moved, in words")
struct ExplainTextTests {
    private func correction(_ turn: Double, _ shift: Double, _ fields: String = "") throws -> Waymark.Correction {
        try Samples.decode(
            """
            {"time":{"sec":90,"nsec":500000000},"generation":1,"before":{"yaw":0,"east":0,"north":0,"up":0},
            "target":{"yaw":0,"east":0,"north":0,"up":0},"turn":\(turn),"shift":\(shift),"rise":0,
            "text":"content turned"\(fields.isEmpty ? ",\"large\":false,\"causes\":[\"gnssVelocity\"]" : fields)}
            """)
    }

    @Test("a large correction has a line of its own, small ones have one for each cause")
    func lines() throws {
        #expect(ExplainText.lines([]) == ["Content has not moved."])
        let large = try correction(4.2, 0, #","large":true,"utc":"2026-06-21T14:03:12.500000Z","causes":["steps"]"#)
        let field = #","large":false,"causes":["magnetometer"],"mainCause":"magnetometer""#
        let position = #","large":false,"causes":["gnssPosition"],"mainCause":"gnssPosition""#
        let small = [
            try correction(0.4, 0.02, field), try correction(0, 0.5, position), try correction(-0.1, 0.3, position),
        ]
        #expect(
            ExplainText.lines([small[0], large] + small[1...]) == [
                "14:03:12  content turned", "And 1 small correction due to the magnetometer, of 0.4° and 0.0 m.",
                "And 2 small corrections due to the GNSS position, of 0.1° and 0.5 m at most.",
            ])
        #expect(
            ExplainText.lines([try correction(0.01, 0), try correction(0.01, 0)]) == [
                "2 small corrections, of less than 0.1° and 0.1 m."
            ])
        let asked = try correction(4.2, 0, #","large":false,"causes":["steps"],"moved":1.25,"angle":3.4"#)
        #expect(ExplainText.lines([asked]) == ["90.5 s  content turned; it moved 1.3 m, seen 3.4° aside"])
        let little = #","large":false,"causes":["steps"],"mainCause":"steps","moved":0.1,"angle":0.2"#
        #expect(
            ExplainText.lines([try correction(0.1, 0, little), try correction(0.2, 0, little)]) == [
                "2 small corrections due to steps, of 0.2° and 0.0 m at most; it moved 0.1 m at most."
            ])
        let use =
            #"{"plan":"station","name":"","level":"F1","state":"used","planProbability":0.9,"#
            + #""levelProbability":0.9,"noPlanProbability":0.1}"#
        let plan = #","large":false,"causes":["plan"],"mainCause":"plan","plan":"# + use
        #expect(
            ExplainText.lines([try correction(0, 2.1, plan)]) == [
                "1 small correction due to the plan 'station', level F1, of 0.0° and 2.1 m."
            ])
        let path = #","large":false,"causes":["path"],"mainCause":"path""#
        #expect(
            ExplainText.lines([try correction(0, 1.4, path)]) == [
                "1 small correction due to a path or the route, of 0.0° and 1.4 m."
            ])
        let event = try correction(0, 0, #","large":false,"causes":["newGeneration"]"#)
        #expect(ExplainText.lines([event]).count == 1)
    }
}
