import Linux
import Model
import Sensors
import Testing

/// Rates by drivers that parse, list and refuse them in their own ways.
@Suite(.serialized) struct IIORateTests {
    private func source(_ device: String, rate: Double = 200) throws -> (IIOEmulator, RunningSource) {
        let emulator = try IIOEmulator(
            #"{"noise": false, "devices": [{"name": "imu", \#(device), "#
                + #""channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}"#
        )
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.inertialRate = rate
        return (emulator, RunningSource(settings))
    }

    @Test(
        "a rate is granted by a driver that parses integers, one that needs its own spelling and one with a range",
        arguments: [
            (
                #""rate": 50, "rate_parse": "integer", "rates_text": "10 20 50 100 200 500", "rate_rounding": "up""#,
                200.0
            ),
            (#""rate": 50, "rate_parse": "integer""#, 200),
            (#""rate": 50, "rates_text": "12.500 26.000 208.000", "rate_rounding": "exact""#, 208),
            (#""rate": 50, "rates_text": "[12.500000 12.500000 400.000000]""#, 200),
            (#""rate": 50, "rates_text": "[1 1 150]", "rate_parse": "integer""#, 150),
            (#""rate": 50, "rate_divided": 2000"#, 200),
            (#""rate": 50, "rates_text": "0.000000 12.500000 100.000000", "rates": [12.5, 25, 50, 100]"#, 100),
            (
                #""rate": 50, "rate_attribute": "channel", "rates_attribute": "channel", "rates_text": "25 200 400""#,
                200
            ),
        ])
    func granted(driver: String, expected: Double) throws {
        let (emulator, running) = try source(driver)
        #expect(running.wait { $0.forces.count >= 30 })
        let report = try #require(running.report("imu"))
        #expect(report.grantedRate == expected && report.state == .streaming && report.detail == nil, "\(report)")
        _ = emulator
    }

    @Test("a fractional rate is rounded for a driver that parses integers")
    func fractional() throws {
        let (emulator, running) = try source(#""rate": 50, "rate_parse": "integer""#, rate: 62.5)
        #expect(running.wait { $0.forces.count >= 10 })
        let report = try #require(running.report("imu"))
        #expect(report.grantedRate == 63 && report.detail == nil)
        _ = emulator
    }

    @Test("a refused rate is reported with attribute, value and error, and the device streams at its own")
    func refused() throws {
        let (emulator, running) = try source(#""rate": 50, "rate_fixed": true"#)
        #expect(running.wait { $0.report("imu")?.state == .streaming })
        let report = try #require(running.report("imu"))
        #expect(report.grantedRate == 50)
        let detail = try #require(report.detail)
        #expect(detail.contains("sampling_frequency") && detail.contains("200") && detail.contains("Invalid argument"))
        _ = emulator
    }

    @Test("a refusal goes from the report once the rate of another pace is granted")
    func refusedAtOnePace() throws {
        let (emulator, running) = try source(#""rate": 200, "rate_fixed": true"#)
        #expect(running.wait { $0.report("imu")?.state == .streaming })
        let idle = SamplingPace.idle(SamplingPace.Rates(inertial: 50, magnetic: 10, pressure: 1))
        for (pace, isRefused) in [(idle, true), (.active(delay: 0.01), false)] {
            running.source.setPace(pace)
            #expect(running.wait { ($0.report("imu")?.detail != nil) == isRefused }, "\(running.source.reports)")
        }
        _ = emulator
    }

    @Test("a refusal of the lower of two rates is no problem where the higher one is granted to both")
    func refusedAtFirst() throws {
        // The magnetometer asks for 50 Hz of the attribute that it shares.
        let emulator = try IIOEmulator(
            #"{"noise": false, "devices": [{"name": "imu", "rate": 400, "rate_attribute": "device", "rates": [200], "#
                + #""rate_rounding": "exact", "channels": [{"kind": "accel"}, {"kind": "gyro"}, {"kind": "magn"}]}]}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.fields.count >= 20 })
        let report = try #require(running.report("imu"))
        #expect(report.rateProblem == nil && report.detail == nil && report.grantedRate == 200, "\(report)")
        _ = emulator
    }

    @Test("a driver that refuses the rate that it has is no problem")
    func alreadyThere() throws {
        let (emulator, running) = try source(#""rate": 200, "rate_fixed": true"#)
        #expect(running.wait { $0.report("imu")?.state == .streaming })
        #expect(running.report("imu")?.detail == nil && running.report("imu")?.grantedRate == 200)
        _ = emulator
    }
}
