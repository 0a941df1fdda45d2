import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: sitting and riding")
struct CityMotionTests {
    private static let start = BootTime(nanoseconds: 5_000_000_000)

    private func truths(
        _ motion: CityMotion, seed: UInt64, from first: Double, to last: Double, every interval: Double
    ) throws -> [WalkTruth] {
        let walk = try makeWalk(seed: seed) { $0.motion = motion }
        return (0..<Int((last - first) / interval)).map {
            walk.truth(at: Self.start.later(by: first + interval * Double($0)))
        }
    }

    @Test("who sits looks far around and moves by centimetres", arguments: [1, 2, 3] as [UInt64])
    func sit(seed: UInt64) throws {
        let opening = try truths(.sit, seed: seed, from: 0, to: 18, every: 0.1)
        #expect(opening.allSatisfy { $0.velocityENU.norm == 0 && $0.angularVelocityInBody.norm < 0.1 * .pi / 180 })
        let seated = try truths(.sit, seed: seed, from: 30, to: 630, every: 0.1)
        #expect(seated.map { ($0.positionENU - opening[0].positionENU).norm }.max() ?? .infinity < 0.07)
        #expect(seated.contains { ($0.positionENU - opening[0].positionENU).norm > 0.02 })
        let looks = seated.map { angle($0.heading - opening[0].heading) }
        let standardDeviation = (looks.reduce(0) { $0 + $1 * $1 } / Double(looks.count)).squareRoot()
        #expect(standardDeviation > 15 * .pi / 180 && standardDeviation < 40 * .pi / 180)
    }

    @Test("each seed sits with another heading")
    func sitsAnywhere() throws {
        let quarters = try (0..<40 as Range<UInt64>).map { seed in
            Int(try makeWalk(seed: seed) { $0.motion = .sit }.truth(at: Self.start).heading / (.pi / 2))
        }
        #expect(Set(quarters).count == 4)
    }

    @Test("the ride begins with a minute of walking", arguments: [1, 2, 3] as [UInt64])
    func walksFirst(seed: UInt64) throws {
        let walking = try truths(.ride, seed: seed, from: 22, to: 70, every: 0.1)
        // In a corner a walker is slower.
        #expect(walking.allSatisfy { $0.velocityENU.norm > 0.6 && $0.velocityENU.norm < 2 })
        let boarding = try truths(.ride, seed: seed, from: 70, to: 105, every: 0.1)
        #expect(boarding.count { $0.velocityENU.norm < 0.01 } > 90, "10 s between the last step and the departure")
    }

    @Test(
        "the bus goes up to 13 m/s, stops, takes curves, shakes, and comes round again", arguments: [1, 2] as [UInt64])
    func bus(seed: UInt64) throws {
        let walk = try makeWalk(seed: seed) { $0.motion = .ride }
        let riding = try truths(.ride, seed: seed, from: 120, to: 120 + walk.roundSeconds, every: 0.02)
        let speeds = riding.map { horizontal($0.velocityENU) }
        let fastest = try #require(speeds.max())
        #expect(fastest > 9 && fastest < 13.2)
        let stops = zip(speeds, speeds.dropFirst()).count { $0 > 0.1 && $1 <= 0.1 }
        #expect((8...10).contains(stops))
        // Starts, stops and curves as passengers who stand can bear them: 2.2 m/s² along, 3.3 m/s² across, and shaking.
        #expect(riding.allSatisfy { horizontal($0.accelerationENU) < 4.5 })
        #expect(riding.contains { horizontal($0.accelerationENU) > 1.8 })
        let shaking = riding.filter { horizontal($0.velocityENU) > 4 }.map(\.accelerationENU.z)
        let strength = (shaking.reduce(0) { $0 + $1 * $1 } / Double(shaking.count)).squareRoot()
        #expect(abs(strength - 0.49) < 0.1, "RMS in m/s²")
        let courses = riding.filter { horizontal($0.velocityENU) > 4 }.map { atan2($0.velocityENU.x, $0.velocityENU.y) }
        #expect(Set(courses.map { Int(($0 + .pi) / (.pi / 2)) }).count >= 4, "to all sides")

        let again = walk.truth(at: Self.start.later(by: 120 + walk.roundSeconds))
        // Sway and shaking go on.
        #expect((again.positionENU - riding[0].positionENU).norm < 0.05)
    }

    @Test("passengers look around, not only ahead")
    func looksAround() throws {
        let riding = try truths(.ride, seed: 4, from: 120, to: 720, every: 0.1).filter {
            horizontal($0.velocityENU) > 4
        }
        let looks = riding.map { angle($0.heading - atan2($0.velocityENU.x, $0.velocityENU.y)) }
        let standardDeviation = (looks.reduce(0) { $0 + $1 * $1 } / Double(looks.count)).squareRoot()
        #expect(standardDeviation > 15 * .pi / 180 && standardDeviation < 40 * .pi / 180)
    }

    @Test("the same seed gives the same motion, another seed another", arguments: [CityMotion.sit, .ride])
    func seeded(motion: CityMotion) throws {
        let first = try truths(motion, seed: 5, from: 0, to: 200, every: 1)
        #expect(try truths(motion, seed: 5, from: 0, to: 200, every: 1) == first)
        let other = try truths(motion, seed: 6, from: 0, to: 200, every: 1)
        #expect(zip(first, other).allSatisfy { $0.rotationENUFromBody != $1.rotationENUFromBody })
    }

    private func horizontal(_ vector: Vector3) -> Double { (vector.x * vector.x + vector.y * vector.y).squareRoot() }

    /// Brought to [−π, π]. Unit: radians.
    private func angle(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }
}
