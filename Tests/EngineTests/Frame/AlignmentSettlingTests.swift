import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Published alignment")
struct AlignmentSettlingTests {
    private static let accuracy = PoseAccuracy(horizontal: 3, vertical: 4, yaw: 0.05)
    private let settings = PublicationSettings.Scene()

    /// A wearer who looks north.
    private func state(speed: Double = 0) -> NavigationState {
        var state = NavigationState(time: Fixture.start, rotationENUFromBody: SceneFrame.rotationENUFromScene)
        state.velocity = Vector3(speed, 0, 0)
        return state
    }

    /// Steps of 10 ms without motion, each followed by an update of the accuracy.
    private func run(
        _ frame: inout SceneFrame, _ state: NavigationState, seconds: Double, accuracy: PoseAccuracy = Self.accuracy,
        _ look: (_ before: SceneAlignment, SceneFrame) -> Void = { _, _ in }
    ) {
        var still = InertialIncrement.none
        still.duration = 0.01
        for _ in 0..<Int(seconds * 100) {
            let before = frame.published
            frame.step(still, state)
            frame.look(state, accuracy, rate: 0)
            look(before, frame)
        }
    }

    /// Equation: docs/filter.md (54).
    @Test("a small turn is followed at a rate that is not noticed, the slower for a wearer who stands")
    func smallTurn() {
        for (speed, share) in [(0.0, settings.standingShare), (1.4, 1)] {
            var state = state(speed: speed)
            var frame = SceneFrame(state, settings: settings)
            state.rotationENUFromBody = Rotation3.aboutZ(0.01) * state.rotationENUFromBody
            run(&frame, state, seconds: 5) { before, after in
                let rate = (after.published.yaw - before.yaw) / 0.01
                #expect(rate >= 0 && rate < 1.1 * share * settings.settlingRate)
            }
            #expect(frame.published.yaw > 4.5 * share * settings.settlingRate && !frame.isCorrecting)
        }
    }

    /// Equation: docs/filter.md (54).
    @Test("a shift along the line of sight is followed within seconds, one across it hardly, a rise hardly")
    func smallShift() {
        var shifted = state()
        var frame = SceneFrame(shifted, settings: settings)
        shifted.position = Vector3(0.5, 0.5, 0.5)
        run(&frame, shifted, seconds: settings.settlingSeconds)
        let left = shifted.position - frame.published.pointENU(ofScene: frame.position)
        #expect(abs(left.y - 0.5 * 0.368) < 0.005, "1/e of what lies ahead")
        #expect(left.x > 0.45 && left.z > 0.45)
    }

    @Test("a correction beside the state is followed to the bit as the same one in it")
    func correction() {
        let correction = Vector3(2.5, -1.25, 0.5)
        var raw = state(speed: 1.4)
        raw.rotationENUFromBody = Rotation3.aboutZ(0.3) * raw.rotationENUFromBody
        raw.position = Vector3(10, 20, 1)
        var corrected = raw
        corrected.position += correction
        var (beside, within) = (SceneFrame(raw, settings: settings), SceneFrame(raw, settings: settings))
        var step = InertialIncrement.none
        (step.duration, step.displacement) = (0.01, Vector3(0.014, 0, 0))
        for number in 0..<500 {
            if number == 400 {
                beside.snap(to: raw, correction: correction)
                within.snap(to: corrected)
            }
            beside.step(step, raw, correction: correction)
            within.step(step, corrected)
            beside.look(raw, correction: correction, Self.accuracy, rate: 0.1)
            within.look(corrected, Self.accuracy, rate: 0.1)
            #expect(beside.published == within.published && beside.target == within.target)
        }
        beside.restart(raw, correction: correction)
        #expect(beside.published == SceneFrame(corrected, settings: settings).published)
    }

    @Test("what is beyond its deviation is followed faster, the better the target is known")
    func significance() {
        var left: [Double] = []
        for standardDeviation in [0.5, 2.0] {
            var shifted = state(speed: 1.4)
            var frame = SceneFrame(shifted, settings: settings)
            shifted.position = Vector3(1.2, 0, 0)
            let accuracy = PoseAccuracy(horizontal: PoseAccuracy.radius68 * standardDeviation, vertical: 4, yaw: 0.05)
            run(&frame, shifted, seconds: 4, accuracy: accuracy)
            left.append(frame.remaining.shift)
            #expect(!frame.isCorrecting, "less than 3 m is never large")
        }
        #expect(left[0] < 0.9 * left[1])
    }

    /// Equation: docs/filter.md (54).
    @Test("a rise beyond its deviation is followed less soon than a shift of the same size")
    func rise() {
        var shifted = state(speed: 1.4)
        var frame = SceneFrame(shifted, settings: settings)
        shifted.position = Vector3(6, 0, 6)
        run(&frame, shifted, seconds: 4, accuracy: PoseAccuracy(horizontal: 6, vertical: 4, yaw: 0.05))
        let left = shifted.position - frame.published.pointENU(ofScene: frame.position)
        #expect(left.x < 4.5, "\(left.x)")
        #expect(left.z > 5.5, "\(left.z)")
    }

    /// Equation: docs/filter.md (55).
    @Test("a large correction is made within bounds that turn and shift share, and ends", arguments: [0.0, 1.4, 20])
    func large(speed: Double) {
        var far = state(speed: speed)
        var frame = SceneFrame(far, settings: settings)
        far.rotationENUFromBody = Rotation3.aboutZ(0.1) * far.rotationENUFromBody
        far.position = Vector3(3.5, -1, 0)
        let accuracy = PoseAccuracy(horizontal: 1, vertical: 4, yaw: 0.02)
        let near = max(settings.slewNearDistance, settings.slewNearSeconds * speed)
        var (fastest, seconds) = (0.0, 0.0)
        run(&frame, far, seconds: 8, accuracy: accuracy) { before, after in
            let turn = Angle.wrapped(after.published.yaw - before.yaw).magnitude
            let shift = after.published.pointENU(ofScene: after.position) - before.pointENU(ofScene: after.position)
            fastest = max(fastest, (turn + shift.norm / near) / 0.01)
            if after.isCorrecting { seconds += 0.01 }
            #expect(after.isCorrecting == (after.correctionDuration > 0))
        }
        #expect(fastest < 1.02 * max(settings.slewRate, (0.1 + 3.7 / near) / 2), "the larger one halves it in time")
        #expect(seconds > 1 && seconds < 5 && !frame.isCorrecting)
        #expect(frame.remaining.turn < settings.largeTurn / 4 && frame.remaining.shift < settings.largeShift / 4)
    }

    @Test("30° and 15 m are made within 8 s, a half-turn too", arguments: [(0.52, 0.0), (0, 15), (.pi, 0)])
    func soon(turn: Double, shift: Double) {
        var far = state()
        var frame = SceneFrame(far, settings: settings)
        far.rotationENUFromBody = Rotation3.aboutZ(turn) * far.rotationENUFromBody
        far.position = Vector3(shift, 0, 0)
        run(&frame, far, seconds: 8)
        #expect(frame.remaining.turn < 0.052 && frame.remaining.shift < 3)
    }

    @Test("content that is evidently in the wrong place is near its own within seconds", arguments: [1.57, 3.14])
    func evident(turn: Double) {
        var far = state()
        var frame = SceneFrame(far, settings: settings)
        far.rotationENUFromBody = Rotation3.aboutZ(turn) * far.rotationENUFromBody
        run(&frame, far, seconds: turn < 2 ? 3 : 4) { before, after in
            #expect(Angle.wrapped(after.published.yaw - before.yaw).magnitude < 1.05 * turn * 0.01)
        }
        #expect(frame.remaining.turn < 0.175)
    }

    @Test("what the target is not known to is no large correction; what is evident is")
    func uncertain() {
        for (turn, isLarge) in [(0.2, false), (0.36, true)] {
            var far = state()
            var frame = SceneFrame(far, settings: settings)
            far.rotationENUFromBody = Rotation3.aboutZ(turn) * far.rotationENUFromBody
            let accuracy = PoseAccuracy(horizontal: nil, vertical: nil, yaw: 0.3)
            run(&frame, far, seconds: 0.01, accuracy: accuracy)
            #expect(frame.isCorrecting == isLarge)
        }
    }

    @Test("the accuracy of what is laid out counts what is still to go")
    func accuracy() throws {
        var shifted = state()
        var frame = SceneFrame(shifted, settings: settings)
        shifted.rotationENUFromBody = Rotation3.aboutZ(0.03) * shifted.rotationENUFromBody
        shifted.position = Vector3(4, 0, 0)
        run(&frame, shifted, seconds: 0.01)
        let accuracy = frame.accuracy(of: Self.accuracy)
        #expect(abs(try #require(accuracy.horizontal) - 5) < 0.02)
        #expect(abs(try #require(accuracy.yaw) - (0.0009 + 0.0025).squareRoot()) < 1e-3)
        #expect(frame.accuracy(of: PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)).horizontal == nil)
    }

    @Test("rotates about the wearer, wherever he has walked to")
    func aboutTheWearer() {
        var walked = state(speed: 1.4)
        var frame = SceneFrame(walked, settings: settings)
        var step = InertialIncrement.none
        step.duration = 0.01
        step.displacement = Vector3(5, 0, 0)
        for _ in 0..<100 {
            walked.position += step.displacement
            frame.step(step, walked)
        }
        walked.rotationENUFromBody = Rotation3.aboutZ(0.03) * walked.rotationENUFromBody
        run(&frame, walked, seconds: 3) { _, after in
            let here = after.published.pointENU(ofScene: after.position)
            #expect((here - walked.position).norm < 1e-6)
        }
        #expect(frame.published.yaw > 1e-4)
    }
}
