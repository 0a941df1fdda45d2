import Estimation
import EstimatorFixtures
import Glibc
import Testing

/// How a step enters among satellites, against a filter whose state holds both ends of the step.
///
/// Source of the reference: Roumeliotis and Burdick, "Stochastic cloning: a generalized framework for processing
/// relative state measurements", ICRA 2002.
@Suite("Steps against stochastic cloning")
struct StepCloneTests {
    /// A walk along a line: position, velocity, and the position at the begin of the step. Exact covariance.
    private struct Line {
        var x: [Double] = [0, 1.2, 0]
        var p: [[Double]] = [[9, 0, 9], [0, 0.04, 0], [9, 0, 9]]

        mutating func clone() {
            x[2] = x[0]
            for k in 0..<3 { p[2][k] = p[0][k] }
            for k in 0..<3 { p[k][2] = p[k][0] }
            p[2][2] = p[0][0]
        }

        /// - Parameter density: of the accelerometer's noise. Unit: m/s²/√Hz.
        mutating func predict(_ acceleration: Double, over dt: Double, density: Double) {
            x[0] += x[1] * dt + acceleration * dt * dt / 2
            x[1] += acceleration * dt
            for k in 0..<3 { p[0][k] += dt * p[1][k] }
            for k in 0..<3 { p[k][0] += dt * p[k][1] }
            let q = density * density
            p[0][0] += q * dt * dt * dt / 3
            p[0][1] += q * dt * dt / 2
            p[1][0] += q * dt * dt / 2
            p[1][1] += q * dt
        }

        mutating func correct(_ innovation: Double, _ h: [Double], variance: Double) {
            let cross = (0..<3).map { i in (0..<3).reduce(0) { $0 + p[i][$1] * h[$1] } }
            let s = (0..<3).reduce(variance) { $0 + h[$1] * cross[$1] }
            for i in 0..<3 {
                x[i] += cross[i] / s * innovation
                for j in 0..<3 { p[i][j] -= cross[i] * cross[j] / s }
            }
        }
    }

    @Test("a step as the mean velocity is worth as much as both its ends in the state, to 2 %")
    func clone() {
        let settings = EstimatorSettings()
        let density = settings.inertial.accelerometerNoise
        let (rate, step, speed) = (100, 55, 1.3)
        let variance = settings.steps.speedStandardDeviation * settings.steps.speedStandardDeviation * speed * speed
        var random = Seeded(7)
        var (cloned, present) = (Line(), Line())
        var (position, velocity) = (0.0, speed)
        var (begin, sum, displacement) = (0.0, 0.0, 0.0)
        var worst = (estimate: 0.0, standardDeviation: 0.0)
        for k in 1...(60 * rate) {
            let dt = 1 / Double(rate)
            let acceleration = 2 * cos(2 * .pi * Double(k) / Double(step))
            position += velocity * dt + acceleration * dt * dt / 2
            velocity += acceleration * dt
            let measuredAcceleration = acceleration + density / dt.squareRoot() * random.gaussian()
            cloned.predict(measuredAcceleration, over: dt, density: density)
            present.predict(measuredAcceleration, over: dt, density: density)
            displacement += sum * dt + measuredAcceleration * dt * dt / 2
            sum += measuredAcceleration * dt
            if k % step == 0 {
                let duration = Double(step) * dt
                let measured = (position - begin) / duration + variance.squareRoot() * random.gaussian()
                cloned.correct(
                    measured - (cloned.x[0] - cloned.x[2]) / duration, [1 / duration, 0, -1 / duration],
                    variance: variance)
                // The velocity at the begin is the present one less what was measured since; the mean adds its
                // integral.
                present.correct(
                    measured - (present.x[1] - sum + displacement / duration), [0, 1, 0], variance: variance)
                cloned.clone()
                present.clone()
                (begin, sum, displacement) = (position, 0, 0)
            }
            if k % rate == 0 {
                let fix = position + 3 * random.gaussian()
                cloned.correct(fix - cloned.x[0], [1, 0, 0], variance: 9)
                present.correct(fix - present.x[0], [1, 0, 0], variance: 9)
            }
            for i in 0..<2 {
                let standardDeviation = cloned.p[i][i].squareRoot()
                worst.estimate = max(worst.estimate, abs(cloned.x[i] - present.x[i]) / standardDeviation)
                worst.standardDeviation = max(
                    worst.standardDeviation, abs(present.p[i][i].squareRoot() / standardDeviation - 1))
            }
        }
        // The noise of the accelerometer over a step, 4 mm/s, is all that the mean velocity leaves out, against 0.16
        // m/s of the step itself.
        #expect(worst.estimate < 0.02)
        #expect(worst.standardDeviation < 0.02)
    }
}
