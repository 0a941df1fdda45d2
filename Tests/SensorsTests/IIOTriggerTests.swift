import Linux
import Model
import Sensors
import Testing

/// What makes a device sample: its own trigger, a timer, or the daemon.
@Suite(.serialized) struct IIOTriggerTests {
    private func source(_ device: String, triggers: String = "") throws -> (IIOEmulator, RunningSource) {
        let emulator = try IIOEmulator(
            #"{"noise": false, "triggers": [\#(triggers)], "devices": [{"name": "imu", \#(device), "#
                + #""channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}"#)
        return (emulator, RunningSource(emulator))
    }

    @Test(
        "a driver's own trigger is set, whatever the driver calls it",
        arguments: ["{name}-dev{number}", "{name}-trigger", "{name}-trig-1"])
    func own(name: String) throws {
        let (emulator, running) = try source(
            #""needs_trigger": true, "trigger": "\#(name)""#, triggers: #""waymark-accelerometer""#)
        #expect(running.wait { $0.forces.count >= 30 }, "\(running.source.reports)")
        let sampling = try #require(running.report("imu")?.sampling)
        #expect(sampling.method == .deviceTrigger && sampling.trigger?.hasPrefix("imu-") == true)
        _ = emulator
    }

    @Test("another device's trigger is not taken for a device's own")
    func foreign() throws {
        let emulator = try IIOEmulator(
            #"{"devices": [{"name": "imu", "needs_trigger": true, "trigger": null, "channels": [{"kind": "accel"}]}, "#
                + #"{"name": "imu", "channels": [{"kind": "pressure"}]}]}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 20 })
        let report = running.source.reports.first { $0.identifier == "iio:device0" }
        #expect(report?.sampling?.method == .polling && report?.state == .polling)
    }

    @Test(
        "a device without a trigger of its own is sampled by the timer, at the rate of its chip at most",
        arguments: [("200", 200.0), ("100", 100), ("12.5", 12.5)])
    func timer(chip: String, expected: Double) throws {
        let (emulator, running) = try source(
            #""trigger": null, "rates_text": "\#(chip)", "rate_rounding": "exact", "rate": \#(chip)"#,
            triggers: #"{"name": "waymark-accelerometer"}, {"name": "waymark-gyroscope"}"#)
        #expect(running.wait { $0.forces.count >= 20 }, "\(running.source.reports)")
        let report = try #require(running.report("imu"))
        #expect(report.state == .streaming && report.grantedRate == expected && report.clock == "boottime")
        #expect(report.sampling?.method == .timerTrigger && report.sampling?.trigger == "waymark-accelerometer")
        #expect(report.sampling?.reason?.contains("no trigger of its own") == true)
        let steps = zip(running.forces.dropFirst(), running.forces).map { $0.time.seconds(since: $1.time) }.sorted()
        #expect(abs(steps[steps.count / 2] - 1 / expected) < 0.0005)
        _ = emulator
    }

    @Test("a timer of a kernel that parses integers is given one")
    func oldKernel() throws {
        let (emulator, running) = try source(
            #""trigger": null, "rates": [62.5], "rates_text": "62.5", "rate": 62.5"#,
            triggers: #"{"name": "waymark-accelerometer", "rate_parse": "integer", "rate_text": "%d"}"#)
        #expect(running.wait { $0.forces.count >= 10 })
        #expect(running.report("imu")?.grantedRate == 63 && running.report("imu")?.rateProblem == nil)
        _ = emulator
    }

    @Test("each device has a timer of its own, at its own rate")
    func separateTimers() throws {
        let channels = ["accel", "gyro", "magn", "pressure"]
        let timers = SensorKind.allCases.map { "waymark-\($0)" }
        let devices = channels.map { #"{"name": "\#($0)", "trigger": null, "channels": [{"kind": "\#($0)"}]}"# }
        let emulator = try IIOEmulator(
            #"{"noise": false, "triggers": \#(timers), "devices": [\#(devices.joined(separator: ", "))]}"#)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.rates = [.accelerometer: 80, .gyroscope: 160, .magnetometer: 40, .barometer: 20]
        let running = RunningSource(settings)
        // Once all stream, none may have been given another's rate.
        #expect(running.wait { [$0.forces.count, $0.rates.count, $0.fields.count, $0.pressures.count].min()! > 0 })
        running.forget()
        #expect(running.wait { $0.pressures.count > 10 }, "\(running.source.reports)")
        #expect(channels.map { running.report($0)?.sampling?.trigger } == timers)
        #expect(channels.map { running.report($0)?.grantedRate } == [80, 160, 40, 20])
        func rate(_ times: [BootTime]) -> Double {
            let steps = zip(times.dropFirst(), times).map { $0.seconds(since: $1) }.sorted()
            return 1 / steps[steps.count / 2]
        }
        #expect(abs(rate(running.forces.map(\.time)) - 80) < 1)
        #expect(abs(rate(running.rates.map(\.time)) - 160) < 1)
        #expect(abs(rate(running.fields.map(\.time)) - 40) < 1)
        #expect(abs(rate(running.pressures.map(\.time)) - 20) < 1)
        _ = emulator
    }

    @Test(
        "a timer of an earlier version is replaced where there is the device's own, and that of another program is not",
        arguments: [
            ("waymark-inertial", ["waymark-inertial", "waymark-accelerometer"], "waymark-accelerometer"),
            ("waymark-inertial", ["waymark-inertial"], "waymark-inertial"),
            ("other", ["other", "waymark-accelerometer"], "other"),
        ])
    func replaced(before: String, triggers: [String], expected: String) throws {
        let names = triggers.map { #""\#($0)""# }.joined(separator: ", ")
        let (emulator, running) = try source(
            #""trigger": null, "current_trigger": "\#(before)""#, triggers: names)
        #expect(running.wait { $0.forces.count >= 20 }, "\(running.source.reports)")
        let sampling = try #require(running.report("imu")?.sampling)
        #expect(sampling.trigger == expected && (sampling.method == .timerTrigger) == (expected != "other"))
        _ = emulator
    }

    @Test("a buffer that opens without a trigger and stays empty is given one")
    func deadBuffer() throws {
        let (emulator, running) = try source(
            #""trigger": null, "dead_fifo": true"#, triggers: #""waymark-accelerometer""#)
        #expect(running.wait { $0.forces.count >= 30 }, "\(running.source.reports)")
        #expect(running.report("imu")?.sampling?.method == .timerTrigger)
        _ = emulator
    }

    @Test("without any trigger a device is polled, and the report says what is missing", arguments: [false, true])
    func missing(hasDeadBuffer: Bool) throws {
        let (emulator, running) = try source(#""trigger": null, "dead_fifo": \#(hasDeadBuffer)"#)
        #expect(running.wait { $0.forces.count >= 20 })
        let report = try #require(running.report("imu"))
        #expect(report.state == .polling && report.sampling?.method == .polling)
        #expect(report.sampling?.reason?.contains("iio-trig-hrtimer") == true)
        #expect(report.sampling?.isTriggerMissing == true)
        _ = emulator
    }

    @Test("a FIFO needs no trigger, and a driver without a buffer has no reason to report")
    func ownDevice() throws {
        for (device, method) in [
            (#""fifo": true"#, DeviceReport.Sampling.Method.device), (#""buffer": false"#, .polling),
        ] {
            let (emulator, running) = try source(device, triggers: #""waymark-accelerometer""#)
            #expect(running.wait { $0.forces.count >= 20 })
            #expect(running.report("imu")?.sampling == DeviceReport.Sampling(method))
            _ = emulator
        }
    }
}
