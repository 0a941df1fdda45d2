import BoardHandling
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("Handled board")
struct HandledBoardTests {
    /// Everything that can be done with it.
    static let everything =
        Handling.still(seconds: 1) + .poses(count: 4, holdSeconds: 1, moveSeconds: 1)
        + .faces(holdSeconds: 0.5, moveSeconds: 1) + .nodding(angle: 0.2, seconds: 6)
        + .poses([Vector3(0, 1, 0)], holdSeconds: 1, moveSeconds: 1) + .turning(maximumTilt: .pi, seconds: 30)
        + .poses([Vector3(0, 1, 0)], holdSeconds: 1, moveSeconds: 1)
        + .straightWalks(2, standSeconds: 2, metres: 10, style: WalkStyle(turn: 0.3))

    @Test("rate and specific force are the derivatives of attitude and place", arguments: [1, 2] as [UInt64])
    func derivatives(seed: UInt64) {
        let board = HandledBoard(Self.everything, seed: seed, tremor: 0.01)
        let gravity = Vector3(0, 0, board.site.gravity)
        let step = 1e-3
        func place(_ time: Double) -> Vector3 {
            let truth = board.truth(at: time)
            return truth.positionENU + truth.rotationENUFromBody * board.arm
        }
        var worst = (rate: 0.0, velocity: 0.0, force: 0.0)
        var time = step
        while time < board.seconds - step {
            defer { time += 0.0373 }
            let (before, now, after) = (
                board.truth(at: time - step), board.truth(at: time), board.truth(at: time + step)
            )
            let turn = (before.rotationENUFromBody.inverse * after.rotationENUFromBody).log / (2 * step)
            let velocity = (after.positionENU - before.positionENU) / (2 * step)
            let acceleration = (place(time + step) - 2 * place(time) + place(time - step)) / (step * step)
            worst.rate = max(worst.rate, (turn - now.angularRate).norm)
            worst.velocity = max(worst.velocity, (velocity - now.velocityENU).norm)
            worst.force = max(
                worst.force, (now.rotationENUFromBody * now.specificForce - acceleration - gravity).norm)
        }
        // Differences over 1 ms err by h²/6 and h²/12 of the next derivatives, and across the ends of a movement, where
        // the jerk has a step, by h times that.
        #expect(worst.rate < 2e-4)
        #expect(worst.velocity < 1e-4)
        #expect(worst.force < 0.05)
    }

    @Test("the angular rate, integrated, leads to the attitude")
    func integrated() {
        var board = HandledBoard(Self.everything, seed: 5, tremor: 0.005)
        board.inertialRate = 1000
        board.magneticRate = 0
        var rotation = board.truth(at: 0).rotationENUFromBody
        var last: AngularRateSample?
        for case .angularRate(let sample) in board.measurements() {
            if let last {
                let interval = sample.time.seconds(since: last.time)
                rotation = rotation * Rotation3.exp((0.5 * interval) * (last.rate + sample.rate))
            }
            last = sample
        }
        // Nothing but the trapezoid errs: less than a hundredth of a degree in two minutes.
        #expect((rotation.inverse * board.truth(at: board.seconds).rotationENUFromBody).log.norm < 2e-4)
    }

    @Test("at rest the specific force is gravity, and up is where it was asked for")
    func rest() throws {
        let ups = [Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, -1), Vector3(0, 0, 1), Vector3(1, 2, -2) / 3]
        let board = HandledBoard(.poses(ups, holdSeconds: 2, moveSeconds: 1), seed: 3)
        for (index, up) in ups.enumerated() {
            let truth = board.truth(at: 3 * Double(index) + 2.5)
            #expect((truth.specificForce - board.site.gravity * up).norm < 1e-9)
            #expect(truth.angularRate.norm < 1e-12)
            #expect(abs(truth.field.norm - board.site.fieldENU.norm) < 1e-9)
        }
    }

    @Test("poses spread over the sphere lie far from each other")
    func spread() {
        let board = HandledBoard(.poses(count: 12, holdSeconds: 1, moveSeconds: 1))
        let ups = (0..<12).map { board.truth(at: 2 * Double($0) + 1.5).specificForce / board.site.gravity }
        for (index, up) in ups.enumerated() {
            for other in ups[..<index] { #expect(up.dot(other) < cos(35 * .pi / 180)) }
        }
        #expect(ups.reduce(.zero, +).norm < 1)
    }

    @Test("turning keeps to the tilt it is limited to and goes through all headings", arguments: [0.2, 0.5, 1.0])
    func sweep(maximumTilt: Double) {
        let board = HandledBoard(.turning(maximumTilt: maximumTilt, seconds: 60), seed: 2)
        var headings = Set<Int>()
        var most = 0.0
        for tick in 0..<6000 {
            let rotation = board.truth(at: Double(tick) * 0.01).rotationENUFromBody
            let up = rotation.inverse * Vector3(0, 0, 1)
            most = max(most, acos(min(1, up.y)))
            let ahead = rotation * Vector3(0, 0, -1)
            headings.insert(Int((atan2(ahead.x, ahead.y) / .pi + 1) * 18))
        }
        #expect(abs(most - maximumTilt) < 0.02 * maximumTilt)
        #expect(headings.count >= 36)
    }

    @Test("turning without a limit brings the field into almost every tenth of a tenth of the sphere")
    func wholeSphere() {
        let board = HandledBoard(.turning(maximumTilt: .pi, seconds: 90), seed: 2)
        var seen = Set<Int>()
        for tick in 0..<4500 {
            let field = board.truth(at: Double(tick) * 0.02).field
            let band = Int((field.y / field.norm + 1) * 4.999)
            seen.insert(band * 10 + Int((atan2(field.x, field.z) / .pi + 1) * 4.999))
        }
        #expect(seen.count >= 90)
    }

    @Test("a walk goes as far as it should, straight ahead", arguments: [1, 2, 3] as [UInt64])
    func walk(seed: UInt64) {
        let board = HandledBoard(.straightWalks(standSeconds: 3, metres: 12), seed: seed)
        let (begin, end) = (board.truth(at: 3), board.truth(at: board.seconds))
        let displacement = end.positionENU - begin.positionENU
        let ahead = begin.rotationENUFromBody * Vector3(0, 0, -1)
        #expect(abs(displacement.norm - 12) < 0.1)
        #expect(acos(displacement.dot(ahead) / displacement.norm) < 4 * 0.02 + 0.02)
        #expect(end.velocityENU.norm < 1e-9)
        #expect(abs(board.truth(at: 6).velocityENU.norm - 1.3) < 0.4)
    }

    @Test("a magnet comes and goes")
    func magnet() {
        var board = HandledBoard(.still(seconds: 20))
        board.magnets = [MagnetPass(nearest: 10, seconds: 2, fieldENU: Vector3(30, 0, 0))]
        let quiet = board.truth(at: 1).field
        #expect((board.truth(at: 19).field - quiet).norm < 1e-6)
        #expect(abs((board.truth(at: 10).field - quiet).norm - 30) < 1e-9)
        #expect(abs((board.truth(at: 11).field - quiet).norm - 15) < 1e-9)
    }
}
