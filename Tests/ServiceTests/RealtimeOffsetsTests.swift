import Model
import Service
import Testing

@Suite("Realtime clock of then")
struct RealtimeOffsetsTests {
    private static let second: Int64 = 1_000_000_000
    private static let offset: Int64 = 1_700_000_000_000_000_000

    private func boot(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("behaviour 50: a stamp is brought to boot time by what lay between the clocks then")
    func step() {
        var offsets = RealtimeOffsets()
        #expect(offsets.bootTime(ofRealtime: Self.offset) == nil)
        for index in 0..<400 {
            // Set back by an hour after 50 s.
            let time = boot(Double(index) * 0.25)
            offsets.note(Self.offset - (index < 200 ? 0 : 3600 * Self.second), at: time)
        }
        #expect(offsets.bootTime(ofRealtime: Self.offset + 10 * Self.second) == boot(10))
        #expect(offsets.bootTime(ofRealtime: Self.offset - 3540 * Self.second) == boot(60))
        // Before the first reading the first one holds.
        #expect(offsets.bootTime(ofRealtime: Self.offset - 5 * Self.second) == boot(-5))
    }

    @Test("behaviour 50: of two moments that showed one time the later counts; a time that was skipped never was")
    func twice() {
        var (back, forward) = (RealtimeOffsets(), RealtimeOffsets())
        for index in 0..<400 {
            let time = boot(Double(index) * 0.25)
            back.note(Self.offset - (index < 200 ? 0 : 20 * Self.second), at: time)
            forward.note(Self.offset + (index < 200 ? 0 : 20 * Self.second), at: time)
        }
        // At 40 s and at 60 s.
        #expect(back.bootTime(ofRealtime: Self.offset + 40 * Self.second) == boot(60))
        #expect(forward.bootTime(ofRealtime: Self.offset + 60 * Self.second) == nil)
        #expect(forward.bootTime(ofRealtime: Self.offset + 49 * Self.second) == boot(49))
        #expect(forward.bootTime(ofRealtime: Self.offset + 70 * Self.second) == boot(50))
    }

    @Test(
        "behaviour 50: a clock that is slewed all the time is followed to 0.2 ms over ten minutes, however often it is read",
        // As chronyd does at its fastest; as adjtime does.
        arguments: [-0.083_333, -500e-6, 500e-6, 0.083_333], [0.25, 0.033])
    func slewed(rate: Double, interval: Double) throws {
        var offsets = RealtimeOffsets()
        func ahead(_ time: BootTime) -> Int64 { Self.offset + Int64(rate * Double(time.nanoseconds)) }
        for index in 0..<Int(1000 / interval) {
            let time = boot(Double(index) * interval)
            offsets.note(ahead(time), at: time)
        }
        for seconds in stride(from: 410.0, to: 999, by: 0.337) {
            let time = boot(seconds)
            let found = try #require(offsets.bootTime(ofRealtime: time.nanoseconds + ahead(time)))
            #expect(abs(found.seconds(since: time)) < 2e-4)
        }
    }

    @Test(
        "behaviour 50: a clock that is slewed after a long rest is followed from the beginning on",
        arguments: [-1.0, 1])
    func slewBegins(sign: Double) throws {
        var offsets = RealtimeOffsets()
        func ahead(_ seconds: Double) -> Int64 {
            Self.offset + Int64(sign * 0.083_333 * min(max(seconds - 100, 0), 20) * 1e9)
        }
        for index in 0..<800 { offsets.note(ahead(Double(index) * 0.25), at: boot(Double(index) * 0.25)) }
        for seconds in stride(from: 95.0, to: 125, by: 0.0137) {
            let time = boot(seconds)
            let found = try #require(offsets.bootTime(ofRealtime: time.nanoseconds + ahead(seconds)))
            #expect(abs(found.seconds(since: time)) < 2e-4)
        }
    }

    @Test("behaviour 50: extreme numbers are no time")
    func hostile() {
        var offsets = RealtimeOffsets()
        offsets.note(.max, at: boot(1))
        offsets.note(.min, at: boot(2))
        offsets.note(Self.offset, at: boot(3))
        for realtime in [Int64.min, .max, 0, -1] { _ = offsets.bootTime(ofRealtime: realtime) }
        #expect(offsets.bootTime(ofRealtime: .min) == nil)
    }
}
