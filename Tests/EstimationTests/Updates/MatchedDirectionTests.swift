import Estimation
import EstimatorFixtures
import Geometry
import Testing

@Suite("Direction of walking by a plan")
struct MatchedDirectionTests {
    private static let corrected = [ErrorState.yaw, ErrorState.magneticOffset, ErrorState.walkingDirection]

    private func filter(seed: UInt64) -> ErrorStateKalmanFilter {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random)
        filter.covariance = Fixture.covariance(&random)
        return filter
    }

    private func directionVariance(_ filter: ErrorStateKalmanFilter) -> Double {
        let (yaw, walking) = (ErrorState.yaw, ErrorState.walkingDirection)
        return filter.covariance[yaw, yaw] + filter.covariance[walking, walking] - 2 * filter.covariance[yaw, walking]
    }

    private func rotation(_ filter: ErrorStateKalmanFilter) -> Double {
        filter.heading.motion.yaw - filter.state.walkingDirection
    }

    @Test("it becomes that of the plan, with its variance, and once more changes nothing", arguments: UInt64(1)...10)
    func replaces(seed: UInt64) {
        var filter = filter(seed: seed)
        let (before, present) = (rotation(filter), directionVariance(filter))
        // Never larger than it would be without plans.
        for (given, taken) in [(0.3, 0.3), (0.9, 0.9), (2.5, 1), (0.5, 0.5)] {
            filter.turnWalkingDirection(by: 0, variance: given * present)
            #expect((directionVariance(filter) / (taken * present) - 1).magnitude < 1e-9)
        }
        filter.turnWalkingDirection(by: 0.2, variance: 0.4 * present)
        #expect((rotation(filter) - before - 0.2).magnitude < 1e-12)
        #expect((filter.planTurn.rotation - 0.2).magnitude < 1e-12)
        let once = filter
        filter.turnWalkingDirection(by: 0, variance: 0.4 * present)
        #expect((rotation(filter) - rotation(once)).magnitude < 1e-12)
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count {
                #expect((filter.covariance[i, j] - once.covariance[i, j]).magnitude < 1e-9)
            }
        }
    }

    @Test("the covariance stays one, whether it shrinks or grows", arguments: UInt64(1)...10)
    func semidefinite(seed: UInt64) {
        var filter = filter(seed: seed)
        let present = directionVariance(filter)
        for factor in [0.2, 3, 0.05, 1] {
            filter.turnWalkingDirection(by: 0.05, variance: factor * present)
            #expect(Cholesky(filter.covariance + 1e-9 * Covariance.diagonalOnes) != nil)
        }
    }

    @Test("the difference from a filter that knows no plan is kept through measurements", arguments: UInt64(1)...10)
    func difference(seed: UInt64) {
        var planned = filter(seed: seed)
        // The same variance: the two filters then differ by their states alone.
        let present = directionVariance(planned)
        planned.turnWalkingDirection(by: 0, variance: present)
        var plain = planned
        planned.turnWalkingDirection(by: 0.2, variance: present)
        // Errors of other states that a measurement corrects as well are beyond the three that are kept.
        let mask = Self.corrected.reduce(GainMask()) { $0.union(.states($1, count: 1)) }
        for (yaw, field, walking) in [(1.0, 1.0, 0.0), (0, 1, 0), (1, 0, -1)] {
            var h = Jacobian<1>()
            (h[0, ErrorState.yaw], h[0, ErrorState.magneticOffset], h[0, ErrorState.walkingDirection]) = (
                yaw, field, walking
            )
            for isPlanned in [false, true] {
                let other = isPlanned ? planned : plain
                let seen =
                    yaw * other.heading.motion.yaw + field * other.state.magneticOffset
                    + walking * other.state.walkingDirection
                let update = Update(
                    innovation: (0.1 - seen) * Matrix<1, 1>.diagonalOnes, jacobian: h,
                    noise: (0.3 * present) * Matrix<1, 1>.diagonalOnes, mask: mask, gate: nil, cause: .magnetometer)
                if isPlanned { planned.apply(update) } else { plain.apply(update) }
            }
            #expect((rotation(planned) - rotation(plain) - planned.planTurn.rotation).magnitude < 1e-6)
        }
        #expect(planned.planTurn.rotation.magnitude < 0.15)
    }

    @Test("another heading has its own difference")
    func adoption() {
        var filter = filter(seed: 1)
        filter.turnWalkingDirection(by: 0.2, variance: 0.5 * directionVariance(filter))
        filter.adopt(self.filter(seed: 2))
        #expect(filter.planTurn.isNone)
    }

    @Test("a yaw that is reset is none that a plan has corrected")
    func reset() {
        var filter = filter(seed: 1)
        filter.turnWalkingDirection(by: 0.2, variance: 0.5 * directionVariance(filter))
        filter.resetCovariance(ErrorState.yaw, count: 1, variance: 0.01)
        filter.resetCovariance(ErrorState.magneticOffset, count: 1, variance: 0.01)
        filter.resetCovariance(ErrorState.walkingDirection, count: 1, variance: 0.01)
        #expect(filter.planTurn.isNone)
    }
}
