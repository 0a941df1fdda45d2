import Commands
import Testing

/// One that a check may ask, which changes it.
private final class Watched {
    private var rerouting: Rerouting

    init(patience: Double = 5, minimumInterval: Double = 20) {
        rerouting = Rerouting(patience: patience, minimumInterval: minimumInterval, askedAt: 0)
    }

    func shouldAsk(isOffRoute: Bool, at time: Double) -> Bool { rerouting.shouldAsk(isOffRoute: isOffRoute, at: time) }
    func asked(at time: Double, succeeded: Bool) { rerouting.asked(at: time, succeeded: succeeded) }
}

@Suite("When another route is asked for")
struct ReroutingTests {
    @Test("behaviour 52: only who has been off the route for the patience is given another one")
    func patience() {
        let rerouting = Watched()
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 100))
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 104.9))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 105))
    }

    @Test("behaviour 52: a wearer who returns to the route in between is not rerouted")
    func back() {
        let rerouting = Watched()
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 100))
        #expect(!rerouting.shouldAsk(isOffRoute: false, at: 104))
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 106))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 111))
    }

    @Test("behaviour 52: from one question to the next there is the least interval")
    func interval() {
        let rerouting = Watched()
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 1))
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 19))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 20))
        rerouting.asked(at: 20, succeeded: true)
        for time in 21...31 { #expect(!rerouting.shouldAsk(isOffRoute: false, at: Double(time))) }
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 32))
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 39))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 40))
    }

    /// Times between questions while the wearer stays off the route, from one at the time 0 on.
    private func gaps(_ rerouting: Watched, count: Int, succeeding: Bool) -> [Double] {
        var (time, last, gaps) = (0.0, 0.0, [Double]())
        while gaps.count < count {
            time += 1
            // A route that was just set is followed until the fixes say otherwise.
            let isOffRoute = !succeeding || gaps.isEmpty || time - last > 5
            guard rerouting.shouldAsk(isOffRoute: isOffRoute, at: time) else { continue }
            gaps.append(time - last)
            last = time
            rerouting.asked(at: time, succeeded: succeeding)
        }
        return gaps
    }

    @Test("behaviour 52: a service that fails is asked less and less")
    func failures() {
        #expect(gaps(Watched(), count: 7, succeeding: false) == [20, 40, 80, 160, 320, 600, 600])
    }

    @Test("behaviour 52: so is one whose routes the wearer is never on")
    func unreachable() {
        #expect(gaps(Watched(), count: 7, succeeding: true) == [20, 40, 80, 160, 320, 600, 600])
    }

    @Test("behaviour 52: who has been on a route again is soon given the next one")
    func recovery() {
        let rerouting = Watched()
        for time in [20.0, 60, 140] { rerouting.asked(at: time, succeeded: false) }
        for time in 141...151 { #expect(!rerouting.shouldAsk(isOffRoute: false, at: Double(time))) }
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 160))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 165))
    }

    @Test("a least interval beyond ten minutes is kept")
    func longInterval() {
        let rerouting = Watched(patience: 0, minimumInterval: 3600)
        rerouting.asked(at: 0, succeeded: false)
        #expect(!rerouting.shouldAsk(isOffRoute: true, at: 3599))
        #expect(rerouting.shouldAsk(isOffRoute: true, at: 3600))
    }
}
