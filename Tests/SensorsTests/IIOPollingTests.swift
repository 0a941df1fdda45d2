import CAllocations
import Linux
import Model
import Sensors
import Testing

/// Devices that are read by their attributes.
@Suite(.serialized) struct IIOPollingTests {
    /// Blocks that all other threads have taken from the heap.
    private var allocationsElsewhere: UInt64 { waymark_allocations_of_all() - waymark_allocations() }

    @Test(
        "polling takes nothing from the heap as long as its state stays the same",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() throws {
        // All kinds, so that none is searched for.
        let emulator = try IIOEmulator(
            #"{"noise": false, "devices": [{"name": "imu", "buffer": false, "rate": 100, "rate_fixed": true, "channels": "#
                + #"[{"kind": "accel"}, {"kind": "gyro"}, {"kind": "magn"}, {"kind": "pressure"}]}]}"#)
        let running = RunningSource(emulator)
        // The rate that the driver refuses is in the detail.
        #expect(running.wait { $0.report("imu")?.state == .polling && $0.forces.count > 20 })
        #expect(running.report("imu")?.detail?.contains("sampling_frequency") == true)
        var figures: [(samples: Int, taken: UInt64)] = []
        // Other suites take from the heap as well, and the search for devices looks around, but not all the time; what
        // polling itself took would be in each of these times.
        let isFree = eventually {
            let (before, first) = (allocationsElsewhere, running.forces.count)
            guard before > 0, running.wait(until: { $0.forces.count > first + 100 }) else { return false }
            figures.append((running.forces.count - first, allocationsElsewhere - before))
            return figures.last.map { $0.taken < UInt64($0.samples) } ?? false
        }
        #expect(isFree, "\(figures)")
        _ = emulator
    }

    @Test("the detail of a polled sensor follows its fault, and a rate that another pace asks for")
    func detail() throws {
        let emulator = try IIOEmulator(
            #"{"noise": false, "devices": [{"name": "imu", "buffer": false, "rate": 100, "rate_fixed": true, "channels": "#
                + #"[{"kind": "accel"}, {"kind": "gyro"}]}]}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.report("imu")?.detail?.contains("sampling_frequency") == true })
        running.source.setPace(.idle(SamplingPace.Rates(inertial: 100, magnetic: 10, pressure: 1)))
        #expect(running.wait { $0.report("imu")?.detail == nil && $0.report("imu")?.state == .polling })
        try emulator.command(#"{"device": "imu", "attributes": {"in_accel_x_raw": "1e9"}}"#)
        #expect(running.wait { $0.report("imu")?.state == .failed }, "\(running.source.reports)")
        #expect(running.report("imu")?.detail?.contains("accelerometer") == true)
        try emulator.command(#"{"device": "imu", "attributes": {"in_accel_x_raw": "1"}}"#)
        #expect(running.wait { $0.report("imu")?.state == .polling && $0.report("imu")?.detail == nil })
        _ = emulator
    }
}
