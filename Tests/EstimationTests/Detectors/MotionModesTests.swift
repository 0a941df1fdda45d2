import Estimation
import EstimatorFixtures
import Model
import Testing

@Suite("Rest, walking and riding")
struct MotionModesTests {
    /// Single oscillations like steps, every fifth second, for half an hour: a hand at work, or a bag.
    private static func work(_ modes: inout MotionModes, from first: Int) {
        for second in first..<(first + 1800) {
            modes.observe(isStepping: second % 5 == 0, isStill: false, at: Fixture.time(Double(second)))
        }
    }

    @Test("the inertial sensors alone begin no ride")
    func noRide() {
        var modes = MotionModes()
        Self.work(&modes, from: 0)
        #expect(!modes.isRiding)
        #expect(modes.estimate.kind != .riding)
    }

    @Test("a receiver shows a ride, and they keep it for a minute without one")
    func ride() {
        var modes = MotionModes()
        for second in 0..<20 {
            modes.observe(isStepping: false, isStill: false, at: Fixture.time(Double(second)))
            modes.observe(speed: 11, standardDeviation: 0.3)
        }
        #expect(modes.isRiding)
        for second in 20..<80 { modes.observe(isStepping: false, isStill: false, at: Fixture.time(Double(second))) }
        #expect(modes.isRiding)
    }

    @Test("a ride that has ended long ago begins no other")
    func longAgo() {
        var modes = MotionModes()
        for second in 0..<20 {
            modes.observe(isStepping: false, isStill: false, at: Fixture.time(Double(second)))
            modes.observe(speed: 11, standardDeviation: 0.3)
        }
        Self.work(&modes, from: 20)
        #expect(!modes.isRiding)
    }
}
