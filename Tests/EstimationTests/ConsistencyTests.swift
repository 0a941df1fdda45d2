import Estimation
import Geometry
import Measurements
import Testing

@Suite("Consistency")
struct ConsistencyTests {
    /// Runs whose GNSS error is white: the filter is told so, that its assumptions hold.
    private var settings: EstimatorSettings {
        var settings = EstimatorSettings()
        settings.gnss.correlatedShare = 1e-3
        settings.gnss.whiteShare = 1
        settings.gnss.velocityCorrelatedShare = 1e-3
        settings.gnss.velocityWhiteShare = 1
        settings.inertial.gyroScaleError = 0
        return settings
    }

    @Test("the errors of velocity and position are those that the covariance promises")
    func nees() throws {
        var sum = 0.0
        var count = 0
        let runs = 12
        for seed in 1...runs {
            let walk = Walk(seconds: 80, seed: UInt64(seed))
            var odometry = Walk.odometry(settings)
            var next = 50.5
            var origin: Vector3?
            for measurement in walk.measurements() {
                if origin == nil, case .fix(let fix) = measurement { origin = Walk.plane.pointENU(of: fix.position) }
                odometry.feed(measurement) { _ in }
                guard let filter = odometry.filter else { continue }
                let t = filter.state.time.seconds(since: Fixture.start)
                guard t >= next else { continue }
                // Ten seconds apart, errors are nearly independent.
                next += 10
                let truth = walk.truth(t)
                let error = filter.state.position + (try #require(origin)) - truth.position
                let factor = try #require(Cholesky(filter.covariance.block(6, 6)))
                var column = Matrix<3, 1>()
                (column[0, 0], column[1, 0], column[2, 0]) = (error.x, error.y, error.z)
                sum += factor.squaredLength(column)
                let slip = filter.state.velocity - truth.velocity
                (column[0, 0], column[1, 0], column[2, 0]) = (slip.x, slip.y, slip.z)
                sum += try #require(Cholesky(filter.covariance.block(3, 3))).squaredLength(column)
                count += 2
            }
        }
        #expect(count >= runs * 4)
        let bounds = ChiSquare.meanBounds(degreesOfFreedom: 3, count: count, probability: 0.999)
        // Honest or cautious: process noise is set above these sensors', so the mean may lie somewhat below three.
        #expect(sum / Double(count) < bounds.upperBound)
        #expect(sum / Double(count) > 0.6 * bounds.lowerBound)
    }

    @Test("the sum of settings keeps its meaning in a copy of the filter")
    func snapshot() {
        var random = Seeded(4)
        let filter = Fixture.filter(&random)
        var a = filter
        var b = filter
        let next = InertialSample(time: Fixture.time(0.01), rate: random.vector(0.3), force: Vector3(0, 0, 9.8))
        a.propagate(to: next)
        a.propagateCovariance()
        b.propagate(to: next)
        b.propagateCovariance()
        #expect(a.state == b.state)
        #expect(a.isSound)
    }
}
