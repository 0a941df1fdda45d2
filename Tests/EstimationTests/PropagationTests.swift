import Estimation
import Geometry
import Measurements
import Testing

@Suite("Propagation")
struct PropagationTests {
    /// Drives a filter over one covariance interval of smooth motion.
    private func run(_ filter: inout ErrorStateKalmanFilter, from first: InertialSample, to last: InertialSample) {
        let steps = 4
        for k in 1...steps {
            let instant = Fixture.time(Double(k) * 0.002)
            filter.propagate(to: first.interpolated(to: last, at: instant))
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
}
