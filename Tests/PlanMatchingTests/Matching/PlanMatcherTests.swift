import CAllocations
import Geometry
import PlanMatching
import Testing

@Suite("Plan matcher")
struct PlanMatcherTests {
    @Test("a right plan takes most of the error of dead reckoning away, and its accuracy covers the rest")
    func rightPlan() throws {
        let level = try CorridorWalk.level()
        var (covered, errors, unaided, probability) = (0, 0.0, 0.0, 0.0)
        for seed in UInt64(1)...12 {
            let walk = CorridorWalk(turn: seed % 2 == 0 ? 0.2 : -0.15, scale: 0.96, seed: seed)
            let result = try #require(walk.followed(on: level))
            errors += result.error
            unaided += result.unaided
            #expect(result.match.plan == 0)
            probability += result.match.probability / 12
            let variance = (result.match.eastVariance + result.match.northVariance) / 2
            if result.error < 1.515 * variance.squareRoot() { covered += 1 }
        }
        #expect(errors < 0.35 * unaided)
        #expect(probability > 0.7)
        #expect((6...12).contains(covered))
    }

    @Test("the turn of the published way is found")
    func turn() throws {
        let level = try CorridorWalk.level()
        var (error, turn) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let walk = CorridorWalk(turn: seed % 2 == 0 ? 0.25 : -0.25, scale: 1, seed: seed)
            let match = try #require(walk.followed(on: level)).match
            #expect((match.turn - walk.lastTurn).magnitude < 3 * match.turnDeviation)
            error += (match.turn - walk.lastTurn).magnitude
            turn += walk.lastTurn.magnitude
        }
        #expect(error < 0.6 * turn)
    }

    @Test("a published direction that is corrected wrongly does not turn the particles")
    func wrongCorrection() throws {
        let level = try CorridorWalk.level()
        var (errors, untold) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let walk = CorridorWalk(turn: 0, scale: 1, seed: seed, correction: seed % 2 == 0 ? 0.5 : -0.5)
            let steps = walk.displacements.count / 2 + 8
            errors += try #require(walk.followed(on: level, steps: steps)).error
            var other = walk
            other.forgetCorrection()
            untold += try #require(other.followed(on: level, steps: steps)).error
        }
        #expect(errors < 0.7 * untold)
    }

    @Test("a plan of another place is not trusted, and costs little")
    func wrongPlan() throws {
        // The same corridors, askew: no walk fits them.
        var level = try DrawnLevel()
        let turn = Rotation2(yaw: 0.7)
        for ring in [(19.5, 12.5), (16.5, 9.5)] {
            let corners = DrawnLevel.rectangle(Vector2(-ring.0, -ring.1), Vector2(ring.0, ring.1))
            level.add(ring.0 > 17 ? .floor : .room, area: [corners.map { turn * $0 + Vector2(-4, 3) }])
        }
        var (errors, unaided, trusted) = (0.0, 0.0, 0)
        for seed in UInt64(1)...12 {
            let walk = CorridorWalk(turn: seed % 2 == 0 ? 0.2 : -0.15, scale: 0.96, seed: seed)
            let result = try #require(walk.followed(on: level))
            errors += result.error
            unaided += result.unaided
            if result.match.plan != nil, result.match.probability > 0.8 { trusted += 1 }
        }
        #expect(errors < 1.25 * unaided)
        #expect(trusted <= 4)
    }

    @Test("where nothing is drawn, nothing is learned")
    func openSpace() throws {
        var level = try DrawnLevel()
        level.add(.floor, area: [DrawnLevel.rectangle(Vector2(-200, -200), Vector2(200, 200))])
        let walk = CorridorWalk(turn: 0.2, scale: 0.96, seed: 1)
        let result = try #require(walk.followed(on: level))
        #expect((0.5...0.8).contains(result.match.probability))
        #expect((result.error - result.unaided).magnitude < 1.5)
    }

    @Test("a long corridor shows neither the length of steps nor a side of it", arguments: [1.0, 2.5])
    func straightCorridor(half: Double) throws {
        var level = try DrawnLevel()
        level.add(.floor, area: [DrawnLevel.rectangle(Vector2(-45, -half), Vector2(90, half))])
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([level.plan]), on: level.plane, position: Vector2(-35, 0), deviation: Vector2(0.5, 0.5)))
        let matches = (0..<100).compactMap { _ in matcher.walk(Vector2(0.7, 0)) }
        let last = try #require(matches.last)
        #expect((last.position.x - 35).magnitude < 2)
        #expect(last.position.y.magnitude < 0.4)
        // Lengths were taken to be right to 6 %, of 70 m.
        #expect((3.7...5.7).contains(last.eastVariance.squareRoot()))
    }

    @Test("a direction that a plan has corrected is no evidence for the plan", arguments: [0, 0.5])
    func ownCorrection(after share: Double) throws {
        let level = try CorridorWalk.level()
        let library = PlanLibrary([level.plan])
        let walk = CorridorWalk(turn: 0.2, scale: 1, seed: 3)
        let (correction, first) = (0.5, Int(share * Double(walk.displacements.count)))
        func matcher(byPlans planned: Double) -> PlanMatcher? {
            PlanMatcher(
                library, on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7),
                directionDeviation: 0.1, byPlans: planned)
        }
        var plain = try #require(matcher(byPlans: 0))
        var corrected = try #require(matcher(byPlans: first == 0 ? correction : 0))
        for (index, displacement) in walk.displacements.enumerated() {
            let planned = index >= first ? correction : 0
            let expected = plain.walk(displacement)
            let found = corrected.walk(
                Rotation2(yaw: planned) * displacement, correction: index == first && first > 0 ? planned : 0,
                byPlans: planned)
            #expect((found == nil) == (expected == nil))
            guard let found, let expected else { continue }
            #expect((found.position - expected.position).norm < 0.3)
            #expect((found.turn + planned - expected.turn).magnitude < 0.02)
            #expect((found.probability - expected.probability).magnitude < 0.02)
        }
    }

    @Test("the same ways give the same bits, wherever the origin is")
    func determinism() throws {
        let level = try CorridorWalk.level()
        let walk = CorridorWalk(turn: 0.1, scale: 1, seed: 5)
        let first = try #require(walk.followed(on: level)).match
        #expect(first == walk.followed(on: level)?.match)
        let offset = Vector2(1000, -500)
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([level.plan]), on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7)))
        matcher.shift(by: offset)
        let last = walk.displacements.compactMap { matcher.walk($0) }.last
        let shifted = try #require(last)
        #expect((shifted.position - offset - first.position).norm < 1e-9)
        #expect(shifted.probability == first.probability)
    }

    @Test(
        "a step takes nothing from the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() throws {
        let level = try CorridorWalk.level()
        let walk = CorridorWalk(turn: 0.1, scale: 1, seed: 6)
        var matcher = try #require(
            PlanMatcher(
                PlanLibrary([level.plan]), on: level.plane, position: CorridorWalk.start, deviation: Vector2(0.7, 0.7)))
        for displacement in walk.displacements.prefix(20) { _ = matcher.walk(displacement) }
        let before = waymark_allocations()
        for displacement in walk.displacements.dropFirst(20) { _ = matcher.walk(displacement) }
        #expect(waymark_allocations() == before)
    }

    @Test("plans that are elsewhere are not begun with")
    func elsewhere() throws {
        let level = try CorridorWalk.level()
        let library = PlanLibrary([level.plan])
        let deviation = Vector2(1, 1)
        #expect(PlanMatcher(library, on: level.plane, position: Vector2(60, 0), deviation: deviation) == nil)
        #expect(PlanMatcher(library, on: level.plane, position: Vector2(25, 0), deviation: deviation) != nil)
        #expect(PlanMatcher(PlanLibrary(), on: level.plane, position: Vector2(), deviation: deviation) == nil)
    }
}
