import CAllocations
import Engine
import Model
import Testing

/// What is observed of the frame beside the filter is paid for at every sample.
@Suite("The path of a sample", .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
struct SamplePathTests {
    @Test("takes nothing from the heap through the engine as a whole")
    func allocations() throws {
        let (_, measurements) = try EngineTests.recordedWalk(seconds: 100)
        let start = try #require(measurements.first).time
        var engine = Engine()
        var (samples, allocations, blocks) = (0, UInt64(0), 0)
        for measurement in measurements {
            let before = waymark_allocations()
            engine.feed(measurement) { _ in }
            let taken = waymark_allocations() - before
            guard measurement.time.seconds(since: start) >= 60 else { continue }
            if case .fix = measurement { continue }
            samples += 1
            allocations += taken
            if taken > 0 { blocks += 1 }
        }
        #expect(samples > 10_000)
        #expect(allocations == 0, "\(blocks) of \(samples) samples")
    }
}
