import Foundation
import Linux
import Model
import Sensors
import Testing

/// Sensors that sample less often while no client takes poses, against the real libiio.
@Suite(.serialized) struct IIOPaceTests {
    private static let idle = SamplingPace.idle(.init(inertial: 50, magnetic: 10, pressure: 2))
    /// For a reader of 25 Hz.
    private static let full = SamplingPace.following(interval: 0.04)
    private static let longest = SamplingPace.following(interval: 1)

    private static func imu(_ options: String) -> String {
        """
        {"noise": false, "devices": [{"name": "imu_6axis", "rate": 200, "clock": "boottime", \(options)
          "channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}
        """
    }

    /// Between the stamps of the samples that come from now on; they are those of the emulator's schedule.
    private func interval(_ running: RunningSource, samples: Int) -> Double? {
        running.forget()
        guard running.wait(until: { $0.forces.count >= samples }) else { return nil }
        let times = running.forces.map(\.time)
        let steps = zip(times.dropFirst(), times).map { $0.seconds(since: $1) }.sorted()
        return steps[steps.count / 2]
    }

    private func waitForRate(_ rate: Double, _ running: RunningSource) -> Bool {
        running.wait { $0.report("imu_6axis").map { $0.requestedRate == rate && $0.grantedRate == rate } == true }
    }

    @Test("idle sensors sample less often, and as before when a client connects; a switch is neither fault nor gap")
    func fallsAndReturns() throws {
        let emulator = try IIOEmulator(#"{"noise": false}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 && $0.fields.count >= 10 && $0.pressures.count >= 2 })
        let gaps = try #require(running.report("imu_6axis")).gaps
        running.source.setPace(Self.idle)
        #expect(waitForRate(50, running))
        #expect(running.wait { $0.report("magn_3axis")?.grantedRate == 10 && $0.report("baro")?.grantedRate == 2 })
        let slow = try #require(interval(running, samples: 30))
        #expect(abs(slow - 0.02) < 0.005)
        running.source.setPace(Self.full)
        #expect(waitForRate(200, running))
        #expect(running.wait { $0.report("magn_3axis")?.grantedRate == 50 && $0.report("baro")?.grantedRate == 10 })
        let fast = try #require(interval(running, samples: 60))
        #expect(abs(fast - 0.005) < 0.002)
        let report = try #require(running.report("imu_6axis"))
        #expect(report.state == .streaming && report.detail == nil)
        #expect(report.dropped == 0)
        // A busy machine makes gaps of its own; two switches of three devices would make more.
        #expect(report.gaps <= gaps + 1)
        let times = running.rates.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("for a display each sample is read by itself; a device that is read so anyway goes on without a break")
    func immediate() throws {
        let emulator = try IIOEmulator(#"{"noise": false}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 && $0.fields.count >= 10 && $0.pressures.count >= 2 })
        running.source.setPace(Self.full)
        #expect(waitForBatch(2, running))
        #expect(running.report("magn_3axis")?.batchSize == 1)
        let connections = connectionPorts(to: emulator.port)
        running.source.setPace(.immediate)
        #expect(waitForBatch(1, running))
        #expect(running.report("imu_6axis")?.grantedRate == 200)
        let step = try #require(interval(running, samples: 60))
        #expect(abs(step - 0.005) < 0.002)
        #expect(running.wait { $0.fields.count >= 10 })
        // Of the three devices, the others' connections are the ones they had.
        #expect(connectionPorts(to: emulator.port).intersection(connections).count >= connections.count - 1)
        running.source.setPace(Self.full)
        #expect(waitForBatch(2, running))
        running.source.setPace(Self.idle)
        #expect(waitForRate(50, running) && waitForBatch(3, running))
        running.source.setPace(.immediate)
        #expect(waitForRate(200, running) && waitForBatch(1, running))
        let report = try #require(running.report("imu_6axis"))
        #expect(report.state == .streaming && report.detail == nil && report.dropped == 0)
        let times = running.rates.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    private func waitForBatch(_ size: Int, _ running: RunningSource) -> Bool {
        running.wait { $0.report("imu_6axis")?.batchSize == size }
    }

    @Test("a batch is a quarter of the readers' interval, 2.5 ms to 0.1 s; the kernel has room for 0.6 s")
    func batches() {
        let sizes = [(50.0, 1, 1, 5, 3), (200, 1, 2, 20, 12), (400, 1, 4, 40, 24), (1600, 4, 16, 160, 96)]
        for (rate, immediate, full, longest, idle) in sizes {
            #expect(SamplingPace.immediate.batchSize(rate: rate, of: [.gyroscope]) == immediate)
            #expect(Self.full.batchSize(rate: rate, of: [.gyroscope]) == full)
            #expect(Self.longest.batchSize(rate: rate, of: [.gyroscope]) == longest)
            #expect(Self.longest.batchSize(rate: rate, of: [.magnetometer]) == full)
            #expect(Self.idle.batchSize(rate: rate, of: [.gyroscope]) == idle)
            for pace in [SamplingPace.immediate, Self.full, Self.longest, Self.idle] {
                let batches = pace.batchesHeld(rate: rate, of: [.gyroscope])
                let size = pace.batchSize(rate: rate, of: [.gyroscope])
                #expect(Double(batches * size) >= 0.6 * rate && (4...256).contains(batches))
            }
        }
    }

    @Test("a client that connects does not wait for a batch: a blocked read is interrupted")
    func wakes() throws {
        let emulator = try IIOEmulator(Self.imu(""))
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        // Longer than any test waits: a read of a device that is silent returns only when it is cancelled.
        settings.silenceTimeoutSeconds = 60
        let running = RunningSource(settings)
        #expect(running.wait { $0.forces.count >= 20 })
        running.source.setPace(Self.idle)
        #expect(waitForRate(50, running))
        #expect(interval(running, samples: 10) != nil)
        try emulator.command(#"{"device": "imu_6axis", "faults": {"silent": true}}"#)
        // Long enough for the read to be blocked; should it not be, the test is only weaker.
        usleep(200_000)
        running.source.setPace(Self.full)
        #expect(waitForRate(200, running))
        try emulator.command(#"{"device": "imu_6axis", "faults": {"silent": false}}"#)
        let fast = try #require(interval(running, samples: 30))
        #expect(abs(fast - 0.005) < 0.002)
        #expect(running.report("imu_6axis")?.state == .streaming)
    }

    @Test("a driver that refuses every rate keeps its own and goes on, awake and idle")
    func fixedRate() throws {
        let emulator = try IIOEmulator(Self.imu(#""rate_fixed": true,"#))
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 })
        for pace in [Self.idle, Self.full, Self.idle] {
            running.source.setPace(pace)
            let rate: Double = pace == Self.full ? 200 : 50
            #expect(running.wait { $0.report("imu_6axis")?.requestedRate == rate })
            let step = try #require(interval(running, samples: 60))
            #expect(abs(step - 0.005) < 0.002)
            let report = try #require(running.report("imu_6axis"))
            #expect(report.grantedRate == 200 && report.state == .streaming)
        }
    }

    @Test("a driver that changes no rate while its buffer runs has it closed before")
    func busyRate() throws {
        let emulator = try IIOEmulator(Self.imu(#""rate_busy": true,"#))
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 })
        for (pace, rate) in [(Self.idle, 50.0), (Self.full, 200), (Self.idle, 50), (Self.full, 200)] {
            running.source.setPace(pace)
            #expect(waitForRate(rate, running))
            #expect(running.wait { $0.report("imu_6axis")?.state == .streaming })
            #expect(interval(running, samples: 20) != nil)
        }
    }

    @Test("a subscriber that comes and goes a hundred times leaves the sensors at full rate and no connection behind")
    func hundredTimes() throws {
        let emulator = try IIOEmulator(#"{"noise": false}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 && $0.fields.count >= 10 && $0.pressures.count >= 1 })
        let connections = openConnections(to: emulator.port)
        for round in 0..<100 {
            running.source.setPace(Self.idle)
            // At whatever point of the switch the next one comes.
            usleep(UInt32(round % 10 * 7000))
            running.source.setPace(round % 3 == 0 ? .immediate : Self.full)
            usleep(UInt32(round % 7 * 5000))
            running.source.setPace(Self.full)
        }
        #expect(waitForRate(200, running))
        let fast = try #require(interval(running, samples: 60))
        #expect(abs(fast - 0.005) < 0.002)
        #expect(running.wait { $0.report("magn_3axis")?.grantedRate == 50 && $0.fields.count >= 5 })
        #expect(running.report("imu_6axis")?.state == .streaming && running.report("magn_3axis")?.state == .streaming)
        // Two switches a round; a busy machine makes some gaps of its own.
        #expect(try #require(running.report("imu_6axis")).gaps < 100)
        #expect(running.wait { _ in openConnections(to: emulator.port) <= connections })
    }

    @Test("a device that comes while the others are idle is idle too")
    func lateDevice() throws {
        let emulator = try IIOEmulator(#"{"noise": false}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 20 })
        try emulator.command(#"{"device": "imu_6axis", "faults": {"gone": true}}"#)
        #expect(running.wait { $0.report("imu_6axis")?.state == .searching })
        running.source.setPace(Self.idle)
        try emulator.command(#"{"device": "imu_6axis", "faults": {"gone": false}}"#)
        #expect(waitForRate(50, running))
        running.source.setPace(Self.full)
        #expect(waitForRate(200, running))
    }

    @Test("a device without a buffer is read less often while idle")
    func polled() throws {
        let emulator = try IIOEmulator(Self.imu(#""buffer": false,"#))
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 20 })
        running.source.setPace(Self.idle)
        #expect(waitForRate(50, running))
        #expect(running.wait { $0.report("imu_6axis")?.state == .polling })
        running.source.setPace(Self.full)
        #expect(waitForRate(200, running))
        #expect(interval(running, samples: 10) != nil)
    }
}
