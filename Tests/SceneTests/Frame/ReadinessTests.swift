import Geometry
import Model
import Scene
import Testing

@Suite("Readiness of the frame")
struct ReadinessTests {
    private let settings = SceneSettings.Frame()

    @Test("behaviour 39: searching until the pose is localized, and the reasons why")
    func searching() {
        var monitor = ReadinessMonitor(settings: settings)
        #expect(monitor.readiness == .begin)
        let early = FrameSamples.pose(0, state: .initializing, reasons: [.noGNSSData, .headingUnknown])
        let hasChanged = monitor.update(early, remaining: 0, 0)
        #expect(hasChanged)
        #expect(monitor.readiness.state == .searching)
        #expect(monitor.readiness.reasons == [.levelling, .positionUnknown, .noGNSSData, .headingUnknown])
        _ = monitor.update(FrameSamples.pose(5), remaining: 0, 0)
        #expect(monitor.readiness == FrameReadiness(state: .ready, reasons: []))
        let again = monitor.update(FrameSamples.pose(6), remaining: 0, 0)
        #expect(!again, "the same is reported once")
    }

    @Test("behaviour 39: no delay: ready with the first pose that is good enough")
    func atOnce() {
        var monitor = ReadinessMonitor(settings: settings)
        _ = monitor.update(FrameSamples.pose(0), remaining: 0, 0)
        #expect(monitor.readiness.state == .ready)
    }

    @Test("behaviour 39: lost when it was ready, stuck after 180 s without")
    func lostAndStuck() {
        var monitor = ReadinessMonitor(settings: settings)
        _ = monitor.update(FrameSamples.pose(0), remaining: 0, 0)
        let bad = LimitingReasons.headingUncertain
        _ = monitor.update(FrameSamples.pose(1, state: .limited, reasons: bad), remaining: 0, 0)
        #expect(monitor.readiness == FrameReadiness(state: .lost, reasons: [.headingUncertain, .positionUnknown]))
        _ = monitor.update(FrameSamples.pose(180.9, state: .limited, reasons: bad), remaining: 0, 0)
        #expect(monitor.readiness.state == .lost)
        _ = monitor.update(FrameSamples.pose(181, state: .limited, reasons: bad), remaining: 0, 0)
        #expect(monitor.readiness.state == .stuck)
        _ = monitor.update(FrameSamples.pose(182), remaining: 0, 0)
        #expect(monitor.readiness.state == .ready, "never too late")
    }

    @Test("behaviour 39: a new frame is searched for anew, however good the one before was")
    func newGeneration() {
        var monitor = ReadinessMonitor(settings: settings)
        _ = monitor.update(FrameSamples.pose(0), remaining: 0, 0)
        let anew = FrameSamples.pose(1, generation: 2, state: .aligning, reasons: .headingUncertain)
        _ = monitor.update(anew, remaining: 0, 0)
        #expect(monitor.readiness.state == .searching)
    }

    @Test("behaviour 39: content that is still on its way over more than 15° or 10 m has to settle first")
    func settling() {
        var monitor = ReadinessMonitor(settings: settings)
        for (turn, shift, isReady) in [
            (16.0, 0.0, false), (0, 11, false), (14, 9, true), (24, 19, true), (26, 0, false),
        ] {
            _ = monitor.update(FrameSamples.pose(0), remaining: Angle.radians(degrees: turn), shift)
            #expect((monitor.readiness.state == .ready) == isReady, "\(turn)° and \(shift) m")
            #expect(monitor.readiness.reasons.contains(.settling) == !isReady)
        }
        #expect(monitor.readiness.state == .lost)
    }
}
