import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Receivers that err")
struct GNSSAdversityTests {
    /// Through curves, with fixes each second.
    private func drive(_ seed: UInt64 = 1, seconds: Double = 180) -> Drive {
        var drive = Drive(seconds: seconds, seed: seed)
        drive.speed = { min(1, max(0, ($0 - 20) / 8)) * (9 + 4 * sin(0.25 * $0)) }
        drive.course = { 0.8 * sin(0.12 * max(0, $0 - 21)) + 0.01 * max(0, $0 - 21) }
        return drive
    }

    private func jump(_ size: Double, from start: Double, to end: Double) -> (Double) -> Vector3 {
        { $0 >= start && $0 < end ? Vector3(size, 0, 0) : .zero }
    }

    @Test(
        "a reflection does not take the position with it, nor leave anything",
        arguments: [(12.0, 20.0), (30, 5), (30, 20)],
        [UInt64(1), 2])
    func reflection(jump: (size: Double, seconds: Double), seed: UInt64) {
        var drive = drive(seed)
        drive.positionError = self.jump(jump.size, from: 100, to: 100 + jump.seconds)
        let trace = drive.trace()
        #expect(trace.worst(100..<180) < 4)
        #expect(trace.accuracy[102] > 0.3 * jump.size, "until it is known for a reflection, the position may be wrong")
        #expect(trace.accuracy[102] < 0.55 * jump.size + 2, "but the velocities make a reflection the likelier")
        #expect(trace.velocityError[100..<130].allSatisfy { $0 < 0.5 })
    }

    @Test(
        "a jump of 100 m that stays is accepted after ten seconds, and the accuracy says so before", arguments: [1, 2])
    func relocation(seed: Int) {
        var drive = drive(UInt64(seed))
        drive.positionError = jump(100, from: 100, to: 1e9)
        let trace = drive.trace()
        #expect(trace.error[103..<109].allSatisfy { $0 < 20 })
        #expect(trace.accuracy[104..<109].allSatisfy { $0 > 30 })
        #expect(trace.error[116..<180].allSatisfy { abs($0 - 100) < 6 })
        #expect(trace.velocityError[100..<180].allSatisfy { $0 < 0.5 })
    }

    @Test("after a gap it is the position that is doubted")
    func afterGap() {
        var drive = drive()
        drive.isSeen = { $0 < 90 || $0 > 96 }
        drive.positionError = jump(40, from: 95, to: 1e9)
        let trace = drive.trace()
        #expect(trace.error[102..<120].allSatisfy { abs($0 - 40) < 8 })
    }

    @Test("velocities far off, three in a row, pass by")
    func velocities() {
        var drive = drive()
        drive.velocityError = jump(5, from: 100, to: 103)
        let trace = drive.trace()
        #expect(trace.worst(100..<130) < 4)
        #expect(trace.velocityError[110..<180].allSatisfy { $0 < 0.5 })
    }

    @Test("an over-optimistic receiver is detected")
    func overOptimistic() {
        var covered = 0
        for seed in UInt64(1)...4 {
            var drive = drive(seed, seconds: 240)
            drive.positionNoise = 2
            drive.reportedPosition = 0.5
            let trace = drive.trace()
            covered += (120..<240).count { trace.error[$0] <= trace.accuracy[$0] }
            // By its own figures it would be 0.7 m.
            #expect(trace.accuracy[120..<240].allSatisfy { $0 > 1.5 })
        }
        #expect(covered > 240)
    }

    @Test("a receiver that says nothing of its errors, or is quick, serves as well")
    func others() {
        var silent = drive(3)
        silent.reportedPosition = nil
        silent.reportedVelocity = nil
        #expect(silent.trace().worst(60..<180) < 4)
        var quick = drive(4)
        quick.fixesPerSecond = 10
        #expect(quick.trace().worst(60..<180) < 1.5)
    }

    @Test("a slow speed with a course has a large standard deviation, a fast one or a vector has its own")
    func course() throws {
        var localizer = FixLocalizer(model: nil)
        func standardDeviation(_ speed: Double, up: Double?, _ number: Int64) throws -> Double {
            let fix = GNSSFix(
                epoch: Fixture.time(Double(number)), arrival: Fixture.time(Double(number)), utcSeconds: nil,
                position: Fixture.zurich, hasHeight: false, velocityENU: .init(east: speed, north: 0, up: up),
                positionSigma: .init(east: 1, north: 1, up: nil), velocitySigma: 0.1)
            let local = localizer.localize(fix)
            return try #require(local).velocityStandardDeviation
        }
        #expect(try standardDeviation(0.2, up: nil, 1) == 0.5)
        #expect(try standardDeviation(3, up: nil, 2) == 0.1)
        #expect(try standardDeviation(0.2, up: 0, 3) == 0.1)
    }
}
