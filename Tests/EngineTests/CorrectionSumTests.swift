import Engine
import Geometry
import Model
import Scene
import Testing

@Suite("What the events of corrections add up to")
struct CorrectionSumTests {
    /// Published yaw by time, beyond half a turn too. Unit: radians.
    private struct Rotation {
        private var samples: [(time: BootTime, yaw: Double)] = []

        mutating func add(_ yaw: Double, at time: BootTime) {
            let last = samples.last?.yaw ?? yaw
            samples.append((time, last + Angle.wrapped(yaw - last)))
        }

        func between(_ start: BootTime, _ end: BootTime) -> Double { yaw(at: end) - yaw(at: start) }

        private func yaw(at time: BootTime) -> Double { samples.last { $0.time <= time }?.yaw ?? 0 }
    }

    private typealias Report = (time: BootTime, correction: FrameCorrection)

    /// Corrections that a walk reports, and the rotation of its content.
    private func walk(
        degrees: Double, seconds: Double, seed: UInt64
    ) throws -> (reports: [Report], rotation: Rotation, log: [FrameCorrection]) {
        var walk = try FrameWalk(seed: seed)
        walk.fieldTurn = Angle.radians(degrees: degrees)
        walk.fieldSeconds = seconds
        var engine = Engine()
        var reports: [Report] = []
        var rotation = Rotation()
        while true {
            let measurement = try walk.next()
            guard measurement.time.seconds(since: FrameWalk.start) < 60 else { break }
            engine.feed(measurement) {
                if case .scene(let event) = $0, case .correction(let correction) = event.event {
                    reports.append((event.time, correction))
                }
            }
            if case .angularRate = measurement, let view = engine.viewpoint {
                rotation.add(view.map.alignment.yaw, at: view.time)
            }
        }
        let history = engine.frameHistory
        return (reports, rotation, (0..<history.count).map { history[$0] })
    }

    @Test(
        "behaviour 49: an event of a correction says the angle by which content has turned, past a half-turn too",
        arguments: [30.0, 45, 120, 180, -120], [(14, .infinity), (15, 12), (16, .infinity)] as [(UInt64, Double)])
    func finalTurn(degrees: Double, of one: (seed: UInt64, seconds: Double)) throws {
        let (reports, rotation, log) = try walk(degrees: degrees, seconds: one.seconds, seed: one.seed)
        // A compass that is off by 30° and comes right within seconds needs no large correction.
        #expect(!reports.isEmpty || (degrees == 30 && one.seconds < .infinity))
        for (time, correction) in reports {
            // The rest of a quarter of a large turn settles as small corrections do.
            let difference = correction.turn - rotation.between(correction.time, time)
            #expect(difference.magnitude < Angle.radians(degrees: 1.1), "not modulo a whole turn")
            #expect(log.contains(correction), "as the journal and the log of corrections have it")
        }
        let said = reports.map(\.correction.turn).reduce(0, +)
        let made = reports.map { rotation.between($0.correction.time, $0.time) }.reduce(0, +)
        #expect((said - made).magnitude < Angle.radians(degrees: 1.1 * Double(max(1, reports.count))))
    }
}
