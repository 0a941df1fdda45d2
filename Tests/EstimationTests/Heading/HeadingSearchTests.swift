import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Search for north")
struct HeadingSearchTests {
    /// Of a pose against the truth, counter-clockwise. Unit: degrees.
    private func yawError(_ pose: PoseEstimate, _ walk: Walk) -> Double {
        let truth = walk.truth(pose.seconds).rotationENUFromBody
        return Angle.degrees(radians: (pose.rotationENUFromBody * truth.inverse).yawAboutZ)
    }

    @Test("without a magnetometer, motion gives north within seconds", arguments: [1, 2, 3] as [UInt64])
    func motionGivesNorth(seed: UInt64) throws {
        let walk = Walk(seconds: 40, seed: seed, velocityNoise: 0.1, hasMagnetometer: false, pace: 2.5)
        let poses = Walk.poses(walk.measurements())
        let first = try #require(poses.firstIndex { $0.headingReference == .trueNorth })
        #expect(poses[first].seconds < 15)
        #expect(poses[..<first].allSatisfy { $0.headingReference == .none && $0.accuracy.yaw == nil })
        for pose in poses[first...] {
            let accuracy = try #require(pose.accuracy.yaw)
            #expect(accuracy < 0.262)
            // 3.5 deviations of a receiver whose figure is that of one axis, and is taken for the speed's, 1.5 times as
            // good.
            #expect(abs(yawError(pose, walk)) < 5.2 * Angle.degrees(radians: accuracy) + 1)
        }
        #expect(abs(yawError(try #require(poses.last), walk)) < 5)
    }

    @Test("the scene goes on through the moment in which north is found")
    func sceneIsContinuous() {
        let poses = Walk.poses(Walk(seconds: 20, hasMagnetometer: false, pace: 2.5).measurements())
        #expect(poses.contains { $0.headingReference == .trueNorth })
        for (before, after) in zip(poses, poses.dropFirst()) {
            #expect((after.positionInScene - before.positionInScene).norm < 0.1)
            #expect(after.generation == 1)
        }
    }

    /// At rest or at one velocity for two minutes, with the noise of sensors and receiver.
    ///
    /// - Parameters:
    ///   - sway: the velocity swings by so much about its mean, forth and back in two seconds. Unit: m/s.
    ///   - noise: of the receiver's velocity. Unit: m/s.
    private func steady(speed: Double, sway: Double = 0, noise: Double = 0.3) -> [PoseEstimate] {
        var random = Seeded(4)
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        let direction = Vector3(0.6, 0.8, 0)
        for k in 0..<6000 {
            let t = Double(k) / 50
            let time = Fixture.time(t)
            let velocity = direction * (speed + sway * sin(.pi * t))
            let pushed = direction * (sway * .pi * cos(.pi * t)) + 2 * Walk.site.earthRate.cross(velocity)
            let force = Vector3(0, 0, Walk.site.gravity) + pushed
            let accelerated = SpecificForceSample(time: time, force: force + random.vector(0.02))
            let turned = AngularRateSample(time: time, rate: Walk.site.earthRate + random.vector(0.002))
            odometry.feed(.specificForce(accelerated)) { _ in }
            odometry.feed(.angularRate(turned)) { if let pose = $0.pose { poses.append(pose) } }
            guard k % 50 == 25 else { continue }
            let seen = velocity + random.vector(noise)
            let place = direction * (speed * t + sway * (1 - cos(.pi * t)) / .pi) + random.vector(3)
            odometry.feed(
                .fix(
                    GNSSFix(
                        epoch: time, arrival: time, utcSeconds: nil, position: Walk.plane.position(ofENU: place)!,
                        hasHeight: true, velocityENU: .init(east: seen.x, north: seen.y, up: seen.z),
                        positionSigma: .init(east: 3, north: 3, up: 3), velocitySigma: noise))
            ) { _ in }
        }
        return poses
    }

    @Test("time alone never gives north: a body at rest or at one velocity has none", arguments: [0.0, 1.4, 15.0])
    func timeGivesNothing(speed: Double) {
        let poses = steady(speed: speed)
        #expect(poses.count > 5000)
        #expect(poses.allSatisfy { $0.headingReference == .none })
    }

    @Test("a sway gives no north: the velocity has to change by a metre a second, more than reflections feign")
    func swayGivesNothing() {
        #expect(steady(speed: 0, sway: 0.3, noise: 0.03).allSatisfy { $0.headingReference == .none })
    }

    /// A walk whose field is turned by an angle, in degrees, until an instant.
    private func walkInTurnedField(_ degrees: Double, until end: Double, seconds: Double) -> (Walk, [Measurement]) {
        let walk = Walk(seconds: seconds, velocityNoise: 0.1, pace: 2.5)
        let measurements = walk.measurements().map { measurement -> Measurement in
            guard case .magneticField(var sample) = measurement else { return measurement }
            let t = sample.time.seconds(since: Fixture.start)
            guard t < end else { return measurement }
            let rotation = walk.truth(t).rotationENUFromBody
            let turn = Rotation3.aboutZ(Angle.radians(degrees: degrees))
            sample.field = rotation.inverse * (turn * (rotation * sample.field))
            return .magneticField(sample)
        }
        return (walk, measurements)
    }

    @Test("a magnetometer that is wrong from the start is refuted by motion", arguments: [40.0, 90, -135, 180])
    func wrongFieldIsRefuted(degrees: Double) throws {
        let (walk, measurements) = walkInTurnedField(degrees, until: .infinity, seconds: 90)
        let poses = Walk.poses(measurements)
        let late = poses.filter { $0.seconds > 60 }
        #expect(late.count > 2500)
        #expect(late.allSatisfy { abs(yawError($0, walk)) < 6 && $0.headingReference == .trueNorth })
        // Until then it is claimed to no better than it is.
        let doubted = poses.filter { $0.reasons.contains(.headingUnconfirmed) && $0.seconds > 5 }
        #expect(doubted.count > 100)
        for pose in doubted {
            #expect(try #require(pose.accuracy.yaw) > 1 && pose.state != .localized)
        }
        let confirmed = poses.filter { !$0.reasons.contains(.headingUnconfirmed) && $0.seconds > 5 }
        #expect(confirmed.count > 2500)
        // One that is off by 40° is near enough to be confirmed at first, and then corrected for some seconds.
        for pose in confirmed where degrees.magnitude >= 90 {
            let accuracy = Angle.degrees(radians: try #require(pose.accuracy.yaw))
            // As without a magnetometer: 3.5 deviations of this receiver.
            #expect(abs(yawError(pose, walk)) < 5.2 * accuracy + 1)
        }
    }

    @Test("new hard iron sets the heading of a compass anew, and not one that motion has shown")
    func newHardIron() {
        var heading = HeadingKnowledge()
        #expect(!heading.isCompassAlone, "there is none")
        heading.status = .unconfirmed(.geographic)
        #expect(heading.isCompassAlone)
        heading.outdate()
        #expect(heading.status == .outdated(.geographic) && heading.isCompassAlone)
        heading.takeFromMotion()
        heading.outdate()
        #expect(heading.status == .unconfirmed(.geographic) && !heading.isCompassAlone)
    }

    @Test("a field that is right again has its say again")
    func fieldReturns() throws {
        let (walk, measurements) = walkInTurnedField(120, until: 40, seconds: 100)
        let last = try #require(Walk.poses(measurements).last)
        #expect(abs(yawError(last, walk)) < 2)
        #expect(last.sources.contains(.magnetometer))
    }

    @Test("a right magnetometer is never given up, and its yaw is there at once")
    func rightFieldStays() {
        let walk = Walk(seconds: 40)
        let poses = Walk.poses(walk.measurements()).filter { $0.seconds > 1 }
        #expect(poses.count > 3500)
        for pose in poses {
            #expect(pose.headingReference == .trueNorth)
            #expect(abs(yawError(pose, walk)) < 20)
            #expect(abs(yawError(pose, walk)) < 3 * (pose.accuracy.yaw ?? 0) * 180 / .pi)
        }
    }

    /// The same measurements with each fix as much later as a fixed shuffle says, and no fix after an instant.
    private func delayed(_ measurements: [Measurement], by shuffle: [Double]) -> [Measurement] {
        var count = 0
        return measurements.enumerated().map { item -> (Double, Int, Measurement) in
            var arrival = item.element.time.seconds(since: Fixture.start)
            // The first fixes come in time: they set the origin.
            if case .fix = item.element, arrival > 2 {
                arrival += shuffle[count % shuffle.count]
                count += 1
            }
            return (arrival, item.offset, item.element)
        }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { $0.2 }
    }

    @Test(
        "fixes up to 2 s late, in any order, lead to the same pose in each phase of the search",
        arguments: [(5.5, 0.0), (30.5, 0), (10.5, 120), (50.5, 120)])
    func order(seconds: Double, turn: Double) throws {
        var (_, measurements) = walkInTurnedField(turn, until: .infinity, seconds: seconds + 2.1)
        if turn == 0 { measurements.removeAll { if case .magneticField = $0 { true } else { false } } }
        measurements.removeAll { if case .fix(let fix) = $0 { fix.epoch > Fixture.time(seconds) } else { false } }
        let expected = try #require(Walk.poses(delayed(measurements, by: [0])).last)
        for shuffle in [[1.9, 0.1, 1.2], [0.3], [1.95, 1.5, 0.2, 0.9, 1.7]] {
            let pose = try #require(Walk.poses(delayed(measurements, by: shuffle)).last)
            #expect(pose.headingReference == expected.headingReference)
            #expect((pose.rotationENUFromBody * expected.rotationENUFromBody.inverse).log.norm < 1e-9)
            #expect((try #require(pose.velocityENU) - (try #require(expected.velocityENU))).norm < 1e-9)
            #expect((pose.accuracy.yaw == nil) == (expected.accuracy.yaw == nil))
            #expect(abs((pose.accuracy.yaw ?? 0) - (expected.accuracy.yaw ?? 0)) < 1e-9)
        }
    }

    @Test("the same measurements give the same bytes")
    func determinism() {
        let (_, measurements) = walkInTurnedField(90, until: 30, seconds: 40)
        let poses = Walk.poses(measurements)
        #expect(poses.count > 3500 && poses == Walk.poses(measurements))
    }
}
