import Service
import Testing

@Suite("Power governor")
struct PowerGovernorTests {
    private static let second: Int64 = 1_000_000_000
    /// Of a client that records, and of a display. Unit: ns.
    private static let recording: Int64 = 400_000_000
    private static let display: Int64 = 16_666_667

    /// Looks four times a second from one time to another; the modes that were entered, and when. Unit: s.
    private func run(
        _ governor: inout PowerGovernor, from start: Double, to end: Double, interval: (Double) -> Int64?
    ) -> [(time: Double, mode: PowerGovernor.Mode)] {
        var changes: [(Double, PowerGovernor.Mode)] = []
        for quarter in Int(start * 4)...Int(end * 4) {
            let time = Double(quarter) / 4
            if governor.note(interval(time), at: Int64(time * 1e9)) { changes.append((time, governor.mode)) }
        }
        return changes
    }

    @Test("idle after the set time without a client, active at once for one, more often for a display")
    func modes() {
        var governor = PowerGovernor(patience: 10 * Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 300) { time in
            switch time {
            case ..<20: Self.recording
            case 100..<200: Self.recording
            case 200..<250: Self.display
            default: nil
            }
        }
        #expect(
            changes.map(\.mode) == [.idle, .active(interval: Self.recording), .active(interval: Self.display), .idle])
        #expect(zip(changes.map(\.time), [29.75, 100, 200, 259.75]).allSatisfy { $0 == $1 })
        #expect(governor.wakes == 1)
    }

    @Test("a display that ends the idle mode has its latency in one step")
    func wakesForADisplay() {
        var governor = PowerGovernor(patience: 10 * Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 40) { $0 >= 30 ? Self.display : nil }
        #expect(changes.map(\.mode) == [.idle, .active(interval: Self.display)])
    }

    @Test("a display that leaves others behind gives its latency up later")
    func leavesOthers() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 60) { $0 < 20 ? Self.display : 1_000_000_000 }
        #expect(changes.map(\.mode) == [.active(interval: Self.display), .active(interval: Self.recording)])
        #expect(changes.last?.time == 49.75)
    }

    @Test("a display that comes and goes beside another client switches once, not each time")
    func flapping() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        // A second in twelve, for an hour.
        let changes = run(&governor, from: 0, to: 3600) {
            $0.truncatingRemainder(dividingBy: 12) < 1 ? Self.display : Self.recording
        }
        #expect(changes.count == 1, "\(changes)")
        #expect(governor.mode == .active(interval: Self.display))
    }

    @Test("a display that keeps returning after it was given up is held longer each time")
    func returning() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        // A second in forty, for an hour.
        let changes = run(&governor, from: 0, to: 3600) {
            $0.truncatingRemainder(dividingBy: 40) < 1 ? Self.display : Self.recording
        }
        #expect(changes.count == 3, "\(changes)")
    }

    @Test("a display is held for 30 s, for twice as long each time it soon returns, and for 30 s again after long")
    func held() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        let visits = [0.0..<10, 100..<101, 300..<301, 900..<901]
        let changes = run(&governor, from: 0, to: 1000) { time in
            visits.contains { $0.contains(time) } ? Self.display : Self.recording
        }
        // Each is held from its last look, a quarter of a second before its end.
        let times = [0, 9.75 + 30, 100, 100.75 + 60, 300, 300.75 + 120, 900, 900.75 + 30]
        #expect(changes.map(\.time) == times)
        let modes = [Self.display, Self.recording].map { PowerGovernor.Mode.active(interval: $0) }
        #expect(changes.map(\.mode) == (0..<4).flatMap { _ in modes })
    }

    @Test("a short patience without any client holds although a display was there")
    func idleAtOnce() {
        var governor = PowerGovernor(patience: Self.second, at: 0)
        let changes = run(&governor, from: 0, to: 60) { $0 < 20 ? Self.display : nil }
        #expect(changes.map(\.mode) == [.active(interval: Self.display), .idle])
        #expect(changes.last?.time == 20.75)
    }
}
