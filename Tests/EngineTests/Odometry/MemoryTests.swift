import CAllocations
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

/// The daemon runs for days at hundreds of samples a second.
@Suite("Memory", .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
struct MemoryTests {
    /// What feeding took, after everything has been met for the first time.
    private struct Cost {
        var samples: UInt64 = 0
        var allocations: UInt64 = 0
        var largeCopies: UInt64 = 0
    }

    /// A walk with every sensor, and fixes that come 0.3 s late.
    private func walk(seconds: Double, fixRate: Int = 1) throws -> [Measurement] {
        var settings = CityWalkSettings(seed: 3)
        settings.fixRate = fixRate
        settings.errors.gnss.delaySeconds = 0.3...0.3
        var walk = try #require(
            CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        var measurements: [Measurement] = []
        while (measurements.last?.arrival.seconds(since: Fixture.start) ?? 0) < seconds {
            measurements.append(walk.next())
        }
        return measurements
    }

    private func cost(
        of measurements: [Measurement], from begin: Double = 60, _ feed: (Measurement) -> Void
    ) -> Cost {
        var cost = Cost()
        for measurement in measurements {
            let isCounted = measurement.arrival.seconds(since: Fixture.start) >= begin
            let (allocations, copies) = (waymark_allocations(), waymark_large_copies())
            feed(measurement)
            guard isCounted else { continue }
            cost.allocations += waymark_allocations() - allocations
            cost.largeCopies += waymark_large_copies() - copies
            if case .angularRate = measurement { cost.samples += 1 }
        }
        return cost
    }

    @Test("the path of a sample takes nothing from the heap", arguments: [1, 10])
    func allocations(fixRate: Int) throws {
        let before = waymark_allocations()
        let measurements = try walk(seconds: 100, fixRate: fixRate)
        #expect(waymark_allocations() > before, "the counter counts")
        var odometry = Odometry(settings: .calibrated)
        #expect(cost(of: measurements) { odometry.feed($0) { _ in } }.allocations == 0)
    }

    @Test("the filter is copied for snapshots alone", arguments: [1, 10])
    func copies(fixRate: Int) throws {
        let measurements = try walk(seconds: 100, fixRate: fixRate)
        var odometry = Odometry(settings: .calibrated)
        let cost = cost(of: measurements) { odometry.feed($0) { _ in } }
        // Ten snapshots a second and half as many again where a late fix has them taken anew, each in up to two parts.
        // A helper that reads the filter without changing it is handed a copy, unless it is inlined or mutating.
        #expect(cost.largeCopies > 0, "the counter counts")
        #expect(Double(cost.largeCopies) < 0.2 * Double(cost.samples))
        var engine = Engine(odometry: Odometry(settings: .calibrated))
        let whole = self.cost(of: measurements) { engine.feed($0, publish: { _ in }, { _ in }) }
        #expect(whole.largeCopies <= cost.largeCopies, "the engine around the estimator does not copy it")
    }
}
