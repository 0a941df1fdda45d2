import CAllocations
import Geometry
import PlanMatching
import Model
import Testing

@Suite("Error of a position by paths")
struct PathFollowerTests {
    private static func network(_ walk: PathWalk) throws -> PathNetwork {
        try #require(PathNetwork([PathWalk.line(walk.corners)]))
    }

    @Test("becomes smaller by a fifth and more, and its accuracy is what is stated")
    func accuracy() throws {
        var (without, with, covered, count) = (0.0, 0.0, 0, 0)
        for seed in 1...10 {
            let walk = PathWalk(seconds: 600, seed: UInt64(seed))
            try walk.follow(on: Self.network(walk)) { index, follower, _, error in
                guard index > 60 else { return }
                without += (walk.given[index] - walk.truth[index]).squaredNorm
                with += error.squaredNorm
                count += 1
                let radius = 1.51 * PathWalk.variance.squareRoot() * follower.accuracyRatio
                if error.norm <= radius { covered += 1 }
            }
        }
        #expect((with / without).squareRoot() <= 0.8)
        #expect((0.55...0.85).contains(Double(covered) / Double(count)))
    }

    @Test("is never known better than the path is drawn, however long it is walked on")
    func mapError() throws {
        let network = try #require(PathNetwork([PathWalk.line([Vector2(-1e4, 0), Vector2(1e4, 0)])]))
        var follower = PathFollower()
        for step in 0..<3000 {
            follower.follow(Vector2(Double(step), 0), variance: 25, after: 0.8, on: network)
        }
        #expect(follower.onPath > 0.3)
        // Nothing is known along it, and across it as well as the path.
        let (along, across) = (5.0, PathLine.usualDeviation)
        let least = ((along * along + 1.28 * across * across) / (2.28 * along * along)).squareRoot()
        #expect(follower.accuracyRatio > 0.9 * least)
    }

    @Test("is no longer that of the path where the wearer leaves it, and the wearer is not dragged along")
    func excursions() throws {
        var (without, with) = (0.0, 0.0)
        for seed in 1...10 {
            let walk = PathWalk(
                seconds: 400, seed: UInt64(seed),
                excursion: PathWalk.Excursion(begin: 200, end: 300, distance: 17))
            try walk.follow(on: Self.network(walk)) { index, _, _, error in
                guard walk.aside[index] > 0.5 else { return }
                without += (walk.given[index] - walk.truth[index]).squaredNorm
                with += error.squaredNorm
            }
        }
        #expect((with / without).squareRoot() <= 1.1)
    }

    /// Whether one is reported to be off the path.
    private static func isOff(_ follower: PathFollower, _ position: Vector2, _ network: PathNetwork) -> Bool {
        let off = follower.guesses.reduce(0) { sum, guess in
            let distance = network.distance(from: position + guess.correction) ?? .infinity
            return distance - 1.28 * guess.deviation > 8 ? sum + guess.probability : sum
        }
        return off > 0.9
    }

    @Test("a wearer 15 m beside the path is known to be so within 10 s", arguments: 1...20)
    func off(seed: Int) throws {
        let walk = PathWalk(
            seconds: 400, seed: UInt64(seed), excursion: PathWalk.Excursion(begin: 200, end: 320, distance: 15.5))
        let network = try Self.network(walk)
        let reached = try #require(walk.aside.firstIndex { $0 >= 15 })
        var reported: Int?
        try walk.follow(on: network) { index, follower, position, _ in
            if reported == nil, index > 60, Self.isOff(follower, position, network) { reported = index }
        }
        let delay = Double(try #require(reported) - reached) * PathWalk.interval
        #expect(delay <= 10)
        #expect(delay > -20, "not before the path was left")
    }

    @Test("three hours on the path are never taken for a way beside it")
    func neverFalsely() throws {
        let walk = PathWalk(seconds: 3 * 3600, seed: 77)
        let network = try Self.network(walk)
        var reported = 0
        try walk.follow(on: network) { index, follower, position, _ in
            if index > 60, index % 4 == 0, Self.isOff(follower, position, network) { reported += 1 }
        }
        #expect(reported == 0)
    }

    @Test("of two parallel paths the one that is walked on counts, and both together make neither less probable")
    func parallel() throws {
        var (without, with) = (0.0, 0.0)
        for seed in 1...6 {
            let walk = PathWalk(seconds: 300, seed: UInt64(seed))
            let beside = walk.corners.map { $0 + Vector2(-8.5, 8.5) }
            let network = try #require(PathNetwork([PathWalk.line(walk.corners), PathWalk.line(beside)]))
            try walk.follow(on: network) { index, _, _, error in
                without += (walk.given[index] - walk.truth[index]).squaredNorm
                with += error.squaredNorm
            }
        }
        #expect((with / without).squareRoot() <= 0.9)
    }

    @Test("a state goes on to the last bit")
    func state() throws {
        let walk = PathWalk(seconds: 200, seed: 3)
        let network = try Self.network(walk)
        var follower = PathFollower()
        try walk.follow(on: network, with: &follower, 0..<200) { _, _, _, _ in }
        let writer = StateWriter(capacity: 64)
        try writer.write(follower)
        var restored: PathFollower = try StateReader(writer.words, timeShift: 0).read("follower")
        try walk.follow(on: network, with: &follower, 200..<400) { _, _, _, _ in }
        try walk.follow(on: network, with: &restored, 200..<400) { _, _, _, _ in }
        #expect(follower.correction == restored.correction && follower.accuracyRatio == restored.accuracyRatio)
        #expect(follower.onPath == restored.onPath)
    }

    @Test("a state with impossible values is refused", arguments: 0..<3)
    func impossible(word: Int) throws {
        let writer = StateWriter(capacity: 64)
        try writer.write(PathFollower())
        // Probability, correction to the east and to the north of the first hypothesis.
        var words = writer.words
        words[word] = (-1e6).bitPattern
        #expect(throws: StateFlaw.self) {
            let _: PathFollower = try StateReader(words, timeShift: 0).read("follower")
        }
    }

    @Test(
        "a step takes nothing from the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() throws {
        let walk = PathWalk(seconds: 200, seed: 3)
        let network = try Self.network(walk)
        var follower = PathFollower()
        for position in walk.given.prefix(100) {
            follower.follow(position, variance: 4, after: 0.5, on: network)
        }
        let before = waymark_allocations()
        var sum = 0.0
        for position in walk.given.dropFirst(100) {
            follower.follow(position, variance: 4, after: 0.5, on: network)
            sum += follower.accuracyRatio + follower.correction.x
        }
        #expect(waymark_allocations() == before)
        #expect(sum.isFinite)
    }
}
