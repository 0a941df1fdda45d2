import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Height by air pressure")
struct HeightTests {
    /// Of the error over an interval, its mean. Unit: metres.
    private func mean(_ errors: [(time: Double, error: Double, accuracy: Double)], _ span: Range<Double>) -> Double {
        let within = errors.filter { span.contains($0.time) }.map(\.error)
        return within.reduce(0, +) / Double(within.count)
    }

    /// Errors after a time, of which there must be many.
    private func after(
        _ seconds: Double, _ errors: [(time: Double, error: Double, accuracy: Double)]
    ) throws -> [(time: Double, error: Double, accuracy: Double)] {
        let late = errors.filter { $0.time > seconds }
        try #require(late.count > 1000)
        return late
    }

    @Test("the Jacobian is the derivative of the prediction", arguments: UInt64(1)...20)
    func jacobian(seed: UInt64) {
        var random = Seeded(seed)
        let filter = Fixture.filter(&random)
        let time = Fixture.time(-0.15)
        let model = filter.heightModel(at: time)
        for index in 0..<ErrorState.count {
            let size = 1e-4
            var (plus, minus) = (filter, filter)
            plus.state.inject(Fixture.error(index, size))
            minus.state.inject(Fixture.error(index, -size))
            let numeric =
                (plus.heightModel(at: time).prediction - minus.heightModel(at: time).prediction) / (2 * size)
            // Differences of numbers near 100 leave ten digits.
            #expect(abs(numeric - model.jacobian[0, index]) < 1e-8, "state \(index)")
        }
    }

    @Test("stairs without satellites are followed within half a metre", arguments: UInt64(1)...6)
    func stairs(seed: UInt64) throws {
        let climb = Climb(seed: seed)
        let poses = Walk.poses(climb.measurements())
        let errors = climb.errors(poses)
        let before = mean(errors, 70..<75)
        #expect(abs(mean(errors, 95..<105) - before) < 0.5)
        #expect(abs(mean(errors, 140..<150) - before) < 0.5)
        for sample in try after(75, errors) { #expect(abs(sample.error - before) < 1) }
        #expect(poses.last?.sources.contains(.barometer) == true)
    }

    @Test("an ascent before any fix moves the scene as far")
    func beforeAnyFix() {
        var climb = Climb(seconds: 60, flights: [.init(middle: 30, seconds: 8, rise: 3)])
        climb.fixesUntil = 0
        let poses = Walk.poses(climb.measurements())
        let rise = poses.last!.positionInScene.y - poses.first { $0.seconds > 20 }!.positionInScene.y
        #expect(abs(rise - 3) < 0.7)
    }

    @Test("a lift is followed, with fixes long gone and before there were any", arguments: [0.0, 60])
    func lift(fixesUntil: Double) {
        // 4 m/s at most, reached with 0.8 m/s²: a fast lift of a tall house.
        var climb = Climb(seconds: 150, flights: [.init(middle: 120, seconds: 15, rise: 30)])
        climb.fixesUntil = fixesUntil
        let poses = Walk.poses(climb.measurements())
        let rise = poses.last!.positionInScene.y - poses.first { $0.seconds > 100 }!.positionInScene.y
        #expect(abs(rise - 30) < 1.5)
    }

    @Test("far from the origin the height is still that above the ellipsoid", arguments: [100.0, 1000, 5000])
    func curvature(distance: Double) throws {
        var random = Seeded(3)
        var filter = Fixture.filter(&random)
        filter.state.pressureOffset = 0
        for bearing in stride(from: 0, to: 6.2, by: 0.4) {
            let there = try #require(Fixture.zurich.destination(bearing: bearing, distance: distance))
            filter.state.position = Walk.plane.pointENU(of: there)
            let model = filter.heightModel(at: filter.state.time)
            // The radius of curvature differs from the equatorial one by half a percent: of 2 m at 5 km.
            #expect(abs(model.prediction) < 0.02)
            #expect(distance < 1000 || abs(filter.state.position.z) > 0.05)
            filter.shift(by: -filter.state.position)
            #expect(abs(filter.heightModel(at: filter.state.time).prediction - model.prediction) < 1e-9)
            filter.state.pressureOffset = 0
        }
    }

    @Test("the accuracy of the height covers its errors", arguments: UInt64(1)...4)
    func coversErrors(seed: UInt64) throws {
        let climb = Climb(seed: seed)
        for sample in try after(20, climb.errors(Walk.poses(climb.measurements()))) {
            #expect(abs(sample.error) < 3 * sample.accuracy)
        }
    }

    @Test("a front of 3 hPa an hour does not drag the height along while there are fixes")
    func weather() {
        var climb = Climb(seconds: 1200, flights: [])
        climb.fixesUntil = .infinity
        climb.rate = 50
        climb.air = { -3 * $0 / 3600 }
        let errors = climb.errors(Walk.poses(climb.measurements()))
        // By then the pressure's height is 8.4 m off.
        #expect(abs(mean(errors, 1100..<1200)) < 2)
    }

    @Test("a door that changes the pressure leaves the height alone", arguments: [0.5, -0.5, 3, -30])
    func door(step: Double) throws {
        var climb = Climb(flights: [])
        climb.air = { (80..<110).contains($0) ? step : 0 }
        let errors = climb.errors(Walk.poses(climb.measurements()))
        let before = mean(errors, 75..<80)
        for sample in try after(80, errors) { #expect(abs(sample.error - before) < 0.7) }
    }

    @Test("pressures that cannot be are refused, and wild ones that can hardly matter")
    func badSamples() throws {
        let climb = Climb(flights: [])
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        let bad = [0, -5, 1e9, 299, 1101, .nan, .infinity, 500, 1090]
        var fed = 0
        for (index, measurement) in climb.measurements().enumerated() {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            guard index % 500 == 250 else { continue }
            let sample = PressureSample(time: measurement.time, pressureHectopascal: bad[fed % bad.count])
            odometry.feed(.pressure(sample)) { _ in }
            fed += 1
        }
        #expect(odometry.counters.outOfRange + odometry.counters.notFinite >= UInt64(fed * 6 / bad.count))
        #expect(odometry.counters.outOfRange + odometry.counters.notFinite < UInt64(fed))
        let errors = climb.errors(poses)
        let before = mean(errors, 55..<60)
        for sample in try after(60, errors) { #expect(abs(sample.error - before) < 1) }
    }

    @Test("pressures that come late, in any order, give the poses of those in order")
    func late() throws {
        let inOrder = Climb(seconds: 40, flights: [.init(middle: 20, seconds: 8, rise: 3)]).measurements()
        var random = Seeded(9)
        let delayed = inOrder.enumerated().map { index, measurement in
            var arrival = measurement.arrival.seconds(since: Fixture.start)
            if case .pressure = measurement { arrival += Double.random(in: 0..<2, using: &random) }
            return (arrival, index, measurement)
        }
        let shuffled = delayed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        // Then two more seconds have passed since the last that may have come late.
        let last = Fixture.time(37)
        let first = try #require(filter(inOrder.filter { keep($0, until: last) }))
        let second = try #require(filter(shuffled.filter { keep($0, until: last) }))
        #expect((first.state.position - second.state.position).norm < 1e-9)
        #expect((first.state.velocity - second.state.velocity).norm < 1e-9)
        #expect(abs(first.state.pressureOffset - second.state.pressureOffset) < 1e-9)
    }

    private func filter(_ measurements: [Measurement]) -> ErrorStateKalmanFilter? {
        var odometry = Walk.odometry()
        for measurement in measurements { odometry.feed(measurement) { _ in } }
        return odometry.filter
    }

    private func keep(_ measurement: Measurement, until last: BootTime) -> Bool {
        if case .pressure(let sample) = measurement { return sample.time < last }
        return true
    }
}
