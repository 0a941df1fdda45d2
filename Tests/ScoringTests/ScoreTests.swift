import Estimation
import Scoring
import Testing

@Suite("The score")
struct ScoreTests {
    private static let short = ScoreCondition("walk, short", seconds: 60, outages: [50...58], changes: [.jumps])

    @Test("is the same whatever the number of jobs")
    func determinism() async throws {
        let one = await ConditionScore.play([Self.short, Self.short], seeds: [3], jobs: 1)
        let two = await ConditionScore.play([Self.short, Self.short], seeds: [3], jobs: 2)
        #expect(one.map(\.walks) == two.map(\.walks))
        #expect(one[0].walks == one[1].walks)
        #expect(one[0].worst(.outageEnd) != nil && one[0].worst(.yaw) != nil)
    }

    @Test("changes without a part that works in a walk, and not without one that has nothing to do in it")
    func parts() {
        let walk = SimulatedWalk(Self.short, seed: 3)
        let all = walk.track()
        func track(without part: EstimatorPart) -> Track {
            var settings = EstimatorSettings()
            settings.parts.remove(part)
            return walk.track(settings)
        }
        #expect(all.points.count > 500 && all == walk.track())
        #expect(track(without: .hypothesisBank) != all)
        #expect(track(without: .vehicleCourse) == all)
    }

    @Test("has a bit for each part")
    func bits() {
        for part in EstimatorPart.allCases {
            var parts = EstimatorParts.all
            parts.remove(part)
            #expect(EstimatorPart.allCases.filter { !parts.contains($0) } == [part])
        }
    }

    @Test("of an ablation names the part that moves nothing")
    func ablation() async throws {
        let ablation = await Ablation(
            [Self.short], sets: [[3], [4]], parts: [.vehicleCourse, .restUpdate], jobs: 2)
        let course = try #require(ablation.rows.first { $0.name == "vehicleCourse" })
        #expect(course.isUntouched && course.moved.isEmpty && course.verdict == "no pose changed")
        #expect(course.changes.count == 2)
        #expect(ablation.text.contains("Move nothing beyond the spread on any set: vehicleCourse"))
    }

    @Test("conditions have names of their own")
    func conditions() {
        let all = ScoreCondition.all
        #expect(Set(all.map(\.name)).count == all.count && all.count > 20)
        for condition in all {
            #expect(condition.outages.allSatisfy { $0.upperBound <= condition.seconds }, "\(condition.name)")
        }
    }

    @Test(
        "seeds are numbers and ranges",
        arguments: [("1-4", [1, 2, 3, 4]), ("7", [7]), ("1,3,8-9", [1, 3, 8, 9])])
    func seeds(text: String, expected: [UInt64]) { #expect(ScoreOptions.seeds(text) == expected) }

    @Test(
        "seeds that are not understood are refused",
        arguments: ["", "a", "4-1", "1-", "-3", "1,,2", "1-2-3", "1,1", "0-99999999999"])
    func refusedSeeds(text: String) { #expect(ScoreOptions.seeds(text) == nil) }

    @Test("the command line is understood or refused as a whole")
    func options() throws {
        let options = try ScoreOptions(
            ["--seeds", "1-2", "--seeds", "5", "--condition", "bus", "--jobs", "3"], jobs: 8)
        #expect(options.seeds == [[1, 2], [5]] && options.jobs == 3 && options.conditions == ["bus"])
        #expect(options.chooses("bus, tunnel", by: options.conditions))
        #expect(!options.chooses("walk", by: options.conditions) && options.chooses("walk", by: []))
        #expect(try ScoreOptions(["--without", "likeness"], jobs: 1).without == [.likeness])
        for wrong in [["--seeds"], ["--jobs", "0"], ["--unknown", "1"], ["walk"], ["--without", "all"]] {
            let problem = #expect(throws: ScoreOptions.Problem.self) { try ScoreOptions(wrong, jobs: 1) }
            #expect(problem?.argument == wrong.joined(separator: " "))
        }
    }
}
