import Foundation
import Geometry
import Linux
import Model
import Sensors
import Testing

/// Servers and devices that go and come back, against the real libiio.
@Suite(.serialized) struct IIORecoveryTests {
    private static let quiet = #"{"noise": false}"#

    /// Time for which this thread could have run and was not let, as on a busy machine. Unit: ns.
    private var processorWait: Int64 {
        let counts = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
        return counts.flatMap { Int64($0.split(separator: " ")[1]) } ?? 0
    }

    @Test("a server that is killed and started again is found again, each time, and no connection is left behind")
    func serverRestart() throws {
        let emulator = try IIOEmulator(Self.quiet)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 && $0.fields.count >= 10 && $0.pressures.count >= 1 })
        let connections = openConnections(to: emulator.port)
        #expect(connections > 0)
        for round in 1...3 {
            emulator.kill()
            #expect(running.wait { $0.report("imu_6axis")?.state == .failed })
            #expect(running.report("imu_6axis")?.detail?.isEmpty == false)
            running.forget()
            usleep(300_000)
            try emulator.restart()
            #expect(running.wait { $0.forces.count >= 10 && $0.fields.count >= 3 }, "round \(round)")
        }
        #expect(running.wait { _ in openConnections(to: emulator.port) <= connections })
        #expect(running.report("imu_6axis")?.state == .streaming)
    }

    @Test("a server that comes late is found")
    func lateServer() throws {
        let emulator = try IIOEmulator(Self.quiet)
        emulator.kill()
        let running = RunningSource(emulator)
        #expect(running.wait { $0.report("accelerometer")?.detail?.contains("is iiod running there") == true })
        #expect(running.report("gyroscope") != nil && running.report("magnetometer") != nil)
        #expect(running.report("barometer") == nil)
        try emulator.restart()
        #expect(running.wait { $0.forces.count >= 10 })
        #expect(running.report("accelerometer") == nil && running.report("imu_6axis")?.state == .streaming)
    }

    @Test("silence of one device is noticed within the time-out and ends with its first sample; others go on")
    func silence() throws {
        let emulator = try IIOEmulator(Self.quiet)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.silenceTimeoutSeconds = 0.5
        let running = RunningSource(settings)
        #expect(running.wait { $0.forces.count >= 50 })
        try emulator.command(#"{"device": "imu_6axis", "faults": {"silent": true}}"#)
        #expect(running.wait { $0.report("imu_6axis")?.state == .silent })
        running.forget()
        #expect(running.wait { $0.fields.count >= 20 })
        #expect(running.forces.count <= 2)
        try emulator.command(#"{"device": "imu_6axis", "faults": {"silent": false}}"#)
        #expect(running.wait { $0.forces.count >= 20 })
        let report = try #require(running.report("imu_6axis"))
        #expect(report.state == .streaming && report.gaps >= 1)
    }

    @Test("a device that is unplugged is missed, and taken up again when it is back")
    func replug() throws {
        let emulator = try IIOEmulator(Self.quiet)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 && $0.fields.count >= 5 })
        let samples = try #require(running.report("imu_6axis")).samples
        try emulator.command(#"{"device": "imu_6axis", "faults": {"gone": true}}"#)
        #expect(running.wait { $0.report("imu_6axis")?.state == .searching })
        running.forget()
        #expect(running.wait { $0.fields.count >= 20 })
        try emulator.command(#"{"device": "imu_6axis", "faults": {"gone": false}}"#)
        #expect(running.wait { $0.forces.count >= 20 })
        let report = try #require(running.report("imu_6axis"))
        #expect(report.state == .streaming && report.samples > samples)
    }

    @Test(
        "a server that stops answering does not hold up stop, wherever the threads wait for it",
        arguments: [("silent", 0.1), ("mute", 0.1), ("mute", 1.3), ("mute", 2.2)])
    func stopWhileBlocked(fault: String, delay: Double) throws {
        let emulator = try IIOEmulator(Self.quiet)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 20 })
        try emulator.command(#"{"faults": {"\#(fault)": true}}"#)
        usleep(UInt32(delay * 1e6))
        let before = BootClock.nanoseconds - processorWait
        running.source.stop()
        let taken = BootClock.nanoseconds - processorWait - before
        // Half a second is the promise; libiio's own time-outs are 2 and 5 s.
        #expect(taken < 1_500_000_000)
        running.forget()
        usleep(100_000)
        running.take()
        #expect(running.received.isEmpty)
    }

    @Test("a source that was stopped starts again")
    func startsAgain() throws {
        let emulator = try IIOEmulator(Self.quiet)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 20 })
        running.source.stop()
        running.forget()
        running.source.start()
        #expect(running.wait { $0.forces.count >= 20 })
    }

    @Test("stamps of another computer's clock are mapped, and the report says so")
    func foreignClock() throws {
        let emulator = try IIOEmulator(
            #"""
            {"noise": false, "faults": {"clock_offset_ns": 987654321000000000},
             "devices": [{"name": "imu", "channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}
            """#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 100 })
        #expect(running.report("imu")?.detail?.contains("mapped") == true)
        let age = BootClock.nanoseconds - running.forces.last!.time.nanoseconds
        #expect(age >= 0 && age < 1_000_000_000)
    }

    @Test(
        "a mount matrix turns the values into the body's axes, wherever it stands",
        arguments: [
            "channel", "device", "attribute",
        ])
    func mount(style: String) throws {
        let emulator = try IIOEmulator(
            #"""
            {"noise": false, "devices": [{"name": "imu", "mount_style": "\#(style)",
              "mount_matrix": "0, 1, 0; 0, 0, 1; 1, 0, 0",
              "channels": [{"kind": "accel", "value": [1, 2, 3]}]}]}
            """#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 10 })
        #expect((running.forces[0].force - Vector3(1, 2, 3)).norm < 0.001)
        let report = try #require(running.report("imu"))
        #expect(report.mountMatrixOrigin == "device" && report.mountMatrix == [0, 1, 0, 0, 0, 1, 1, 0, 0])
    }

    @Test("a mount matrix that mirrors is not applied, and the report says so; a configured one comes first")
    func mirrored() throws {
        let emulator = try IIOEmulator(
            #"""
            {"noise": false, "devices": [{"name": "imu", "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, -1",
              "channels": [{"kind": "accel", "value": [1, 2, 3]}]}]}
            """#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 10 && $0.report("imu")?.state == .streaming })
        #expect((running.forces[0].force - Vector3(1, 2, 3)).norm < 0.001)
        let report = try #require(running.report("imu"))
        #expect(report.mountMatrixOrigin == "none" && report.detail?.contains("reflection") == true)
        running.source.stop()
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.mountMatrices = [.accelerometer: try MountMatrix(parsing: "0, 1, 0; 0, 0, 1; 1, 0, 0")]
        let configured = RunningSource(settings)
        #expect(configured.wait { $0.forces.count >= 10 })
        #expect((configured.forces[0].force - Vector3(2, 3, 1)).norm < 0.001)
        #expect(configured.report("imu")?.mountMatrixOrigin == "configuration")
    }

    @Test(
        "a sensor that reports the opposite is turned round by its sign before the mount matrix, and no other",
        arguments: [#""buffer": true"#, #""buffer": false"#])
    func sign(way: String) throws {
        let emulator = try IIOEmulator(
            #"""
            {"noise": false, "devices": [{"name": "imu", \#(way), "mount_matrix": "0, 1, 0; 0, 0, 1; 1, 0, 0",
              "channels": [{"kind": "accel", "value": [1, -9, 3]}, {"kind": "gyro", "value": [0.1, 0.2, 0.3]}]}]}
            """#)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.signs = [.accelerometer: -1]
        let running = RunningSource(settings)
        #expect(running.wait { $0.forces.count >= 10 && $0.rates.count >= 10 })
        #expect((running.forces[0].force - Vector3(-1, 9, -3)).norm < 0.001)
        #expect((running.rates[0].rate - Vector3(0.1, 0.2, 0.3)).norm < 0.001)
        let axes = try #require(running.report("imu")?.axes)
        #expect(axes.map(\.kind) == [.accelerometer, .gyroscope] && axes.map(\.sign) == [-1, 1])
        #expect(axes.allSatisfy { $0.origin == "device" && $0.mountMatrix == [0, 1, 0, 0, 0, 1, 1, 0, 0] })
    }

    @Test("a full queue keeps the newest and the report counts what was lost")
    func overflow() throws {
        let emulator = try IIOEmulator(Self.quiet)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        let running = RunningSource(settings, capacity: 8)
        // The queue is not drained for a while.
        #expect(eventually { (running.report("imu_6axis")?.dropped ?? 0) > 50 })
        // Else more would come while it is drained.
        running.source.stop()
        running.take()
        #expect(running.received.count == 8)
    }
}
