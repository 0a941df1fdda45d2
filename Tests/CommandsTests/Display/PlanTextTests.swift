import Commands
import Testing
import WaymarkClient

@Suite("Floor plans in words")
struct PlanTextTests {
    private func plan(_ features: Int) throws -> Waymark.Plan {
        try Samples.decode(
            """
            {"id":"hall\\n1","name":"Main hall","levels":\(features),"features":\(features),"vertices":40,\
            "extent":{"south":47,"north":47.001,"west":8,"east":8.25},"imported":"2026-06-21T23:00:00.500000Z"}
            """)
    }

    @Test("what is known of a plan, a line each, whatever its id contains")
    func lines() throws {
        #expect(
            PlanText.lines(try plan(2)) == [
                "plan      Main hall",
                "id        hall 1",
                "levels    2",
                "features  2, with 40 points",
                "extent    47.0000000° 8.0000000° to 47.0010000° 8.2500000°",
                "imported  2026-06-21",
            ])
    }

    @Test("a table has a line for each plan, and says how to store one if there is none")
    func table() throws {
        let lines = PlanText.table([try plan(2), try plan(1)])
        #expect(lines.count == 3 && lines[1].hasPrefix("hall 1") && lines[1].hasSuffix("2026-06-21  Main hall"))
        #expect(PlanText.table([]) == ["No stored plans; `waymark plan import FILE` stores one."])
    }

    @Test("damaged files are named in the status, a row each")
    func damaged() throws {
        var status: Waymark.Status = try Samples.decode(Samples.status)
        #expect(!StatusText.lines(status).contains { $0.contains("damaged") })
        status.damagedPlans = ["/x/a.plan.damaged", "/x/b\u{1b}.plan"]
        #expect(
            StatusText.lines(status).filter { $0.contains("damaged") } == [
                "plans      damaged, not used: /x/a.plan.damaged; see waymark doctor",
                "           damaged, not used: /x/b .plan; see waymark doctor",
            ])
    }

    private func use(_ state: String) throws -> Waymark.PlanUse {
        try Samples.decode(
            #"""
            {"plan":"station","name":"Main\n\u001b[31m station","level":"F1","state":"\#(state)","planProbability":0.934,
            "levelProbability":0.81,"noPlanProbability":0.066}
            """#)
    }

    @Test("the plan in use, with probabilities, or that it does not fit")
    func inUse() throws {
        let texts = try ["used", "unfit", "uncertain"].map { state -> String? in
            var status: Waymark.Status = try Samples.decode(Samples.status)
            status.plan = try use(state)
            return StatusText.lines(status).first { $0.hasPrefix("plan") }
        }
        #expect(
            texts == [
                "plan       on Main  [31m station: 93 %, level F1 81 %",
                "plan       Main  [31m station does not fit: not used, no plan 7 %",
                "plan       perhaps on Main  [31m station: 93 %, level F1 81 %, no plan 7 %",
            ])
        #expect(
            ExplainText.lines([], plan: try use("used")) == [
                "Content has not moved.", "The wearer is on level F1 of the plan 'Main  [31m station'.",
            ])
        #expect(
            ExplainText.lines([], plan: try use("unfit")).last
                == "The plan 'Main  [31m station' does not fit: not used."
        )
        #expect(ExplainText.lines([], plan: try use("uncertain")).count == 1)
    }

    @Test("the result of an import")
    func imported() throws {
        #expect(PlanText.line(try plan(1)) == "Main hall stored as 'hall 1': 1 level, 1 feature, 40 points")
        #expect(PlanText.line(try plan(2)) == "Main hall stored as 'hall 1': 2 levels, 2 features, 40 points")
    }
}
