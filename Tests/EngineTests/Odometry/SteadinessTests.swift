import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

@Suite("Steadiness of what is reported")
struct SteadinessTests {
    private func shown(_ moments: [(seconds: Double, reasons: LimitingReasons)]) -> [LimitingReasons] {
        var steady = SteadyReasons()
        return moments.map { steady.follow($0.reasons, at: Fixture.time($0.seconds)) }
    }

    @Test("a disturbance shows once it has lasted, and goes once it has stayed away")
    func lasting() {
        let moments: [(Double, LimitingReasons)] = [
            (0, []), (1, .magneticDisturbance), (1.9, .magneticDisturbance), (2.0, .magneticDisturbance), (3, []),
            (7.9, .magneticDisturbance), (8, []), (12.9, []), (13, []),
        ]
        let on = LimitingReasons.magneticDisturbance
        #expect(shown(moments) == [[], [], [], on, on, on, on, on, []])
    }

    @Test("one that comes and goes faster than that never shows")
    func blinking() {
        let moments = (0..<100).map { (Double($0) * 0.5, $0 % 2 == 1 ? LimitingReasons.poorGNSS : []) }
        #expect(shown(moments) == Array(repeating: [], count: moments.count))
    }

    @Test("silence shows at once, and reasons do not wait for each other")
    func independent() {
        let moments: [(Double, LimitingReasons)] = [
            (0, []), (1, .noInertialData), (1.2, .poorGNSS), (1.7, .poorGNSS), (3.2, .poorGNSS),
        ]
        #expect(shown(moments) == [[], .noInertialData, .noInertialData, [], .poorGNSS])
    }

    @Test(
        "ten minutes of a walk through a city change the state twice and the reasons now and then", arguments: [21, 22])
    func cityWalk(seed: UInt64) throws {
        var walk = try #require(
            CityWalk(
                settings: CityWalkSettings(seed: seed), start: Fixture.start,
                magneticModel: WorldMagneticModel.wmm2025))
        var odometry = Odometry(settings: .calibrated)
        var last: PoseEstimate?
        var (stateChanges, reasonChanges) = (0, 0)
        while true {
            let measurement = walk.next()
            guard measurement.time.seconds(since: Fixture.start) < 600 else { break }
            odometry.feed(measurement) { events in
                guard let pose = events.pose else { return }
                if let last, last.state != pose.state { stateChanges += 1 }
                if let last, last.reasons != pose.reasons { reasonChanges += 1 }
                last = pose
            }
        }
        #expect(last?.state == .localized)
        // From initializing over aligning to localized.
        #expect(stateChanges == 2)
        // A disturbance every two minutes comes and goes; the rest is the start.
        #expect(reasonChanges <= 30, "\(reasonChanges)")
    }
}
