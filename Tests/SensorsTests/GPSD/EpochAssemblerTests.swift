import Sensors
import Testing

@Suite("Assembling an epoch")
struct EpochAssemblerTests {
    private static let second: Int64 = 1_000_000_000
    private static let millisecond: Int64 = 1_000_000

    private func fix(_ time: Int64?, latitude: Double? = 48) -> GPSDReport.FixReport {
        var fix = GPSDReport.FixReport()
        fix.time = time
        fix.position = latitude.map { .init(latitudeDegrees: $0, longitudeDegrees: 11) }
        return fix
    }

    private func sigmas(_ time: Int64, _ east: Double = 1) -> GPSDReport.SigmaReport {
        .init(time: time, east: east, north: 2, up: 3)
    }

    /// An assembler that has learned that its receiver reports each epoch once, with standard deviations or without.
    private func experienced(withSigmas: Bool) -> EpochAssembler {
        var assembler = EpochAssembler()
        for epoch in 1...10 as ClosedRange<Int64> {
            let time = epoch * Self.second
            if withSigmas { _ = assembler.take(sigmas(time)) }
            _ = assembler.take(fix(time), arrival: time)
            _ = assembler.expire(now: time + 100 * Self.millisecond)
        }
        return assembler
    }

    @Test("a receiver that sends nothing more is not waited for")
    func immediate() {
        var assembler = experienced(withSigmas: false)
        let finished = assembler.take(fix(20 * Self.second), arrival: 5)
        #expect(finished.map(\.time) == [20 * Self.second])
        #expect(finished.first?.arrival == 5)
        #expect(finished.first?.sigmas == nil)
        #expect(assembler.deadline == nil)
    }

    @Test("standard deviations are waited for, in either order")
    func order() {
        for sigmasFirst in [true, false] {
            var assembler = experienced(withSigmas: true)
            let time = 20 * Self.second
            let first = sigmasFirst ? assembler.take(sigmas(time, 7)) : assembler.take(fix(time), arrival: time)
            #expect(first.isEmpty)
            let second = sigmasFirst ? assembler.take(fix(time), arrival: time) : assembler.take(sigmas(time, 7))
            #expect(second.map(\.sigmas?.east) == [7])
        }
    }

    @Test("a fix waits no longer than it may; the deviations of the epoch before stand in while they are fresh")
    func deadline() {
        var assembler = experienced(withSigmas: true)
        let time = 11 * Self.second
        #expect(assembler.take(fix(time), arrival: 1000).isEmpty)
        #expect(assembler.deadline == 1000 + EpochAssembler.holdNanoseconds)
        #expect(assembler.expire(now: 1000 + EpochAssembler.holdNanoseconds - 1).isEmpty)
        let finished = assembler.expire(now: 1000 + EpochAssembler.holdNanoseconds)
        #expect(finished.map(\.sigmas?.time) == [10 * Self.second])
        let later = 14 * Self.second
        _ = assembler.take(fix(later), arrival: later)
        #expect(assembler.expire(now: later + Self.second).map(\.sigmas) == [nil])
    }

    @Test("several reports of one epoch make one fix, the last of them, arrived when the first did")
    func repeated() {
        var assembler = EpochAssembler()
        let time = 20 * Self.second
        #expect(assembler.take(fix(time, latitude: 1), arrival: 100).isEmpty)
        #expect(assembler.take(fix(time, latitude: 2), arrival: 200).isEmpty)
        let finished = assembler.expire(now: 100 + EpochAssembler.holdNanoseconds)
        #expect(finished.map(\.fix.position?.latitudeDegrees) == [2])
        #expect(finished.map(\.arrival) == [100])
        #expect(assembler.take(fix(time, latitude: 3), arrival: 300).isEmpty)
        #expect(assembler.expire(now: Self.second).isEmpty)
    }

    @Test("the next epoch ends the waiting of the one before")
    func next() {
        var assembler = EpochAssembler()
        #expect(assembler.take(fix(20 * Self.second), arrival: 0).isEmpty)
        #expect(assembler.take(fix(21 * Self.second), arrival: 1).map(\.time) == [20 * Self.second])
        #expect(assembler.expire(now: Self.second).map(\.time) == [21 * Self.second])
    }

    @Test("an older epoch is a repetition, a much older one a receiver whose clock was put right")
    func backwards() {
        var assembler = experienced(withSigmas: false)
        #expect(assembler.take(fix(100 * Self.second), arrival: 0).count == 1)
        #expect(assembler.take(fix(98 * Self.second), arrival: 1).isEmpty)
        #expect(assembler.take(fix(50 * Self.second), arrival: 2).count == 1)
        #expect(assembler.take(fix(51 * Self.second), arrival: 3).count == 1)
    }

    @Test("a report without time or position is no fix and ends none")
    func incomplete() {
        var assembler = experienced(withSigmas: false)
        #expect(assembler.take(fix(nil), arrival: 0).isEmpty)
        #expect(assembler.take(fix(20 * Self.second, latitude: nil), arrival: 0).isEmpty)
        #expect(assembler.deadline == nil)
    }
}
