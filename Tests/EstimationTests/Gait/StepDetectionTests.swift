import EstimatorFixtures
import Estimation
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("Step detection")
struct StepDetectionTests {
    private let settings = GaitSettings()

    /// Runs accelerations (ENU, gravity taken off) and angular rates through the monitor.
    private func steps(
        rate: Double, seconds: ClosedRange<Double>, _ motion: (Double) -> (acceleration: Vector3, rate: Vector3)
    ) -> [Step] {
        var monitor = GaitMonitor()
        var steps: [Step] = []
        for k in 0..<Int((seconds.upperBound - seconds.lowerBound) * rate) {
            let t = seconds.lowerBound + Double(k) / rate
            let (acceleration, turning) = motion(t)
            let step = monitor.add(
                GaitSample(acceleration: acceleration, rate: turning), at: Fixture.time(t), isAided: false,
                settings: settings)
            if let step { steps.append(step) }
        }
        return steps
    }

    private func steps(of walk: CityWalk, rate: Double, seconds: ClosedRange<Double>) -> [Step] {
        steps(rate: rate, seconds: seconds) {
            let truth = walk.truth(at: Fixture.time($0))
            return (truth.accelerationENU, truth.rotationENUFromBody * truth.angularVelocityInBody)
        }
    }

    @Test("counts the steps of a walk within 2 %, at any rate", arguments: [25.0, 50, 104, 200, 1000])
    func counts(rate: Double) throws {
        let walk = GaitFixture.walk()
        let span = 20.0...110.0
        let expected = GaitFixture.distance(walk, from: span.lowerBound, to: span.upperBound) / GaitFixture.stepLength
        #expect(expected > 100)
        let found = steps(of: walk, rate: rate, seconds: span)
        #expect(abs(Double(found.count) - expected) < 0.02 * expected)
    }

    /// A walk of two steps a second whose vertical force swings by so much, from trough to peak. Unit: m/s².
    private func treads(swing: Double) -> [Step] {
        steps(rate: 100, seconds: 0...20) { t in
            (Vector3(0, 0, swing / 2 * sin(4 * .pi * t)), Vector3(0.5, 0, 0))
        }
    }

    @Test("counts hard treads, and takes none of their force for a longer step")
    func hardTreads() throws {
        let (hard, harder) = (treads(swing: 20), treads(swing: 28))
        #expect(hard.count > 35 && harder.count == hard.count)
        let usual = try #require(treads(swing: 6).last)
        let (length, same) = (try #require(hard.last).length, try #require(harder.last).length)
        #expect(length > usual.length && abs(same - length) < 0.01 * length)
    }

    @Test("finds the walking line to a few degrees where the gait is even", arguments: UInt64(1)...4)
    func line(seed: UInt64) throws {
        let walk = GaitFixture.walk(seed: seed)
        var monitor = GaitMonitor()
        var (worst, count) = (0.0, 0)
        for k in 0..<4000 {
            let time = Fixture.time(Double(k) / 100)
            let truth = walk.truth(at: time)
            let step = monitor.add(
                GaitSample(truth), at: time,
                isAided: false, settings: settings)
            // The first street is straight, 48 m long; by then the mean shape of the ellipse has settled.
            guard Double(k) > 2500, let axis = step?.axis else { continue }
            let mean = truth.velocityENU + (try #require(step)).meanVelocityOffset
            let across = axis.direction.cross(mean).z / mean.norm
            worst = max(worst, asin(min(1, across.magnitude)))
            count += 1
            #expect(axis.standardDeviation < 0.3)
        }
        #expect(count > 5)
        #expect(worst < 0.1)
    }

    @Test("measures the mean velocity over a step")
    func meanVelocity() throws {
        let walk = GaitFixture.walk()
        var monitor = GaitMonitor()
        var count = 0
        for k in 0..<6000 {
            let time = Fixture.time(Double(k) / 100)
            let truth = walk.truth(at: time)
            let step = monitor.add(
                GaitSample(truth), at: time,
                isAided: false, settings: settings)
            // Where the walker speeds up, slows down or cuts the first corner, a step is not of the usual length.
            let t = Double(k) / 100
            guard let step, t > 4, t < 38, GaitFixture.isSteady(walk, from: t - 2.5, to: t) else { continue }
            let mean = truth.velocityENU + step.meanVelocityOffset
            // A step's length by its duration; the sideways swing and the corners leave less than a tenth.
            #expect(abs(Vector3(mean.x, mean.y, 0).norm * step.duration / GaitFixture.stepLength - 1) < 0.1)
            count += 1
        }
        #expect(count > 30)
    }

    @Test("counts nothing at rest")
    func rest() throws {
        #expect(steps(of: GaitFixture.walk(), rate: 100, seconds: 0...7).isEmpty)
    }

    @Test("counts nothing while the head turns and nods on the spot")
    func head() {
        let found = steps(rate: 100, seconds: 0...60) { t in
            // Turns by 50° and nods by 15°, about a neck 0.15 m behind and below.
            let (turn, nod) = (0.9 * sin(3 * t), 0.26 * sin(4.1 * t))
            let up = 0.15 * -0.26 * 4.1 * 4.1 * sin(4.1 * t) * cos(nod)
            let aside = 0.15 * -0.9 * 9 * sin(3 * t) * cos(turn)
            return (Vector3(aside, 0.3 * aside, up), Vector3(1.07 * cos(4.1 * t), 0, 2.7 * cos(3 * t)))
        }
        #expect(found.isEmpty)
    }

    @Test("counts nothing while a hand swings the device about", arguments: [0.8, 1.3, 1.9, 2.5])
    func hand(frequency: Double) {
        let w = 2 * Double.pi * frequency
        let found = steps(rate: 100, seconds: 0...30) { t in
            let swing = 0.08 * w * w
            return (
                Vector3(swing * sin(w * t), swing * cos(0.7 * w * t), 0.8 * swing * sin(w * t + 1)),
                Vector3(1.5 * sin(w * t), 0.5, cos(w * t))
            )
        }
        #expect(found.isEmpty)
    }

    @Test("counts nothing in a vehicle that shakes", arguments: UInt64(1)...5)
    func vehicle(seed: UInt64) {
        var random = Seeded(seed)
        var (bounce, speed) = (0.0, 0.0)
        let found = steps(rate: 100, seconds: 0...120) { _ in
            // The body on its springs, at 1.5 Hz and damped, driven by the road; the engine's shaking above.
            let w = 2 * Double.pi * 1.5
            let pull = -w * w * bounce - 0.5 * w * speed + 1.5 * random.gaussian()
            speed += pull * 0.01
            bounce += speed * 0.01
            return (Vector3(0.3 * random.gaussian(), 0.3 * random.gaussian(), pull), random.vector(0.05))
        }
        #expect(found.isEmpty)
    }

    /// A walk of two steps a second with a board that sways with each step and, once a stride, sideways.
    ///
    /// - Parameter share: ratio of horizontal to vertical oscillation.
    private func swaying(_ share: Double, seconds: ClosedRange<Double> = 0...30) -> [Step] {
        let w = 4 * Double.pi
        return steps(rate: 100, seconds: seconds) { t in
            let (along, aside) = (0.8 * share * sin(w * t + 0.7), 0.6 * share * sin(w / 2 * t))
            return (Vector3(1.5 * aside, 1.5 * along, 1.5 * sin(w * t)), Vector3(0.6 * sin(w / 2 * t), 0.3, 0))
        }
    }

    @Test("counts regular steps of a board that sways in a bag or on the body", arguments: [0.5, 0.85, 1.1, 1.35])
    func sway(share: Double) throws {
        let found = swaying(share)
        // The first ones show that they are regular.
        #expect(found.count > 42 && found.count <= 60)
    }

    @Test("counts nothing of a board that sways more than it is lifted")
    func wideSway() {
        #expect(swaying(1.9).isEmpty)
    }

    @Test("sees within two steps' time that the walker has stopped, and within as much that it goes on")
    func pause() {
        var monitor = GaitMonitor()
        var (lastSeen, firstAgain): (Double?, Double?) = (nil, nil)
        for k in 0..<2400 {
            let t = Double(k) / 100
            let time = Fixture.time(t)
            let isMoving = t < 10 || t > 14
            let w = 2 * Double.pi * 1.8
            let swing = isMoving ? Vector3(0, cos(w * t), 3 * sin(w * t)) : .zero
            _ = monitor.add(
                GaitSample(acceleration: swing, rate: Vector3(0, 0, isMoving ? 0.4 : 0)), at: time, isAided: false,
                settings: settings)
            if monitor.isWalking(at: time, settings: settings) {
                if t < 12 { lastSeen = t } else { firstAgain = firstAgain ?? t }
            }
            let isStanding = monitor.isStanding(at: time, settings: settings)
            if t > 11.5, t < 14 { #expect(isStanding) }
            if t < 9.9, t > 4 { #expect(!isStanding) }
        }
        #expect((lastSeen ?? 0) > 9.4 && (lastSeen ?? 99) < 11.2)
        #expect((firstAgain ?? 99) < 15.2)
    }

    /// Hard treads of two a second that shake the board: by 2.2 rad/s, root mean square.
    ///
    /// - Parameter ratio: of the amplitudes of each second tread and of the others.
    private func shaken(ratio: Double, seconds: ClosedRange<Double>) -> [Step] {
        let w = 4 * Double.pi
        return steps(rate: 100, seconds: seconds) { t in
            let isOther = Int((t * 2 + 0.5).rounded(.down)).isMultiple(of: 2)
            let swing = isOther ? 18.0 : 18 * ratio
            return (Vector3(0, 0, swing / 2 * sin(w * t)), Vector3(3.1 * sin(w * t + 1), 0, 0))
        }
    }

    @Test("begins a walk with three alike of hard treads that shake the board, and credits those before")
    func shaken() throws {
        let found = shaken(ratio: 1, seconds: 0...3)
        #expect(found.count >= 3)
        let first = try #require(found.first)
        #expect(first.credit.norm > 1.5 * first.length && first.credit.norm < 2.5 * first.length)
    }

    @Test("begins no walk with a board that a hand swings up and down unevenly")
    func uneven() {
        #expect(shaken(ratio: 1.6, seconds: 0...3).isEmpty)
    }

    @Test("goes on with its steps where the frame turns under way", arguments: [0.1, 1, 1.5, 3])
    func turn(seconds: Double) throws {
        let walk = GaitFixture.walk()
        let turn = Rotation2(yaw: 2)
        var (straight, turned) = (GaitMonitor(), GaitMonitor())
        var (count, lines) = (0, 0)
        for k in 0..<800 {
            let time = Fixture.time(GaitFixture.opening + Double(k) / 100)
            let sample = GaitSample(walk.truth(at: time))
            var other = sample
            if Double(k) / 100 >= seconds {
                if Double(k - 1) / 100 < seconds { turned.turn(by: turn) }
                other.acceleration = turn * sample.acceleration
                other.rate = turn * sample.rate
                other.rotationENUFromBody = Rotation3.aboutZ(2).matrix * sample.rotationENUFromBody
            }
            let step = straight.add(sample, at: time, isAided: false, settings: settings)
            let found = turned.add(other, at: time, isAided: false, settings: settings)
            #expect((found == nil) == (step == nil))
            guard let step, let found, Double(k) / 100 >= seconds else { continue }
            count += 1
            let expected = step.turned(by: turn)
            #expect(abs(found.length - step.length) < 1e-9)
            #expect((found.credit - expected.credit).norm < 1e-9)
            #expect((found.meanVelocityOffset - expected.meanVelocityOffset).norm < 1e-9)
            guard let line = found.axis, let expectedLine = expected.axis else { continue }
            lines += 1
            #expect(abs(line.direction.cross(expectedLine.direction).z) < 1e-4)
        }
        #expect(count > 8 && lines > 4)
    }
}
