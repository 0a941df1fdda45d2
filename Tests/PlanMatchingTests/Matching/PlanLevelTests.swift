import CAllocations
import Geometry
import PlanMatching
import Testing

@Suite("The level of a plan on which a wearer walks")
struct PlanLevelTests {
    /// A building whose levels look alike, with as many levels as there are numbers.
    private static func building(_ numbers: [Double]) throws -> (level: DrawnLevel, plan: FloorPlan) {
        let level = try CorridorWalk.level()
        let levels = numbers.map { PlanLevel(name: "\($0)", number: $0, features: level.features) }
        return (level, FloorPlan(id: "tower", name: "Tower", levels: levels))
    }

    /// Newest match of a walk, with heights that depend on the number of the step and of all steps.
    private static func match(
        _ plan: FloorPlan, _ level: DrawnLevel, seed: UInt64 = 3, steps: Int = .max, height: (Int, Int) -> Double?
    ) throws -> PlanMatch {
        let walk = CorridorWalk(turn: 0.1, scale: 1, seed: seed)
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([plan]), on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7)))
        var last: PlanMatch?
        for (index, displacement) in walk.displacements.enumerated().prefix(steps) {
            last = matcher.walk(displacement, height: height(index, walk.displacements.count)) ?? last
        }
        return try #require(last)
    }

    @Test("is the ground floor as long as nothing shows another, whatever the weather does")
    func ground() throws {
        let (level, plan) = try Self.building([-1, 0, 1, 2])
        let match = try Self.match(plan, level, steps: 30) { _, _ in nil }
        #expect(match.plan == 0 && match.level == 1)
        #expect((0.3...0.7).contains(match.levelProbability))
        #expect(try match == Self.match(plan, level, steps: 30) { 300 + 1.5 * Double($0) / Double($1) })
    }

    @Test("changes by stairs, which are climbed step by step", arguments: [1.0, -1])
    func stairs(direction: Double) throws {
        let (level, plan) = try Self.building(direction > 0 ? [0, 1] : [-1, 0])
        let match = try Self.match(plan, level) { index, count in
            300 + direction * min(3.8, max(0, 0.2 * Double(index - count / 3)))
        }
        #expect(match.plan == 0 && match.level == (direction > 0 ? 1 : 0))
        #expect(match.levelProbability > 0.7)
    }

    @Test(
        "is followed up a building without taking anything from the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() throws {
        let (level, plan) = try Self.building([-1, 0, 1, 2.5])
        let walk = CorridorWalk(turn: 0.1, scale: 1, seed: 6)
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([plan]), on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7)))
        for displacement in walk.displacements.prefix(20) { _ = matcher.walk(displacement, height: 300) }
        let before = waymark_allocations()
        for (index, displacement) in walk.displacements.dropFirst(20).enumerated() {
            _ = matcher.walk(displacement, height: 300 + 0.2 * Double(index))
        }
        #expect(waymark_allocations() == before)
    }

    @Test("changes by a lift between two steps, after which the spread is wider and comes back")
    func lift() throws {
        let (level, plan) = try Self.building([0, 1, 2, 3])
        var variances: [Double] = []
        let walk = CorridorWalk(turn: 0.1, scale: 1, seed: 3)
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([plan]), on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7)))
        var last: PlanMatch?
        for (index, displacement) in walk.displacements.enumerated() {
            guard let match = matcher.walk(displacement, height: index < walk.displacements.count / 2 ? 300 : 312.5)
            else { continue }
            variances.append(match.eastVariance + match.northVariance)
            last = match
        }
        let match = try #require(last)
        #expect(match.level == 3 && match.levelProbability > 0.6)
        let half = variances.count / 2
        let widest = try #require(variances[half..<half + 12].max())
        #expect(widest > 4 * variances[half - 1])
        #expect(try #require(variances.last) < 0.3 * widest)
    }

    @Test("is found by its walls where no barometer shows it")
    func walls() throws {
        let level = try CorridorWalk.level()
        var askew = try DrawnLevel()
        let turn = Rotation2(yaw: 0.7)
        for ring in [(19.5, 12.5), (16.5, 9.5)] {
            let corners = DrawnLevel.rectangle(Vector2(-ring.0, -ring.1), Vector2(ring.0, ring.1))
            askew.add(ring.0 > 17 ? .floor : .room, area: [corners.map { turn * $0 + Vector2(-4, 3) }])
        }
        let plan = FloorPlan(
            id: "tower", name: "Tower",
            levels: [
                PlanLevel(name: "0", number: 0, features: askew.features),
                PlanLevel(name: "1", number: 1, features: level.features),
            ])
        for seed in UInt64(1)...3 {
            let match = try Self.match(plan, level, seed: seed) { _, _ in nil }
            #expect(match.plan == 0 && match.level == 1 && match.levelProbability > 0.9)
        }
    }

    @Test("may have others that are not drawn between")
    func gap() throws {
        let (level, plan) = try Self.building([0, 2])
        let match = try Self.match(plan, level) { index, count in index < count / 2 ? 300 : 308.5 }
        #expect(match.level == 1 && match.levelProbability > 0.7)
    }

    @Test("may be one that is not drawn, from which the wearer comes back")
    func undrawn() throws {
        let (level, plan) = try Self.building([0])
        let above = try Self.match(plan, level) { index, count in index < count / 2 ? 300 : 304 }
        #expect(above.levelProbability < 0.1)
        let back = try Self.match(plan, level) { index, count in (2..<4).contains(8 * index / count) ? 304 : 300 }
        #expect(back.plan == 0 && back.levelProbability > 0.9)
    }

    @Test("is known again after a break")
    func known() throws {
        let (level, plan) = try Self.building([0, 1, 2])
        let library = PlanLibrary([plan])
        let (start, deviation) = (CorridorWalk.start, Vector2(0.7, 0.7))
        let walk = CorridorWalk(turn: 0, scale: 1, seed: 4)
        var first = try #require(PlanMatcher(library, on: level.plane, position: start, deviation: deviation))
        let climbed = walk.displacements.enumerated().compactMap { first.walk($1, height: $0 < 20 ? 300 : 308) }.last
        let match = try #require(climbed)
        #expect(match.level == 2)
        var second = try #require(
            PlanMatcher(
                library, on: level.plane, position: start, deviation: deviation, knowing: first.level(of: match)))
        let again = try #require(walk.displacements.prefix(10).compactMap { second.walk($0) }.last)
        #expect(again.level == 2 && again.levelProbability > 0.8)
    }
}
