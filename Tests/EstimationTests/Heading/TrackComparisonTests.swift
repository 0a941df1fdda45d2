import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Turn between the track of the steps and fixes")
struct TrackComparisonTests {
    /// A walk of blocks of 40 m at 1.3 m/s, the fixes with a slow and a white error, seen in a frame turned by an
    /// angle.
    private func points(
        turn: Double, count: Int, lasting: Double = 2.6, seconds: Double = 70, white: Double = 1, scale: Double = 1,
        speed: Double = 1.3, direction: Double = 0, seed: UInt64 = 1
    ) -> [TrackPoint] {
        var random = Seeded(seed)
        let kept = exp(-1 / seconds)
        var slow = random.vector(lasting)
        var place = Vector2()
        return (1...count).map { k in
            let course = (Double(k) * 1.3 / 40).rounded(.down) * 1.5
            place = place + speed * Vector2(angle: course)
            slow = kept * slow + random.vector(lasting * (1 - kept * kept).squareRoot())
            return TrackPoint(
                time: Fixture.time(Double(k)), walked: scale * (Rotation2(yaw: -turn) * place),
                fix: place + Vector2(slow) + Vector2(random.vector(white)), standardDeviation: 2.8,
                direction: direction,
                yaw: turn, drift: 0, frame: 1)
        }
    }

    private func read(_ points: [TrackPoint]) -> HeadingAnswer? {
        var comparison = TrackComparison()
        for point in points { comparison.add(point) }
        return comparison.read(upTo: Fixture.time(1000))
    }

    @Test("finds the turn, whatever the length of the steps", arguments: [0.0, 0.4, -1.7, 3.1], [0.85, 1, 1.2])
    func findsTurn(turn: Double, scale: Double) throws {
        let answer = try #require(read(points(turn: turn, count: 120, scale: scale)))
        #expect(abs(Angle.wrapped(answer.yaw - turn)) < 3 * answer.standardDeviation)
        #expect(answer.standardDeviation < 0.06)
    }

    @Test("has the deviation of its errors, also where those of the fixes last longer", arguments: [70.0, 300])
    func standardDeviationIsConsistent(seconds: Double) throws {
        var sum = 0.0
        for seed in 1...80 as ClosedRange<UInt64> {
            let answer = try #require(read(points(turn: 1, count: 100, seconds: seconds, seed: seed)))
            let error = Angle.wrapped(answer.yaw - 1) / answer.standardDeviation
            sum += error * error
        }
        // 80 squares of one degree of freedom: 1 ± 0.16; cautious is allowed.
        #expect((0.2...1.4).contains(sum / 80), "\(sum / 80)")
    }

    @Test("contradicts a yaw that is off by 15° to 90°, never a right one", arguments: 1...20 as ClosedRange<UInt64>)
    func contradicts(seed: UInt64) throws {
        var monitor = HeadingMonitor()
        for point in points(turn: 1, count: 150, seed: seed) { monitor.add(point) }
        let reading = try #require(monitor.read(upTo: Fixture.time(1000)))
        #expect(reading.isByPositionsAlone)
        #expect(abs(try #require(reading.correction)) < 4 * reading.standardDeviation)
        #expect(!reading.contradicts(1))
        for degrees in [-90.0, -40, -20, -15, 15, 20, 40, 90] {
            #expect(reading.contradicts(1 + Angle.radians(degrees: degrees)), "\(degrees)")
        }
    }

    @Test("grows by what the direction of all steps has in common")
    func direction() throws {
        let answer = try #require(read(points(turn: 0, count: 120, direction: 0.1)))
        #expect(answer.standardDeviation > 0.1)
        #expect(read(points(turn: 0, count: 120, direction: 0.4)) == nil)
    }

    @Test("gives no answer after a short walk, at rest, and where the wearer is carried")
    func givesNoAnswer() {
        #expect(read(points(turn: 0, count: 9)) == nil)
        #expect(read(points(turn: 0, count: 120, speed: 0)) == nil)
        #expect(read(points(turn: 0, count: 120, scale: 0.2)) == nil)
    }

    @Test("is the same after a new origin of ENU, and counts only the newest level frame")
    func frames() throws {
        let old = points(turn: 2, count: 60)
        let new = points(turn: 0.5, count: 120).dropFirst(60).map { point in
            var point = point
            point.frame = 2
            return point
        }
        let answer = try #require(read(old + new))
        #expect(answer.count == 60)
        #expect(abs(answer.yaw - 0.5) < 3 * answer.standardDeviation)
        let moved = new.map { point in
            var point = point
            point.fix = point.fix + Vector2(1000, -500)
            return point
        }
        #expect(abs(try #require(read(moved)).yaw - answer.yaw) < 1e-6)
    }

    // MARK: Both answers

    private func answer(_ yaw: Double, _ standardDeviation: Double, filter: Double? = 0) -> HeadingAnswer {
        HeadingAnswer(
            time: Fixture.time(100), yaw: yaw, standardDeviation: standardDeviation, count: 10, filterYaw: filter)
    }

    @Test("two answers that agree are weighted by their variances")
    func agreement() throws {
        let reading = try #require(
            HeadingReading.fused(velocities: answer(0.1, 0.05), positions: answer(0.2, 0.1)))
        #expect(abs(reading.yaw - 0.12) < 1e-12)
        #expect(abs(reading.standardDeviation - 0.2 * 0.05.squareRoot()) < 1e-12)
        #expect(reading.pairs == 20 && !reading.isByPositionsAlone)
        #expect(abs(try #require(reading.correction) - 0.12) < 1e-12)
    }

    @Test("two that contradict each other are not averaged, and put nothing in doubt")
    func contradiction() throws {
        let reading = try #require(
            HeadingReading.fused(velocities: answer(0.8, 0.04), positions: answer(0, 0.05)))
        #expect(reading.yaw == 0.8)
        #expect(reading.standardDeviation > 0.8)
        #expect(!reading.contradicts(0))
    }

    @Test("a board that seems to be worn backwards says nothing")
    func backwards() {
        #expect(HeadingReading.fused(velocities: nil, positions: answer(3, 0.05)) == nil)
        #expect(
            HeadingReading.fused(velocities: answer(0, 0.05), positions: answer(3, 0.05))
                == HeadingReading.fused(velocities: answer(0, 0.05), positions: nil))
    }
}
