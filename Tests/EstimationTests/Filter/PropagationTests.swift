import Estimation
import EstimatorFixtures
import Geometry
import Model
import Testing

#if canImport(Glibc)
    import Glibc
#endif

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
                    force: first.force + share * (last.force - first.force)))
        }
        filter.propagateCovariance()
    }

    private func end(_ first: InertialSample, _ random: inout Seeded) -> InertialSample {
        InertialSample(
            time: Fixture.time(0.008), rate: first.rate + random.vector(0.1), force: first.force + random.vector(0.5))
    }

    /// The transition read off the covariance: a rank-one covariance v·vᵀ becomes (Φv)(Φv)ᵀ + Q.
    private func transitionColumn(
        _ index: Int, _ filter: ErrorStateKalmanFilter, _ first: InertialSample, _ last: InertialSample
    ) -> [Double] {
        var bare = filter
        bare.covariance = Covariance()
        run(&bare, from: first, to: last)
        var seeded = filter
        seeded.covariance = Covariance()
        seeded.covariance[index, index] = 1
        run(&seeded, from: first, to: last)
        let product = seeded.covariance - bare.covariance
        let own = product[index, index].squareRoot()
        return (0..<ErrorState.count).map { product[$0, index] / own }
    }

    @Test("the covariance propagates with the derivative of the strap-down integration", arguments: 1...12)
    func transitionAgainstNumeric(seed: Int) {
        var random = Seeded(UInt64(seed))
        let filter = Fixture.filter(&random)
        let first = filter.inertial
        let last = end(first, &random)
        for index in 0..<ErrorState.position + 9 {
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
                #expect(abs(numeric[k] - analytic[k]) < 2e-5, "d(\(k))/d(\(index))")
            }
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
