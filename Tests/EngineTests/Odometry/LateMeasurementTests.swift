import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

@Suite("Late measurements")
struct LateMeasurementTests {
    /// Measurements up to 30 s of a walk of 33 s, those that may come late moved to another place in the sequence:
    /// after the last there is time for the latest to come in.
    private func reordered(
        _ measurements: [Measurement], shuffle: UInt64?, lateness: ClosedRange<Double> = 0...2,
        isLate: (Measurement) -> Bool
    ) -> [Measurement] {
        var random = Seeded(shuffle ?? 0)
        var timed: [(Double, Measurement)] = []
        for measurement in measurements {
            let t = measurement.time.seconds(since: Fixture.start)
            let mayBeLate = isLate(measurement)
            if mayBeLate, t >= 30 { continue }
            // The first come in time: they set the origin.
            let delay = mayBeLate && shuffle != nil && t > 2 ? Double.random(in: lateness, using: &random) : 0
            timed.append((t + delay, measurement))
        }
        return timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { $0.element.1 }
    }

    private func expectSame(_ inOrder: [Measurement], _ shuffled: [Measurement]) throws {
        let a = try #require(Walk.poses(inOrder).last)
        let b = try #require(Walk.poses(shuffled).last)
        #expect(a.time == b.time)
        #expect((a.rotationENUFromBody * b.rotationENUFromBody.inverse).log.norm < 1e-9)
        #expect((try #require(a.velocityENU) - (try #require(b.velocityENU))).norm < 1e-9)
        let (p, q) = (try #require(a.geodetic), try #require(b.geodetic))
        #expect((Walk.plane.pointENU(of: p) - Walk.plane.pointENU(of: q)).norm < 1e-8)
        #expect(abs(try #require(a.accuracy.horizontal) - (try #require(b.accuracy.horizontal))) < 1e-9)
        #expect(abs(try #require(a.accuracy.yaw) - (try #require(b.accuracy.yaw))) < 1e-9)
    }

    @Test("fixes in any order up to 2 s late lead to where fixes in order lead", arguments: UInt64(1)...5)
    func anyOrder(shuffle: UInt64) throws {
        let measurements = Walk(seconds: 33, seed: shuffle).measurements()
        func isFix(_ measurement: Measurement) -> Bool { if case .fix = measurement { true } else { false } }
        try expectSame(
            reordered(measurements, shuffle: nil, isLate: isFix),
            reordered(measurements, shuffle: shuffle, isLate: isFix))
    }

    @Test(
        "ten fixes a second, all 0.3 s late or in any order, lead to where fixes in order lead",
        arguments: [0.3...0.3, 0...2])
    func fastReceiver(lateness: ClosedRange<Double>) throws {
        var walk = Walk(seconds: 33)
        walk.fixRate = 10
        let measurements = walk.measurements()
        func isFix(_ measurement: Measurement) -> Bool { if case .fix = measurement { true } else { false } }
        try expectSame(
            reordered(measurements, shuffle: nil, isLate: isFix),
            reordered(measurements, shuffle: 1, lateness: lateness, isLate: isFix))
    }

    /// What another program offers.
    enum Offered: CaseIterable {
        case positions, ranges, rangesOfOneTime, points, sun, headings, heights, all
    }

    @Test("so do offers of each kind, and of all together", arguments: Offered.allCases, UInt64(1)...3)
    func offers(offered: Offered, shuffle: UInt64) throws {
        let walk = Walk(seconds: 33, seed: shuffle)
        // Without fixes after the first seconds, so that the offers decide.
        let own = walk.measurements().filter {
            if case .fix(let fix) = $0 { fix.epoch < Fixture.time(6) } else { true }
        }
        var random = Seeded(100 + shuffle)
        let aids = stride(from: 6.04, to: 30, by: 0.5).flatMap { Self.offers(offered, of: walk, at: $0, &random) }
        func isAid(_ measurement: Measurement) -> Bool { if case .aid = measurement { true } else { false } }
        let inOrder = reordered(own + aids, shuffle: nil, isLate: isAid)
        let without = try #require(Walk.poses(own).last), with = try #require(Walk.poses(inOrder).last)
        #expect(without.accuracy != with.accuracy, "the offers count")
        try expectSame(inOrder, reordered(own + aids, shuffle: shuffle, isLate: isAid))
    }

    private static func offers(
        _ offered: Offered, of walk: Walk, at t: Double, _ random: inout Seeded
    ) -> [Measurement] {
        let contents: [(Double, AidMeasurement.Content)] =
            switch offered {
            case .positions: [(t, position(walk, t, &random))]
            case .ranges:
                beacons.indices.map { k in (t + 0.03 * Double(k), range(walk, t + 0.03 * Double(k), k, &random)) }
            case .rangesOfOneTime: beacons.indices.map { (t, range(walk, t, $0, &random)) }
            case .points: [(t, point(walk, t, &random))]
            case .sun: [(t, sun(walk, t, &random))]
            case .headings: [(t, heading(walk, t, &random))]
            case .heights: [(t, height(walk, t, &random))]
            case .all:
                [
                    (t, position(walk, t, &random)), (t + 0.05, range(walk, t + 0.05, 1, &random)),
                    (t, point(walk, t, &random)), (t + 0.1, heading(walk, t + 0.1, &random)),
                    (t + 0.1, height(walk, t + 0.1, &random)),
                ]
            }
        return contents.map { time, content in
            let source = SourceName("other")!
            return .aid(
                AidMeasurement(source: source, time: Fixture.time(time), arrival: Fixture.time(time), content: content))
        }
    }

    private static let beacons = [
        Vector3(-25, -20, 3), Vector3(25, -18, 2.5), Vector3(22, 20, 3.5), Vector3(-24, 19, 2),
    ]

    private static func position(_ walk: Walk, _ t: Double, _ random: inout Seeded) -> AidMeasurement.Content {
        .position(
            OfferedPosition(
                position: Walk.plane.position(ofENU: walk.truth(t).position + random.vector(1))!, hasHeight: true,
                horizontalAccuracy: 2, verticalAccuracy: 2))
    }

    private static func range(_ walk: Walk, _ t: Double, _ k: Int, _ random: inout Seeded) -> AidMeasurement.Content {
        let distance = (walk.truth(t).position - beacons[k]).norm + 0.15 * random.gaussian()
        return .range(
            BeaconRange(
                beacon: Walk.plane.position(ofENU: beacons[k])!, range: distance, standardDeviation: 0.15))
    }

    private static func point(_ walk: Walk, _ t: Double, _ random: inout Seeded) -> AidMeasurement.Content {
        let (truth, church) = (walk.truth(t), Vector3(300, 150, 20))
        let seen = truth.rotationENUFromBody.inverse * (church - truth.position)
        return .sighting(
            Sighting(
                target: .point(Walk.plane.position(ofENU: church)!, hasHeight: true),
                directionInBody: Rotation3.exp(random.vector(0.02)) * (seen / seen.norm), standardDeviation: 0.02))
    }

    private static func sun(_ walk: Walk, _ t: Double, _ random: inout Seeded) -> AidMeasurement.Content {
        // By the time of the receiver: see Walk.fix.
        let sun = SolarPosition(utcSeconds: 1_782_000_000 + t, at: Fixture.zurich)!
        let level = cos(sun.elevation)
        let direction = Vector3(level * sin(sun.azimuth), level * cos(sun.azimuth), sin(sun.elevation))
        let seen = walk.truth(t).rotationENUFromBody.inverse * direction
        return .sighting(
            Sighting(
                target: .sun(utcSeconds: nil), directionInBody: Rotation3.exp(random.vector(0.02)) * seen,
                standardDeviation: 0.02))
    }

    private static func heading(_ walk: Walk, _ t: Double, _ random: inout Seeded) -> AidMeasurement.Content {
        let ahead = walk.truth(t).rotationENUFromBody * Vector3(0, 0, -1)
        return .heading(
            OfferedHeading(azimuth: atan2(ahead.x, ahead.y) + 0.05 * random.gaussian(), standardDeviation: 0.05))
    }

    private static func height(_ walk: Walk, _ t: Double, _ random: inout Seeded) -> AidMeasurement.Content {
        let height = Fixture.zurich.ellipsoidalHeight + walk.truth(t).position.z + random.gaussian()
        return .height(OfferedHeight(height: height, standardDeviation: 1))
    }

    @Test("a fix older than the memory is refused and counted")
    func tooOld() {
        let walk = Walk(seconds: 10)
        var odometry = Walk.odometry()
        for measurement in walk.measurements() { odometry.feed(measurement) { _ in } }
        var random = Seeded(1)
        var fix = walk.fix(5.1, &random)
        fix.arrival = Fixture.time(10)
        odometry.feed(.fix(fix)) { _ in }
        #expect(odometry.counters.tooLate == 1)
        fix.epoch = Fixture.time(100)
        odometry.feed(.fix(fix)) { _ in }
        #expect(odometry.counters.fromTheFuture == 1)
    }
}
