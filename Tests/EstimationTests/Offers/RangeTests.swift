import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

/// Points at the corners of a hall and in it. Frame: ENU. Unit: metres.
private let points = [
    Vector3(-25, -20, 3), Vector3(25, -18, 2.5), Vector3(22, 20, 3.5), Vector3(-24, 19, 2), Vector3(3, 30, 3),
]

private func range(_ distance: Double, to point: Vector3, at seconds: Double) -> LocalOffer {
    var offer = LocalOffer(
        time: Fixture.time(seconds), source: SourceName("uwb")!, kind: .range, point: point, standardDeviation: 0.15)
    offer.range = distance
    return offer
}

@Suite("Position by ranges alone")
struct RecentRangesTests {
    private static let truth = Vector3(4, -7, 1.6)

    private static func ranges(to points: [Vector3], longer: Double = 0) -> RecentRanges {
        var ranges = RecentRanges()
        for (k, point) in points.enumerated() {
            let distance = (truth - point).norm + (k == 0 ? longer : 0)
            ranges.note(range(distance, to: point, at: 1 + 0.05 * Double(k)), standardDeviation: 0.15)
        }
        return ranges
    }

    private static func position(_ ranges: RecentRanges, from prior: Vector3, deviation: Double) -> Vector2? {
        ranges.position(at: Fixture.time(1.3), prior: prior, variance: deviation * deviation)?.position
    }

    @Test("is found from a prior that is far away")
    func far() throws {
        let found = Self.position(Self.ranges(to: points), from: Vector3(-30, 40, 1.6), deviation: 40)
        #expect((try #require(found) - Vector2(Self.truth)).norm < 0.3)
    }

    @Test("bears one range that is too long")
    func detour() throws {
        let found = Self.position(Self.ranges(to: points, longer: 3), from: Vector3(0, 0, 1.6), deviation: 20)
        #expect((try #require(found) - Vector2(Self.truth)).norm < 1)
    }

    @Test("is not made of two points, nor of three in a line, which leave two places")
    func ambiguous() {
        let two = Self.ranges(to: Array(points[0..<2]))
        #expect(!two.measureMotion(at: Fixture.time(1.3), from: Vector2(Self.truth)))
        #expect(Self.position(two, from: Vector3(0, 0, 1.6), deviation: 20) == nil)
        let line = Self.ranges(to: [Vector3(-20, 0, 3), Vector3(0, 0, 3), Vector3(20, 0, 3)])
        #expect(!line.measureMotion(at: Fixture.time(1.3), from: Vector2(3, 0.2)))
        #expect(Self.position(line, from: Vector3(0, 0, 1.6), deviation: 20) == nil)
        let known = Self.position(line, from: Self.truth + Vector3(1, 1, 0), deviation: 2)
        #expect(known.map { ($0 - Vector2(Self.truth)).norm < 1 } == true)
    }

    @Test("is not made of ranges that are a second old")
    func old() {
        #expect(!Self.ranges(to: points).measureMotion(at: Fixture.time(2.3), from: Vector2(Self.truth)))
    }
}

@Suite("Update by a range")
struct RangeTests {
    @Test("its derivative is the numeric one, and its curvature the mean by which a wide position lengthens it")
    func model() throws {
        var random = Seeded(5)
        var filter = Fixture.filter(&random)
        filter.state.position = Vector3(3, 4, 1)
        let offer = range(30, to: points[0], at: 0)
        for k in 0..<3 {
            let p = ErrorState.position + k
            filter.resetCovariance(p, count: 1, variance: 0)
            let error = [Vector3(1e-5, 0, 0), Vector3(0, 1e-5, 0), Vector3(0, 0, 1e-5)][k]
            var moved = filter
            moved.state.position += error
            let before = try #require(filter.rangeModel(offer))
            let after = try #require(moved.rangeModel(offer))
            #expect(abs((before.innovation - after.innovation) / 1e-5 - before.jacobian[0, p]) < 1e-5)
        }
        let deviation = 4.0
        for k in 0..<2 {
            filter.resetCovariance(ErrorState.position + k, count: 1, variance: deviation * deviation)
        }
        let curvature = try #require(filter.rangeModel(offer)).curvature
        let distance = (filter.state.position - offer.point).norm
        let count = 20_000
        let mean =
            (0..<count).reduce(0.0) { sum, _ in
                let away = Vector3(deviation * random.gaussian(), deviation * random.gaussian(), 0)
                return sum + (filter.state.position + away - offer.point).norm
            } / Double(count)
        #expect(abs(mean - distance - curvature) < 0.1, "\(mean - distance), \(curvature)")
    }

    private static func aid(_ source: String, _ t: Double, _ content: AidMeasurement.Content) -> (Double, Measurement) {
        (
            t,
            .aid(
                AidMeasurement(
                    source: SourceName(source)!, time: Fixture.time(t), arrival: Fixture.time(t), content: content))
        )
    }

    private static func place(_ position: Vector3, _ t: Double) -> (Double, Measurement) {
        aid(
            "door", t,
            .position(
                OfferedPosition(
                    position: Walk.plane.position(ofENU: position)!, hasHeight: false, horizontalAccuracy: 2,
                    verticalAccuracy: 2)))
    }

    private static func beacon(_ k: Int, _ distance: Double, _ t: Double) -> (Double, Measurement) {
        aid(
            "tag", t,
            .range(
                BeaconRange(
                    beacon: Walk.plane.position(ofENU: points[k])!, range: distance, standardDeviation: 0.15)))
    }

    private static func feed(
        _ own: [Measurement], _ aids: [(Double, Measurement)], _ note: (PoseEstimate) -> Void
    ) -> Odometry {
        let timed = own.map { ($0.arrival.seconds(since: Fixture.start), $0) } + aids
        var odometry = Walk.odometry()
        let ordered = timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        for (_, measurement) in ordered { odometry.feed(measurement.1) { if let pose = $0.pose { note(pose) } } }
        return odometry
    }

    @Test("ranges to five points show the heading of a board without a compass and without fixes")
    func heading() throws {
        let walk = Walk(seconds: 60, seed: 4, hasMagnetometer: false, pace: 2.5)
        var random = Seeded(9)
        var aids = [Self.place(walk.truth(1.01).position, 1.01)]
        for step in 10..<300 {
            for k in points.indices {
                let t = 0.2 * Double(step)
                // One in ten goes around something.
                let longer = random.gaussian() > 1.28 ? 2.0 : 0
                let distance = (walk.truth(t).position - points[k]).norm + 0.15 * random.gaussian() + longer
                aids.append(Self.beacon(k, distance, t))
            }
        }
        let own = walk.measurements().filter { if case .fix = $0 { false } else { true } }
        var last: PoseEstimate?
        let odometry = Self.feed(own, aids.sorted { $0.0 < $1.0 }) { last = $0 }
        let found = odometry.filter
        let filter = try #require(found)
        let truth = walk.truth(try #require(last).seconds)
        #expect(filter.heading.isSettled)
        let yaw = (filter.state.rotationENUFromBody * truth.rotationENUFromBody.inverse).yawAboutZ
        #expect(abs(yaw) < 0.06 && abs(yaw) < 3 * filter.standardDeviation(ErrorState.yaw), "\(yaw)")
        // The local frame begins at the first position.
        #expect((filter.state.position + walk.truth(1.01).position - truth.position).horizontalNorm < 0.5)
    }

    @Test("one point alone does not move a board that stands along the circle about it")
    func circle() throws {
        var random = Seeded(3)
        let place = Vector3(2, 3, 0)
        var own: [Measurement] = []
        for k in 0..<2500 {
            let time = Fixture.time(0.01 * Double(k))
            let force = Vector3(0, Walk.site.gravity, 0) + Vector3(0.03, 0, 0.05) + random.vector(0.1)
            own.append(.specificForce(SpecificForceSample(time: time, force: force)))
            own.append(.angularRate(AngularRateSample(time: time, rate: random.vector(0.01))))
        }
        var aids = [Self.place(place, 1.01)]
        for step in 8..<120 {
            let t = 0.2 * Double(step)
            aids.append(Self.beacon(0, (place - points[0]).norm + 0.15 * random.gaussian(), t))
        }
        let odometry = Self.feed(own, aids) { _ in }
        let found = odometry.filter
        let position = try #require(found).state.position
        // The local frame begins at the first position.
        #expect(position.horizontalNorm < 1, "\(position)")
    }
}
