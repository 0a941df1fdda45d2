import Estimation
import Geometry
import Glibc
import Testing

@Suite("Delay of a receiver's velocity")
struct VelocityDelayTests {
    private func drive(age: Double, seed: UInt64) -> Drive {
        var drive = Drive(seconds: 200, seed: seed)
        drive.speed = { max(0, min(1, ($0 - 20) / 8)) * (9 + 5 * sin(0.3 * $0)) }
        drive.course = { 0.8 * sin(0.15 * max(0, $0 - 21)) + 0.02 * max(0, $0 - 21) }
        drive.velocityAge = age
        return drive
    }

    @Test("is learned from starts and turns, and is zero where there is none", arguments: [0.0, 0.12], [UInt64(1), 2])
    func learned(age: Double, seed: UInt64) throws {
        let filter = try #require(drive(age: age, seed: seed).trace().filter)
        let error = filter.state.velocityDelay - age
        #expect(error.magnitude < 0.03)
        #expect(error.magnitude < 4 * filter.standardDeviation(ErrorState.velocityDelay))
    }

    @Test("once learned, leaves no lag in position")
    func unbiased() {
        let lags = (UInt64(1)...8).map { seed in
            var drive = drive(age: 0.12, seed: seed)
            drive.positionNoise = 0.5
            drive.reportedPosition = 0.5
            return drive.trace().lag[120..<200].reduce(0, +) / 80
        }
        // 0.12 s at 9 m/s would be a steady 1.1 m behind; the receiver's slow errors scatter by half a metre.
        #expect((lags.reduce(0, +) / 8).magnitude < 0.3, "\(lags)")
        #expect(lags.allSatisfy { $0.magnitude < 0.9 }, "\(lags)")
    }
}
