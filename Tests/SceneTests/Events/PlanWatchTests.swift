import Model
import Scene
import Testing

@Suite("Changes of the plan that is used")
struct PlanWatchTests {
    /// Use after a way in metres.
    private static func use(
        _ plan: String = "station", _ level: String = "F1", likely: Double, level share: Double? = nil,
        none: Double? = nil, distance: Double = 40
    ) -> PlanUse {
        PlanUse(
            plan: plan, name: "Main \(plan)", level: level, planProbability: likely, levelProbability: share ?? likely,
            noPlanProbability: none ?? 1 - likely, distance: distance)
    }

    /// Changes of uses that each last for ten seconds, with their times in seconds.
    private static func changes(_ uses: [PlanUse?], _ watch: inout PlanWatch) -> [String] {
        uses.enumerated().flatMap { number, use in
            (0..<10).compactMap { second in
                let time = number * 10 + second
                return watch.update(use, at: BootTime(nanoseconds: Int64(time) * 1_000_000_000)).map {
                    "\(time): \($0.kind) \($0.use.plan) \($0.use.level) \($0.use.state)"
                }
            }
        }
    }

    private static func changes(_ uses: [PlanUse?]) -> [String] {
        var watch = PlanWatch()
        return changes(uses, &watch)
    }

    @Test("are reported once: entered, on another level, left after a while")
    func entered() {
        let reports = Self.changes([
            nil, Self.use(likely: 0.6), Self.use(likely: 0.85), Self.use(likely: 0.6),
            Self.use("station", "F2", likely: 0.9, level: 0.6), Self.use("station", "F2", likely: 0.95), nil, nil, nil,
        ])
        #expect(
            reports == [
                "20: entered station F1 used", "50: levelChanged station F2 used", "75: left station F2 used",
            ])
    }

    @Test("say that no plan fits only after some way, and once")
    func unfit() {
        let bad = Self.use(likely: 0.05)
        #expect(Self.changes([Self.use(likely: 0.05, distance: 20)]).isEmpty)
        #expect(Self.changes([bad, bad]) == ["0: unfit station F1 unfit"])
        let reports = Self.changes([bad, Self.use(likely: 0.9)])
        #expect(reports.last == "10: entered station F1 used")
        let better = Self.use(likely: 0.6)
        #expect(Self.changes([bad, better, better, better]).last == "25: left station F1 unfit")
    }

    @Test("come at most every five seconds, however probabilities flicker")
    func rate() {
        var watch = PlanWatch()
        var times: [Double] = []
        for second in 0..<600 {
            let use = second % 2 == 0 ? Self.use(likely: 0.99) : Self.use("other", likely: 0.99)
            let time = BootTime(nanoseconds: Int64(second) * 1_000_000_000)
            if watch.update(use, at: time) != nil { times.append(time.seconds) }
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 4.99 } && times.count > 10)
    }

    @Test("give a use its state until it is left")
    func evaluated() {
        var watch = PlanWatch()
        #expect(watch.evaluated(nil) == nil)
        #expect(watch.evaluated(Self.use(likely: 0.99))?.state == .uncertain)
        _ = Self.changes([Self.use(likely: 0.99)], &watch)
        #expect(watch.evaluated(Self.use(likely: 0.6))?.state == .used)
        #expect(watch.evaluated(Self.use("other", likely: 0.6))?.state == .uncertain)
        _ = Self.changes([Self.use(likely: 0.01)], &watch)
        #expect(watch.evaluated(Self.use("other", likely: 0.1))?.state == .unfit)
    }
}
