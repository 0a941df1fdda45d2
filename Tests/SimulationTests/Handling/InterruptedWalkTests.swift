import Geometry
import Model
import Simulation
import Testing

@Suite("Walk that is interrupted for calibrations")
struct InterruptedWalkTests {
    private static let start = BootTime(nanoseconds: 5_000_000_000)
    private static let kinds: [HandlingRequest.Kind] = [.rest, .poses, .turning, .walk]

    /// Truth at each inertial sample, while requests come at given times.
    private func truths(
        _ walk: inout CityWalk, seconds: Double, _ requests: [(at: Double, request: HandlingRequest?)]
    ) -> [WalkTruth] {
        var rest = requests[...]
        var truths: [WalkTruth] = []
        while truths.last.map({ $0.time.seconds(since: Self.start) < seconds }) ?? true {
            let measurement = walk.next()
            if let next = rest.first, measurement.arrival.seconds(since: Self.start) >= next.at {
                walk.handle(next.request)
                rest.removeFirst()
            }
            if case .angularRate(let sample) = measurement { truths.append(walk.truth(at: sample.time)) }
        }
        return truths
    }

    @Test("the motion has no step from the walk over the handling back to the walk", arguments: kinds)
    func smooth(kind: HandlingRequest.Kind) throws {
        var walk = try makeWalk { $0.inertialRate = 1000 }
        // It is cut off in the middle of something, another kind follows, and the walk goes on.
        let requests: [(at: Double, request: HandlingRequest?)] = [
            (25, HandlingRequest(kind, asksForNext: true)), (41.3, HandlingRequest(.turning)), (47, nil),
            (48, HandlingRequest(kind)), (56, nil),
        ]
        let truths = truths(&walk, seconds: 100, requests)
        var worst = (velocity: 0.0, acceleration: 0.0, angular: 0.0, turn: 0.0)
        for (before, after) in zip(truths, truths.dropFirst()) {
            let interval = after.time.seconds(since: before.time)
            let velocity = (after.positionENU - before.positionENU) / interval
            let turn = (before.rotationENUFromBody.inverse * after.rotationENUFromBody).log / interval
            worst.velocity = max(worst.velocity, (velocity - 0.5 * (before.velocityENU + after.velocityENU)).norm)
            worst.acceleration = max(worst.acceleration, (after.accelerationENU - before.accelerationENU).norm)
            let rate = 0.5 * (before.angularVelocityInBody + after.angularVelocityInBody)
            worst.turn = max(worst.turn, (turn - rate).norm)
            worst.angular = max(worst.angular, (after.angularVelocityInBody - before.angularVelocityInBody).norm)
        }
        // Over a millisecond: 150 m/s³ and 40 rad/s², a hand that turns a board by half a turn in a second.
        #expect(worst.velocity < 1e-4 && worst.acceleration < 0.2, "\(worst)")
        #expect(worst.turn < 1e-4 && worst.angular < 0.04, "\(worst)")
    }

    @Test("the walk goes on where it was interrupted, and is the same walk", arguments: kinds)
    func resumed(kind: HandlingRequest.Kind) throws {
        var whole = try makeWalk()
        let undisturbed = truths(&whole, seconds: 110, [])
        var walk = try makeWalk()
        let interrupted = truths(&walk, seconds: 110, [(30, HandlingRequest(kind, asksForNext: true)), (58.8, nil)])
        // Requests take effect at a sample, so that the delay is a whole number of samples.
        let last = try #require(interrupted.last)
        let same = try #require(
            undisturbed.min { ($0.positionENU - last.positionENU).norm < ($1.positionENU - last.positionENU).norm })
        #expect(last.time.seconds(since: same.time) > 28)
        #expect((last.positionENU - same.positionENU).norm < 1e-6)
        #expect((last.velocityENU - same.velocityENU).norm < 1e-6)
        #expect((last.rotationENUFromBody.inverse * same.rotationENUFromBody).log.norm < 1e-6)
    }

    @Test("fixes are of where the board was at their epochs, whatever was asked for since", arguments: kinds)
    func fixes(kind: HandlingRequest.Kind) throws {
        var walk = try makeWalk { $0.fixRate = 5 }
        var truths: [BootTime: WalkTruth] = [:]
        var count = 0
        var asked = 0
        while count < 400 {
            let measurement = walk.next()
            let seconds = measurement.arrival.seconds(since: Self.start)
            if Int(seconds / 9.1) > asked {
                asked += 1
                walk.handle(asked.isMultiple(of: 3) ? nil : HandlingRequest(kind, asksForNext: true))
            }
            switch measurement {
            case .angularRate(let sample): truths[sample.time] = walk.truth(at: sample.time)
            case .fix(let fix):
                // Epochs and samples of 200 Hz coincide.
                let truth = try #require(truths[fix.epoch])
                let position = walk.plane.pointENU(of: fix.position)
                #expect((position - truth.positionENU).norm < 1e-6)
                count += 1
            default: break
            }
        }
    }

    @Test("the same requests at the same samples give the same measurements")
    func repeatable() throws {
        func run() throws -> [Measurement] {
            var walk = try makeWalk(errors: .typical)
            var measurements = walk.read(seconds: 20)
            for kind in Self.kinds {
                walk.handle(HandlingRequest(kind, asksForNext: true))
                measurements += walk.read(seconds: 8)
            }
            walk.handle(nil)
            return measurements + walk.read(seconds: 20)
        }
        #expect(try run() == run())
    }
}
