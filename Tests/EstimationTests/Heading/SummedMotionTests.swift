import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("A hypothesis of north follows the primary")
struct SummedMotionTests {
    /// A board that turns at up to 120 °/s and is pushed about, at 200 Hz.
    private func sample(_ k: Int) -> InertialSample {
        let t = Double(k) / 200
        let rate = Vector3(0.6 * sin(3 * t), 0.4 * cos(5 * t), 2 * sin(2 * t + 0.3))
        let force = Vector3(1.5 * sin(9 * t), 2 * cos(7 * t), 9.8 + 3 * sin(11 * t))
        return InertialSample(time: Fixture.time(t), rate: rate, force: force)
    }

    /// Two filters that differ in north, biases and scale, on the same samples: one by each sample, the other in steps
    /// of 0.4 s by what the first has summed up.
    @Test("in steps of 0.4 s it goes where it would by each sample", arguments: [0, 1.2, .pi] as [Double])
    func longSteps(yaw: Double) {
        var primary = ErrorStateKalmanFilter(first: sample(0), settings: EstimatorSettings())
        var member = primary
        member.rotateYaw(by: yaw)
        // 22°, as hypotheses begin. With an unknown yaw the deviation of the position differs by a quarter, because
        // (11) takes the force within a step for even.
        member.resetCovariance(ErrorState.yaw, count: 1, variance: 0.15)
        member.state.velocity = Vector3(1.2, -0.3, 0.1)
        member.state.gyroBias = Vector3(0.002, -0.001, 0.003)
        member.state.accelerometerBias = Vector3(0.05, -0.04, 0.02)
        primary.state.gyroScale = Vector3(0.01, 0, -0.01)
        member.state.gyroScale = Vector3(0.02, -0.015, 0.03)
        var alone = member
        var motion = SummedMotion()
        for k in 1...80 {
            let increment = primary.propagate(to: sample(k))
            motion.add(sample(k), increment, primary.state)
            alone.propagate(to: sample(k))
        }
        member.carry(along: motion, to: primary.state.time)
        member.propagateCovariance()
        alone.propagateCovariance()
        let turned = (member.state.rotationENUFromBody * alone.state.rotationENUFromBody.inverse).log.norm
        #expect(turned < 3e-4)
        #expect((member.state.velocity - alone.state.velocity).norm < 0.004)
        #expect((member.state.position - alone.state.position).norm < 0.001)
        #expect(member.state.time == alone.state.time)
        for index in 0..<15 {
            let (long, short) = (member.standardDeviation(index), alone.standardDeviation(index))
            #expect(abs(long / short - 1) < 0.05, "state \(index): \(long) against \(short)")
        }
    }
}
