import Model
import Service
import Testing

@Suite("What is told of the state")
struct StateNewsTests {
    private typealias Moment = (seconds: Double, state: TrackingState, reasons: LimitingReasons)

    /// Which of the moments are told.
    private func told(_ moments: [Moment]) -> [Bool] {
        var news = StateNews()
        return moments.map { moment in
            news.takes(moment.state, moment.reasons, at: BootTime(nanoseconds: Int64(moment.seconds * 1e9)))
        }
    }

    @Test("a new state and a new reason are told at once, what stays is told once")
    func atOnce() {
        let moments: [Moment] = [
            (0, .aligning, .noGNSSData), (100, .aligning, .noGNSSData), (100.1, .localized, []),
            (100.2, .localized, .magneticDisturbance), (100.3, .localized, [.magneticDisturbance, .poorGNSS]),
        ]
        #expect(told(moments) == [true, false, true, true, true])
    }

    @Test("a reason that comes and goes is told when it came, and when it has stayed away")
    func comesAndGoes() {
        var moments: [Moment] = [(0, .localized, .magneticDisturbance)]
        for second in stride(from: 1.0, to: 60, by: 2) {
            moments += [(second, .localized, []), (second + 1, .localized, .magneticDisturbance)]
        }
        #expect(told(moments) == [true] + Array(repeating: false, count: 60))
        moments += [(62, .localized, []), (62 + StateNews.relief * 0.9, .localized, [])]
        moments += [(62 + StateNews.relief, .localized, []), (70, .localized, .magneticDisturbance)]
        #expect(told(moments).suffix(4) == [false, false, true, true])
    }

    @Test("a reason that comes back each time that it was told to be gone is told ever more rarely")
    func comesBack() {
        var moments: [Moment] = []
        // An hour: gone for twelve seconds, there for three.
        for tenth in 0..<36000 {
            let second = Double(tenth) / 10
            let isThere = second.truncatingRemainder(dividingBy: 15) < 3
            moments.append((second, .aligning, isThere ? .headingUncertain : []))
        }
        // At first; gone, back, gone, back; the third time it was not gone for long enough.
        #expect(told(moments).count { $0 } == 5)
        let later = 3600 + StateNews.memory
        moments += [(later - 300, .aligning, []), (later + 100, .aligning, [])]
        moments += [(later + 1000, .aligning, .headingUncertain), (later + 1001, .aligning, [])]
        moments += [(later + 1001 + StateNews.relief, .aligning, [])]
        #expect(told(moments).suffix(5) == [true, false, true, false, true])
    }

    @Test("one reason in another's place is new")
    func replaced() {
        #expect(told([(0, .limited, .noGNSSData), (0.1, .limited, .positionUncertain)]) == [true, true])
    }

    @Test("what was told for another cause is not told again")
    func noted() {
        var news = StateNews()
        let before = news.isEmpty
        news.note(.initializing, .noInertialData)
        let isTold = news.takes(.initializing, .noInertialData, at: BootTime(nanoseconds: 0))
        #expect(before && !news.isEmpty && !isTold)
    }
}
