import Commands
import Testing
import WaymarkClient

@Suite("Calibration text")
struct CalibrationTextTests {
    private static let accepted = """
        {"kind":"accel","accepted":true,"reason":"12 poses, well spread.",
        "parameters":{"bias":[0.1234,-0.2,33123.84],"matrix":[[1.001,0.0002,0],[0,0.999,0],[0,0,0.0024129947]]},
        "standardDeviations":{"bias":[0.0012,0.0008,3.2],"matrix":[[0.0001,0.00011,0],[0,0.0001,0],[0,0,0.0000012]]},
        "residualRMS":0.00104,"residualRMSBefore":0.1431,"residualUnit":"m/s²","predictedHeadingError":0.12,
        "predictedTiltError":0.034,"poses":12,"noise":[],"temperature":31.25,"samples":5120,"seconds":51.2,"stored":true,
        "gyroscope":{"parameters":{"bias":[0,0,0],"matrix":[[1,0,0],[0,1,0],[0,0,1]]},
        "standardDeviations":{"bias":[0.001,0.001,0.001],
        "matrix":[[0.01,0.01,0.01],[0.01,0.01,0.01],[0.01,0.01,0.01]]}}}
        """

    @Test("an accepted result has its parameters with as many digits as they are worth")
    func accepted() throws {
        let lines = CalibrationText.lines(try Samples.decode(Self.accepted))
        #expect(lines[0] == "Accelerometer: accepted" && lines[1] == "  12 poses, well spread.")
        let bias = try #require(lines.first { $0.contains("bias") })
        #expect(bias.contains("+0.1234 ±0.0012") && bias.contains("-0.20000 ±0.00080"))
        #expect(bias.contains("+33123.8 ±3.2"))
        #expect(lines.contains { $0.contains("+0.0024130 ±0.0000012") })
        #expect(lines.contains("  gyroscope, from the rotations between the orientations"))
        #expect(
            lines.suffix(6) == [
                "  residual    0.00104 m/s², before 0.143 m/s²",
                "  predicted   heading ±0.12°, tilt ±0.034°",
                "  poses       12",
                "  temperature 31.3 °C",
                "  samples     5120 in 51 s",
                "  stored      by the daemon, and applied",
            ])
    }

    @Test("a mount has no bias, and its residual is an angle")
    func mount() throws {
        let outcome: Waymark.CalibrationResult = try Samples.decode(
            """
            {"kind":"mount","accepted":true,"reason":"From one walk over 12 m.",
            "parameters":{"bias":[0,0,0],"matrix":[[0,1,0],[-1,0,0],[0,0,1]]},
            "residualRMS":1.13,"residualRMSBefore":1.2,"residualUnit":"deg","noise":[],"samples":10,"seconds":1}
            """)
        let lines = CalibrationText.lines(outcome)
        #expect(lines.contains("  residual    1.13°, before 1.20°"))
        #expect(lines.contains { $0.contains("matrix") } && !lines.contains { $0.contains("bias") })
    }

    @Test("a refused one says so, and what is not known is not there")
    func refused() throws {
        let outcome: Waymark.CalibrationResult = try Samples.decode(
            """
            {"kind":"mag","accepted":false,"refusal":"coverageTooSmall","reason":"Only 12 of 100 directions were seen,
             all within 10° of level: the hard iron along the vertical stays unknown. Turn it over, too.",
            "residualUnit":"µT","coverage":0.12,"noise":[],"samples":10,"seconds":1,"stored":false}
            """.replacing("\n", with: ""))
        #expect(
            CalibrationText.lines(outcome) == [
                "Magnetometer: refused",
                "  Only 12 of 100 directions were seen, all within 10° of level: the hard iron",
                "  along the vertical stays unknown. Turn it over, too.",
                "",
                "  coverage    12 %",
                "  samples     10 in 1 s",
                "  stored      no",
            ])
        #expect(CalibrationText.summary(outcome).hasPrefix("mag    refused  Only 12"))
    }

    @Test("noise is a row for each axis")
    func noise() throws {
        let outcome: Waymark.CalibrationResult = try Samples.decode(
            """
            {"kind":"noise","accepted":true,"reason":"7 min.","residualUnit":"1","samples":1,"seconds":1,
            "noise":[{"axis":"gx","unit":"rad/s","randomWalk":0.000131,"curve":[{"tau":1,"deviation":0.0001309,"uncertainty":0.1}]},
            {"axis":"ax","unit":"1","biasInstability":3.5,"curve":[]}]}
            """)
        let lines = CalibrationText.lines(outcome)
        #expect(lines[3].hasPrefix("  axis  random walk"))
        #expect(lines[4].hasPrefix("  gx    0.450 °/√h"))
        #expect(lines[5].contains("3.50"))
    }

    @Test("stored calibrations are a table, and an inactive one has its reason")
    func list() throws {
        let entry = """
            {"sensor":"magnetometer","device":"mmc5983\\u001b","identity":"x","inForce":false,
            "detail":"the board has another one now","time":0,"age":90061,"origin":"calibrate","kind":"mag","version":"1",
            "predictedHeadingError":0.31,"noise":[],"samples":1,"history":2,"residualRMS":0.31,"residualUnit":"µT"}
            """
        #expect(
            CalibrationListText.lines([try Samples.decode(entry)]) == [
                "sensor        device    active  age      origin     accuracy        residual  at  history",
                "magnetometer  mmc5983   no      1 d 1 h  calibrate  heading ±0.31°  0.310 µT   -        2",
                "",
                "magnetometer of mmc5983  is not active: the board has another one now",
            ])
        #expect(CalibrationListText.lines([])[0].hasPrefix("No sensor is calibrated"))
    }

    private static let status = """
        {"sensors":[{"sensor":"gyroscope","device":"bmi160","inForce":true,"age":7300,"origin":"calibrate",
        "predictedTiltError":0.05},{"sensor":"magnetometer","device":"mmc5983, serial 7","inForce":false,"age":20,
        "origin":"online","predictedHeadingError":0.4}],
        "residuals":[{"sensor":"gyroscope","bias":[0.0001,-0.0002,0],"standardDeviation":[0.00005,0.00001,0]},
        {"sensor":"magnetometer","bias":[1,2],"standardDeviation":[1,1]}],
        "proposal":{"hardIron":[1.25,-0.5,3],"standardDeviation":[0.1,0.2,0.1],"seconds":480,"residualBefore":3.14,
        "residualAfter":1.2,"proven":false},"running":"mag"}
        """

    @Test("the status has the calibrated sensors, residual biases and the proposed correction")
    func status() throws {
        let status: Waymark.CalibrationStatus = try Samples.decode(Self.status)
        let proposal = try #require(status.proposal.flatMap(CalibrationStatusText.line))
        #expect(
            proposal
                == "hard iron +1.3 -0.5 +3.0 ±0.2 µT, not proven yet: field error 1.2 instead of 3.1 µT over "
                + "8 min 0 s")
        #expect(CalibrationListText.lines([], proposal: status.proposal).last == "proposed correction: " + proposal)
        let whole = Samples.status.replacing(#"{"sensors":[],"residuals":[]}"#, with: Self.status)
        let rows = StatusText.lines(try Samples.decode(whole))
        #expect(
            rows.filter { $0.contains("calibra") || $0.contains("magnetometer: ") || $0.contains("°/s") } == [
                "running    calibration: Magnetometer",
                "calibrated gyroscope: bmi160, calibrated 2 h 01 min ago, tilt ±0.050°",
                "           magnetometer: mmc5983, serial 7, calibrated online 20 s ago, heading ±0.40°, not active",
                "biases     gyroscope +0.006 -0.011 +0.000 ±0.003 °/s",
            ])
        #expect(rows.contains("proposed   " + proposal))
        let device: Waymark.Device = try Samples.decode(
            """
            {"name":"mmc5983","identifier":"iio:device1","state":"polling","channels":[],"samples":1,"gaps":0,
            "dropped":0,"temperature":31.25}
            """)
        let lines = DeviceText.lines([device], calibration: status)
        #expect(lines.contains("  at 31.3 °C"))
        #expect(lines.contains("  calibration: magnetometer, calibrated online 20 s ago, heading ±0.40°, not active"))
    }
}
