import Service
import Testing

@Suite("Power governor")
struct PowerGovernorTests {
    private static let second: Int64 = 1_000_000_000

    /// Looks four times a second from one time to another; the times at which the mode changed. Unit: s.
    private func run(
        _ governor: inout PowerGovernor, from start: Double, to end: Double, isWanted: (Double) -> Bool
    ) -> [Double] {
        var changes: [Double] = []
        for quarter in Int(start * 4)...Int(end * 4) {
            let time = Double(quarter) / 4
            let hasChanged = governor.look(isWanted: isWanted(time), at: Int64(time * 1e9))
            if hasChanged { changes.append(time) }
        }
        return changes
    }

    @Test("idle after the set time without a client, active at once when a client comes")
    func comesAndGoes() {
        var governor = PowerGovernor(patience: 10 * Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 200) { (0...20).contains($0) || $0 >= 100 }
        #expect(changes == [30, 100])
        #expect(governor.mode == .active && governor.wakes == 1 && governor.since == 100 * Self.second)
    }

    @Test("who stays keeps it active")
    func stays() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 1000) { _ in true }
        #expect(changes.isEmpty)
    }

    @Test("a script that asks every few seconds switches it a few times, not each time")
    func flapping() {
        var governor = PowerGovernor(patience: 2 * Self.second, at: 0)
        // Every five seconds, for an hour.
        let changes = run(&governor, from: 0, to: 3600) { $0.truncatingRemainder(dividingBy: 5) == 0 }
        #expect(changes.count <= 6, "\(changes)")
        #expect(governor.mode == .active)
        // Gone, it goes idle, and a rare caller has the first patience again.
        let later = run(&governor, from: 3600.25, to: 8000) { $0 == 7000 }
        #expect(later.count == 3)
        #expect(governor.patience == 2 * Self.second)
    }

    @Test("patience does not grow without end")
    func bounded() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        var now: Int64 = 0
        for _ in 0..<100 {
            now += governor.patience
            _ = governor.look(isWanted: false, at: now)
            #expect(governor.mode == .idle)
            now += 1
            _ = governor.look(isWanted: true, at: now)
        }
        #expect(governor.patience == PowerGovernor.mostPatience)
        // A setting beyond that holds.
        governor.apply(patience: 3600 * Self.second)
        #expect(governor.patience == 3600 * Self.second)
    }

    @Test("another setting of the patience counts from then on")
    func settings() {
        var governor = PowerGovernor(patience: 100 * Self.second, at: 0)
        #expect(run(&governor, from: 0, to: 50) { $0 == 0 }.isEmpty)
        governor.apply(patience: 10 * Self.second)
        #expect(run(&governor, from: 50.25, to: 60) { _ in false } == [50.25])
    }
}
