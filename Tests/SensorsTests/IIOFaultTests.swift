import Foundation
import Geometry
import Linux
import Model
import Sensors
import Testing

/// What goes wrong with devices and servers, against the real libiio.
@Suite(.serialized) struct IIOFaultTests {
    private static let imu = #"{"name": "imu", "channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#

    private func source(_ devices: String, _ change: (inout IIOSettings) -> Void = { _ in }) throws -> (
        IIOEmulator, RunningSource
    ) {
        let emulator = try IIOEmulator(#"{"noise": false, "devices": [\#(devices)]}"#)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        change(&settings)
        return (emulator, RunningSource(settings))
    }

    @Test(
        "odd packings come out right",
        arguments: [
            (#""format": "be:s16/16>>0", "axes": "xzy", "scale": 0.001"#, 0.001),
            (#""format": "le:s32/32>>0", "scale": 1e-6"#, 0.000_001),
            (#""format": "le:u12/16>>4", "scale": 0.02, "offset": -2048, "junk": true"#, 0.02),
            (#""format": "be:s24/32>>8", "scale": 1e-5, "offset": 1000, "junk": true"#, 0.00001),
            (#""format": "le:s64/64>>0", "scale": 1e-9"#, 1e-9),
            (#""format": "le:s8/8>>0", "scale": 0.2"#, 0.2),
        ])
    func formats(packing: String, scale: Double) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel", "value": [-1.5, 9.8, 4], \#(packing)}]}"#)
        #expect(running.wait { $0.forces.count >= 10 }, "\(running.source.reports)")
        for sample in running.forces {
            // Rounded to one count, half a count per axis.
            #expect((sample.force - Vector3(-1.5, 9.8, 4)).norm <= scale * 0.9)
        }
        _ = emulator
    }

    @Test(
        "a rate that no sensor has is ignored, and the device streams all the same",
        arguments: [["1e-300", "1e-9", "0", "-5"], ["inf", "nan", "1e300", "fast"]])
    func absurdRate(rates: [String]) throws {
        let devices = zip(rates, [("accel", "accel"), ("gyro", "anglvel"), ("magn", "magn"), ("pressure", "pressure")])
            .map { rate, kind in
                #"{"name": "\#(kind.0)", "attributes": {"in_\#(kind.1)_sampling_frequency": "\#(rate)"}, "#
                    + #""channels": [{"kind": "\#(kind.0)"}]}"#
            }
        let (emulator, running) = try source(devices.joined(separator: ", "))
        for kind in ["accel", "gyro", "magn", "pressure"] {
            #expect(running.wait { _ in (running.report(kind)?.samples ?? 0) > 0 }, "\(running.source.reports)")
            #expect(running.report(kind)?.state == .streaming && running.report(kind)?.grantedRate == nil)
        }
        _ = emulator
    }

    @Test("a device of which no sample can be is said to be at fault")
    func nothingPossible() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "attributes": {"in_accel_scale": "1e6"}, "channels": [{"kind": "accel"}]}"#)
        #expect(running.wait { _ in running.report("imu")?.state == .failed }, "\(running.source.reports)")
        #expect(running.report("imu")?.detail?.contains("scale") == true)
        #expect(running.forces.isEmpty)
        _ = emulator
    }

    @Test(
        "a scale that is not above zero is refused by name", arguments: ["0", "-0.01", "nan", "-inf", "1e999"],
        ["accel", "anglvel"])
    func noScale(scale: String, sensor: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "attributes": {"in_\#(sensor)_scale": "\#(scale)"}, "#
                + #""channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#)
        #expect(
            running.wait { _ in running.report("imu")?.detail?.contains("scale") == true },
            "\(running.source.reports)")
        #expect(running.report("imu")?.state == .failed)
        #expect(running.forces.isEmpty)
        _ = emulator
    }

    @Test("one sensor of two whose samples are impossible is named, and the other is used", arguments: [1e4, 1e300])
    func oneOfTwo(rate: Double) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel"}, {"kind": "gyro", "value": [0, \#(rate), 0], "#
                + #""format": "le:s32/32>>0", "scale": \#(rate / 1000)}]}"#)
        #expect(
            running.wait { $0.report("imu")?.detail?.hasPrefix("gyroscope: implausible samples") == true },
            "\(running.source.reports)")
        #expect(running.report("imu")?.state == .failed)
        #expect(running.wait { $0.forces.count >= 40 })
        #expect(running.rates.isEmpty)
        _ = emulator
    }

    @Test(
        "an answer that comes late is not taken for that of the next question",
        arguments: ["in_accel_mount_matrix", "in_accel_sampling_frequency", "current_timestamp_clock"])
    func lateAnswer(attribute: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "mount_style": "attribute", "mount_matrix": "0.5", "faults": {"#
                + #""late_answers": {"\#(attribute)": 3000}}, "channels": [{"kind": "accel"}]}"#
        ) { $0.silenceTimeoutSeconds = 0.2 }
        #expect(
            running.wait { $0.report("imu")?.detail?.contains("the server gave no answer") == true },
            "\(running.source.reports)")
        #expect(running.report("imu")?.channels.isEmpty == true && running.forces.isEmpty)
        let matrix = "1, 0, 0; 0, 1, 0; 0, 0, 1"
        try emulator.command(
            #"{"device": "imu", "faults": {"late_answers": {}}, "attributes": {"in_accel_mount_matrix": "\#(matrix)"}}"#
        )
        #expect(running.wait { $0.forces.count >= 10 }, "\(running.source.reports)")
        _ = emulator
    }

    @Test(
        "an error number beyond all errors is an error",
        arguments: ["-2147483648", "-2147483647", "-999999", "-1"])
    func absurdError(code: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "faults": {"write_error": \#(code)}, "#
                + #""channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#)
        #expect(running.wait { $0.forces.count >= 40 }, "\(running.source.reports)")
        _ = emulator
    }

    @Test(
        "a rate is rounded by the driver and read back",
        arguments: [
            #""rates": [13, 26, 52, 111.1, 208]"#, #""rates": [13, 26, 52, 111.1, 208], "rates_listed": true"#,
            #""rates": [13, 26, 52, 111.1, 208], "rate_attribute": "device""#,
        ])
    func rounded(rates: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "rate": 13, \#(rates), "channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#
        ) { $0.inertialRate = 104 }
        #expect(running.wait { $0.forces.count >= 40 })
        let report = try #require(running.report("imu"))
        #expect(report.requestedRate == 104 && report.grantedRate == 111.1)
        let steps = zip(running.forces.dropFirst(), running.forces).map { $0.time.seconds(since: $1.time) }.sorted()
        #expect(abs(steps[steps.count / 2] - 1 / 111.1) < 0.0005)
        _ = emulator
    }

    @Test("accelerometer and gyroscope have rates of their own as separate devices")
    func separateRates() throws {
        let (emulator, running) = try source(
            #"""
            {"name": "accel", "rate": 100, "channels": [{"kind": "accel"}]},
            {"name": "gyro", "rate": 100, "channels": [{"kind": "gyro"}]}
            """#
        ) { $0.rates = [.accelerometer: 50, .gyroscope: 200] }
        #expect(running.wait { $0.forces.count >= 20 && $0.rates.count >= 80 })
        #expect(running.report("accel")?.grantedRate == 50 && running.report("gyro")?.grantedRate == 200)
        _ = emulator
    }

    @Test(
        "on one device the higher rate of accelerometer and gyroscope applies to both",
        arguments: [#""rate_attribute": "device""#, #""rate_attribute": "channel""#])
    func sharedRate(attribute: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "rate": 100, \#(attribute), "channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#
        ) { $0.rates = [.accelerometer: 50, .gyroscope: 200] }
        #expect(running.wait { $0.forces.count >= 40 && $0.rates.count >= 40 })
        let report = try #require(running.report("imu"))
        #expect(report.requestedRate == 200 && report.grantedRate == 200)
        _ = emulator
    }

    @Test("a device without a buffer is polled")
    func polled() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "buffer": false, "channels": [{"kind": "accel"}, {"kind": "gyro"}]}"#)
        #expect(running.wait { $0.forces.count >= 50 && $0.rates.count >= 50 })
        #expect(abs(running.forces[0].force.y - 9.80665) < 0.0005)
        let report = try #require(running.report("imu"))
        #expect(report.state == .polling && report.clock == "host" && report.channels.first?.format == nil)
        let times = running.forces.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // 100 Hz at most.
        #expect(times.last!.seconds(since: times[0]) > Double(times.count - 1) * 0.009)
        _ = emulator
    }

    @Test("a buffer that cannot be set up gives way to polling, and the report says why")
    func bufferRefused() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel"}], "faults": {"open_error": -13}}"#)
        #expect(running.wait { $0.forces.count >= 5 })
        let report = try #require(running.report("imu"))
        #expect(report.state == .polling)
        #expect(report.detail?.contains("udev rule") == true)
        _ = emulator
    }

    @Test("a device without its trigger gets it")
    func trigger() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "needs_trigger": true, "channels": [{"kind": "accel"}]}"#)
        #expect(running.wait { $0.forces.count >= 20 })
        #expect(running.report("imu")?.state == .streaming)
        _ = emulator
    }

    @Test("a buffer that another program holds is taken as soon as it is free")
    func busy() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel"}], "faults": {"open_error": -16}}"#)
        #expect(running.wait { $0.report("imu")?.detail?.contains("another program") == true })
        #expect(running.report("imu")?.state == .failed && running.forces.isEmpty)
        try emulator.command(#"{"device": "imu", "faults": {"open_error": 0}}"#)
        #expect(running.wait { $0.forces.count >= 20 })
        #expect(running.report("imu")?.state == .streaming)
    }

    @Test("a buffer that stays with another program is waited for: a device that can be polled too is not")
    func longBusy() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel"}], "faults": {"open_error": -16, "open_errors": 5}}"#)
        #expect(running.wait { $0.forces.count >= 20 })
        #expect(running.report("imu")?.state == .streaming)
        _ = emulator
    }

    @Test(
        "a description of nonsense is an error with a name",
        arguments: [
            (
                #"{"name": "imu", "channels": [{"kind": "accel"}], "attributes": {"in_accel_scale": "nan"}}"#,
                "scale is “nan”"
            ),
            (#"{"name": "imu", "channels": [{"kind": "accel"}], "attributes": {"in_accel_scale": "1e999"}}"#, "1e999"),
            (
                #"{"name": "imu", "channels": [{"kind": "accel"}], "attributes": {"in_accel_scale": ""}}"#,
                "not a number"
            ),
            (
                #"{"name": "imu", "channels": [{"kind": "accel"}], "attributes": {"in_accel_scale": "0.0"}}"#,
                "scale is 0"
            ),
        ])
    func nonsense(device: String, expected: String) throws {
        let (emulator, running) = try source(device)
        #expect(running.wait { $0.report("imu")?.detail?.contains(expected) == true }, "\(running.source.reports)")
        #expect(running.report("imu")?.state == .failed && running.forces.isEmpty)
        _ = emulator
    }

    @Test(
        "a format that cannot be decoded is named, and the attributes serve instead",
        arguments: [
            "le:s0/0>>0", "le:s99/16>>0", "le:s16/16>>77", "le:s16/7>>0", "le:u16/16X4000000000>>0",
        ])
    func malformedFormat(format: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel", "format": "\#(format)"}]}"#)
        #expect(running.wait { $0.forces.count >= 3 }, "\(running.source.reports)")
        #expect(running.report("imu")?.state == .polling)
        #expect(running.report("imu")?.detail?.contains("channel format") == true)
        _ = emulator
    }

    @Test(
        "a description that is no XML, or not of devices, leaves the source searching",
        arguments: [
            "garbage", "<context", "<context name='x'><device/></context>", "", "<a/>",
            "<context name='n' version-major='0' version-minor='1' version-git='x'><device id='iio:device0'><channel id='accel_x' "
                + "type='input'><scan-element index='99999999999999999999' format='%n%n%s' /></channel></device></context>",
        ])
    func garbage(xml: String) throws {
        let emulator = try IIOEmulator(
            String(decoding: try JSONSerialization.data(withJSONObject: ["xml": xml]), as: UTF8.self))
        let running = RunningSource(emulator)
        #expect(running.wait { $0.report("accelerometer")?.detail != nil })
        #expect(running.report("accelerometer")?.state == .searching)
        #expect(running.received.isEmpty)
    }

    @Test("values beyond what can be worn are refused and counted out")
    func absurd() throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "accel", "scale": 1e300, "value": [1e302, 0, 0]}, {"kind": "gyro"}]}"#
        )
        #expect(running.wait { $0.rates.count >= 20 })
        #expect(running.forces.isEmpty)
        _ = emulator
    }
}
