import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Propagation")
struct PropagationTests {
    /// Drives a filter over one covariance interval of smooth motion.
    private func run(_ filter: inout ErrorStateKalmanFilter, from first: InertialSample, to last: InertialSample) {
        let steps = 4
        for k in 1...steps {
            let share = Double(k) / Double(steps)
            filter.propagate(
                to: InertialSample(
                    time: Fixture.time(share * 0.008), rate: first.rate + share * (last.rate - first.rate),
                    force: first.force + share * (last.force - first.force), isForceStale: first.isForceStale))
        }
        filter.propagateCovariance()
    }

    private func end(_ first: InertialSample, _ random: inout Seeded) -> InertialSample {
        InertialSample(
            time: Fixture.time(0.008), rate: first.rate + random.vector(0.1), force: first.force + random.vector(0.5))
    }

    /// The transition read off the covariance: with a constant state s that is fully correlated with one error, the
    /// covariance with s becomes the column of Φ.
    private func transitionColumn(
        _ index: Int, _ filter: ErrorStateKalmanFilter, _ first: InertialSample, _ last: InertialSample
    ) -> [Double] {
        var bare = filter
        bare.covariance = Covariance()
        run(&bare, from: first, to: last)
        var seeded = filter
        seeded.covariance = Covariance()
        let constant = ErrorState.stepScale
        for i in [index, constant] {
            for j in [index, constant] { seeded.covariance[i, j] = 1 }
        }
        run(&seeded, from: first, to: last)
        return (0..<ErrorState.count).map { seeded.covariance[$0, constant] - bare.covariance[$0, constant] }
    }

    /// Every process model, by a regime that has it.
    private static let regimes: [Regime] = {
        var found: [ProcessModel: Regime] = [:]
        for regime in Regime.all where found[regime.rules.process] == nil { found[regime.rules.process] = regime }
        return Array(found.values)
    }()

    private func filter(in regime: Regime, _ random: inout Seeded) -> ErrorStateKalmanFilter {
        var filter = Fixture.filter(&random)
        filter.change(to: regime)
        filter.inertial.isForceStale = !regime.hasForce
        return filter
    }

    @Test("the covariance propagates with the derivative of the mean, in every regime", arguments: regimes, 1...4)
    func transitionAgainstNumeric(regime: Regime, seed: Int) {
        var random = Seeded(UInt64(seed))
        let filter = filter(in: regime, &random)
        let first = filter.inertial
        let last = end(first, &random)
        for index in Array(0..<ErrorState.position + 9) + Array(ErrorState.gyroScale..<ErrorState.gyroScale + 3) {
            let size = 1e-5
            var plus = filter
            plus.state.inject(Fixture.error(index, size))
            var minus = filter
            minus.state.inject(Fixture.error(index, -size))
            run(&plus, from: first, to: last)
            run(&minus, from: first, to: last)
            let numeric = Fixture.difference(plus.state, minus.state).map { $0 / (2 * size) }
            let analytic = transitionColumn(index, filter, first, last)
            for k in 0..<15 {
                // Third-order terms in the interval, and the earth's rotation, are left out of Φ.
                #expect(abs(numeric[k] - analytic[k]) < 2e-5, "d(\(k))/d(\(index)) in \(regime)")
            }
        }
    }

    @Test(
        "the noise of the sensors enters the covariance where it enters the mean, in every regime", arguments: regimes)
    func noiseAgainstNumeric(regime: Regime) {
        var random = Seeded(5)
        let filter = filter(in: regime, &random)
        let first = filter.inertial
        let last = end(first, &random)
        var bare = filter
        bare.covariance = Covariance()
        run(&bare, from: first, to: last)
        // An error of the force in all samples moves the velocity where the covariance has noise of the force.
        for axis in 0..<3 {
            var force = [0.0, 0.0, 0.0]
            force[axis] = 1e-3
            let error = filter.state.rotationENUFromBody.inverse * Vector3(force[0], force[1], force[2])
            func shifted(_ sign: Double) -> NavigationState {
                var moved = filter
                var (a, b) = (first, last)
                a.force += error * sign
                b.force += error * sign
                run(&moved, from: a, to: b)
                return moved.state
            }
            let numeric = Fixture.difference(shifted(1), shifted(-1))
            let isDriven = regime.rules.process.hasForce && (axis == 2 || regime.rules.process.horizontal == .inertial)
            #expect((abs(numeric[ErrorState.velocity + axis]) > 1e-6) == isDriven)
            let isCarried = axis == 2 || regime.rules.process.horizontal != .steps
            let p = ErrorState.position + axis
            #expect((bare.covariance[p, p] > 0) == isCarried)
            #expect(bare.covariance[ErrorState.velocity + axis, ErrorState.velocity + axis] > 0)
        }
    }

    @Test("a fast and swinging body is turned as it turned, whatever the rate of the samples", arguments: [100.0, 400])
    func fastTurn(rate: Double) {
        // Oscillating at up to 9 rad/s about one axis and turning at 3 rad/s about another: coning motion.
        func truth(_ t: Double) -> Rotation3 {
            Rotation3.exp(Vector3(0.6 * sin(15 * t), 0, 0)) * Rotation3.exp(Vector3(0, 3 * t, 0))
        }
        /// By turns so small that they add up like vectors.
        func meanRate(from first: Double, to last: Double) -> Vector3 {
            let parts = 32
            var sum = Vector3.zero
            for part in 0..<parts {
                let (a, b) = (Double(part) / Double(parts), Double(part + 1) / Double(parts))
                let (before, after) = (truth(first + a * (last - first)), truth(first + b * (last - first)))
                sum += (before.inverse * after).log
            }
            return sum / (last - first)
        }
        let start = InertialSample(time: Fixture.start, rate: .zero, force: Vector3(0, 0, 9.8))
        var filter = ErrorStateKalmanFilter(first: start, settings: EstimatorSettings())
        filter.state.rotationENUFromBody = truth(0)
        var worst = 0.0
        for k in 1...Int(5 * rate) {
            let (before, now) = (Double(k - 1) / rate, Double(k) / rate)
            filter.propagate(
                to: InertialSample(
                    time: Fixture.time(now), rate: meanRate(from: before, to: now), force: Vector3(0, 0, 9.8)))
            worst = max(worst, (filter.state.rotationENUFromBody * truth(now).inverse).log.norm)
        }
        // With the coning term the error is of fourth order: here about 1e-4 rad at 100 Hz.
        let interval = 100 / rate
        #expect(worst < 2e-4 * interval * interval * interval * interval)
    }
    @Test("a copy of the filter leads to the same bits")
    func copy() {
        var random = Seeded(4)
        var first = Fixture.filter(&random)
        var second = first
        let next = InertialSample(time: Fixture.time(0.01), rate: random.vector(0.3), force: Vector3(0, 0, 9.8))
        first.propagate(to: next)
        first.propagateCovariance()
        second.propagate(to: next)
        second.propagateCovariance()
        #expect(first.state == second.state)
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { #expect(first.covariance[i, j] == second.covariance[i, j]) }
        }
        #expect(first.isSound)
    }
}
