import Model
import Service
import Testing

@Suite("State changes that are reported")
struct StateChangeLogTests {
    private typealias Moment = (seconds: Double, state: TrackingState, reasons: LimitingReasons)

    /// Which of the moments are reported.
    private func reported(_ moments: [Moment]) -> [Bool] {
        var changes = StateChangeLog()
        return moments.map { moment in
            changes.shouldReport(moment.state, moment.reasons, at: BootTime(nanoseconds: Int64(moment.seconds * 1e9)))
        }
    }

    @Test("a new state and a new reason are reported at once, what stays is reported once")
    func atOnce() {
        let moments: [Moment] = [
            (0, .aligning, .noGNSSData), (100, .aligning, .noGNSSData), (100.1, .localized, []),
            (100.2, .localized, .magneticDisturbance), (100.3, .localized, [.magneticDisturbance, .poorGNSS]),
        ]
        #expect(reported(moments) == [true, false, true, true, true])
    }

    @Test("a reason that comes and goes is reported when it came, and when it has stayed away")
    func comesAndGoes() {
        var moments: [Moment] = [(0, .localized, .magneticDisturbance)]
        for second in stride(from: 1.0, to: 60, by: 2) {
            moments += [(second, .localized, []), (second + 1, .localized, .magneticDisturbance)]
        }
        #expect(reported(moments) == [true] + Array(repeating: false, count: 60))
        moments += [(62, .localized, []), (62 + StateChangeLog.relief * 0.9, .localized, [])]
        moments += [(62 + StateChangeLog.relief, .localized, []), (70, .localized, .magneticDisturbance)]
        #expect(reported(moments).suffix(4) == [false, false, true, true])
    }

    @Test("a reason that comes back each time that it was reported gone is reported ever more rarely")
    func comesBack() {
        var moments: [Moment] = []
        // An hour: gone for twelve seconds, there for three.
        for tenth in 0..<36000 {
            let second = Double(tenth) / 10
            let isThere = second.truncatingRemainder(dividingBy: 15) < 3
            moments.append((second, .aligning, isThere ? .headingUncertain : []))
        }
        // At first; gone, back, gone, back; the third time it was not gone for long enough.
        #expect(reported(moments).count { $0 } == 5)
        let later = 3600 + StateChangeLog.memory
        moments += [(later - 300, .aligning, []), (later + 100, .aligning, [])]
        moments += [(later + 1000, .aligning, .headingUncertain), (later + 1001, .aligning, [])]
        moments += [(later + 1001 + StateChangeLog.relief, .aligning, [])]
        #expect(reported(moments).suffix(5) == [true, false, true, false, true])
    }

    @Test("one reason in another's place is new")
    func replaced() {
        #expect(reported([(0, .limited, .noGNSSData), (0.1, .limited, .positionUncertain)]) == [true, true])
    }

    @Test("what was reported for another cause is not reported again")
    func noted() {
        var changes = StateChangeLog()
        let before = changes.isEmpty
        changes.note(.initializing, .noInertialData)
        let isReported = changes.shouldReport(.initializing, .noInertialData, at: BootTime(nanoseconds: 0))
        #expect(before && !changes.isEmpty && !isReported)
    }
}
