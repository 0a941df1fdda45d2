import Service
import Testing

@Suite("A demand that is held after its last client")
struct HeldDemandTests {
    private static let second: Int64 = 1_000_000_000

    /// Looks four times a second from one time to another; the times at which it changed. Unit: s.
    private func run(
        _ demand: inout HeldDemand, from start: Double, to end: Double, isWanted: (Double) -> Bool
    ) -> [Double] {
        var changes: [Double] = []
        for quarter in Int(start * 4)...Int(end * 4) {
            let time = Double(quarter) / 4
            let hasChanged = demand.note(isWanted: isWanted(time), at: Int64(time * 1e9))
            if hasChanged { changes.append(time) }
        }
        return changes
    }

    @Test("given up after the set time without a client, held at once when a client comes")
    func comesAndGoes() {
        var demand = HeldDemand(patience: 10 * Self.second, isHeld: true, at: 0)
        let changes = run(&demand, from: 0, to: 200) { (0...20).contains($0) || $0 >= 100 }
        #expect(changes == [30, 100])
        #expect(demand.isHeld && demand.returns == 1 && demand.since == 100 * Self.second)
    }

    @Test("a client that stays holds it")
    func stays() {
        var demand = HeldDemand(patience: Self.second, isHeld: true, at: 0)
        let changes = run(&demand, from: 0, to: 1000) { _ in true }
        #expect(changes.isEmpty)
    }

    @Test("a script that asks every few seconds switches it a few times, not each time")
    func flapping() {
        var demand = HeldDemand(patience: 2 * Self.second, isHeld: true, at: 0)
        // Every five seconds, for an hour.
        let changes = run(&demand, from: 0, to: 3600) { $0.truncatingRemainder(dividingBy: 5) == 0 }
        #expect(changes.count <= 6, "\(changes)")
        #expect(demand.isHeld)
        // Gone, it is given up, and a rare caller has the first patience again.
        let later = run(&demand, from: 3600.25, to: 8000) { $0 == 7000 }
        #expect(later.count == 3)
        #expect(demand.patience == 2 * Self.second)
    }

    @Test("patience does not grow without end")
    func bounded() {
        var demand = HeldDemand(patience: Self.second, isHeld: true, at: 0)
        var now: Int64 = 0
        for _ in 0..<100 {
            now += demand.patience
            _ = demand.note(isWanted: false, at: now)
            #expect(!demand.isHeld)
            now += 1
            _ = demand.note(isWanted: true, at: now)
        }
        #expect(demand.patience == HeldDemand.maximumPatience)
        // A setting beyond that holds.
        demand.apply(patience: 3600 * Self.second)
        #expect(demand.patience == 3600 * Self.second)
    }

    @Test("another setting of the patience counts from then on")
    func settings() {
        var demand = HeldDemand(patience: 100 * Self.second, isHeld: true, at: 0)
        #expect(run(&demand, from: 0, to: 50) { $0 == 0 }.isEmpty)
        demand.apply(patience: 10 * Self.second)
        #expect(run(&demand, from: 50.25, to: 60) { _ in false } == [50.25])
    }
}
