import Commands
import Testing
import WaymarkClient

@Suite("Words")
struct TextTests {
    @Test(
        "a direction is named by its nearest wind",
        arguments: [
            (0.0, "N", "↑"), (22.4, "N", "↑"), (22.6, "NE", "↗"), (180, "S", "↓"), (359.9, "N", "↑"), (-90, "W", "←"),
            (-179, "S", "↓"), (720, "N", "↑"), (-765, "NW", "↖"),
        ])
    func winds(degrees: Double, wind: String, arrow: String) {
        #expect(Words.compassPoint(degrees) == wind)
        #expect(Words.arrow(degrees) == arrow)
    }

    @Test("durations, sizes and distances have a unit that fits")
    func amounts() {
        #expect(
            [0, 59.9, 200, 18_120, 273_600].map(Words.duration) == [
                "0 s", "59 s", "3 min 20 s", "5 h 02 min", "3 d 4 h",
            ])
        #expect(
            [0, 999, 1250, 999_960, 34_500_000].map(Words.size) == ["0 B", "999 B", "1.3 kB", "1.0 MB", "34.5 MB"])
        #expect([12.34, 99.96, 123.4, 9999.6].map(Words.distance) == ["12.3 m", "100 m", "123 m", "10.0 km"])
        #expect(Words.accuracy(nil, " m") == "±?")
    }

    @Test("devices are a table, with the details below")
    func devices() throws {
        let devices: [Waymark.Device] = [try Samples.decode(Samples.device), try Samples.decode(Samples.searching)]
        #expect(
            DeviceText.lines(devices) == [
                "device        state      requested    actual  clock     samples  gaps  dropped    age",
                "lsm6dsx_gyro  streaming   200.0 Hz  208.0 Hz  boottime    41600     2        0  0.0 s",
                "magnetometer  searching          -         -  -               0     0        0      -",
                "",
                "lsm6dsx_gyro (iio:device1)",
                "  rate rounded by the driver",
                "  mount matrix [0 1 0; -1 0 0; 0 0 1], from udev",
                "  anglvel_x le:s16/16>>0, scale 0.000153, offset 0",
            ])
        #expect(DeviceText.lines([]) == ["No sensors."])
    }

    @Test(
        "what samples a device is said in words, with the reason where nothing else says it",
        arguments: [
            (#""sampling":"device""#, "sampled by the device itself"),
            (#""sampling":"deviceTrigger","trigger":"bmi160-dev0""#, "sampled by its own trigger bmi160-dev0"),
            (
                #""sampling":"timerTrigger","trigger":"waymark-accelerometer","samplingReason":"no interrupt""#,
                "sampled by the hrtimer trigger waymark-accelerometer: no interrupt"
            ),
            (#""sampling":"otherTrigger","trigger":"sysfs\u001b0""#, "sampled by another program's trigger sysfs 0"),
            (#""sampling":"polling","samplingReason":"no trigger","detail":"no trigger; no matrix""#, "polled"),
            (#""sampling":"polling","samplingReason":"no trigger""#, "polled: no trigger"),
            (#""sampling":"program""#, "offered by a program"),
            (#""sampling":"magic""#, "sampled by magic"),
        ])
    func sampling(fields: String, expected: String) throws {
        let device: Waymark.Device = try Samples.decode(
            #"{"name":"imu","identifier":"","state":"streaming","channels":[],"samples":0,"gaps":0,"dropped":0,"#
                + "\(fields)}"
        )
        #expect(SamplingText.line(device) == expected)
    }

    @Test("sensors of one device that are mounted in different ways have a line each, with the sign")
    func signs() throws {
        let lines = DeviceText.lines([try Samples.decode(Samples.inverted)])
        #expect(
            lines.suffix(2) == [
                "  mount matrix of the accelerometer [0 1 0; -1 0 0; 0 0 1], from udev, sign -1",
                "  mount matrix of the gyroscope [0 1 0; -1 0 0; 0 0 1], from udev",
            ])
    }

    @Test("the status explains the reasons it knows and repeats those it does not")
    func status() throws {
        let lines = StatusText.lines(try Samples.decode(Samples.status))
        #expect(
            lines == [
                "waymarkd   0.1.0, up 1 h 02 min, on sensors",
                "state      limited",
                "           noGNSSData: no position fix",
                "           tooCold",
                "advice     go where the sky is free",
                "           wait [2J",
                "accuracy   ±12.0 m horizontal, ±? vertical, ±8.0° yaw",
                "best fix   12 s and 9.3 m ago, present accuracy 8.2 m",
                "heading    from magnetic north",
                "motion     in a vehicle (62 %)",
                "monitor    -3.4° of correction, ±2.5°, from 88 pairs",
                "axes       no data yet",
                "frame      generation 2, searching (settling), correcting 1.5° and 0.7 m",
                "sources    inertial",
                "poses      223000, now 59.9 per second",
                "clients    connections 2, subscriptions 1",
                "warm start gyroBias place from 3 min 20 s ago; dropped: hardIron (contradicted)",
                "calibrated no sensor: run `waymark calibrate all`",
                "recording  walk.mcap: 5000 messages, 1.3 MB, 3 dropped because the disk is too slow",
                "",
                "device        state      rate",
                "magnetometer  searching     -",
            ])
    }

    @Test("the status names the measurements that were refused or are worse than assumed, and what slow clients missed")
    func updates() throws {
        let sample = Samples.status.replacing(
            #""devices":"#,
            with: #"""
                "updates":[
                {"kind":"gnssPosition","applied":60,"downWeighted":3,"refused":0,"innovationRatio":3.14},
                {"kind":"magnetometer","applied":150,"downWeighted":0,"refused":50,"innovationRatio":0.9},
                {"kind":"odour\u001b","applied":0,"downWeighted":0,"refused":1},
                {"kind":"steps","applied":12,"downWeighted":0,"refused":0}],
                "missedMessages":12,"droppedClients":0,"devices":
                """#)
        let lines = StatusText.lines(try Samples.decode(sample))
        #expect(
            lines.contains(
                "updates    gnssPosition innovation ratio 3.1; magnetometer 25.0 % refused; odour  100.0 % refused"))
        #expect(lines.contains("clients    connections 2, subscriptions 1, 12 messages missed"))
        let steady = sample.replacing("3.14", with: "1.14").replacing(#""refused":50"#, with: #""refused":0"#)
            .replacing(#""refused":1}"#, with: #""refused":0}"#)
        #expect(StatusText.lines(try Samples.decode(steady)).contains("updates    none refused"))
    }

    @Test("the status names the sources of other programs that are refused, and why")
    func refusedAids() throws {
        let sample = Samples.status.replacing(
            #""devices":"#,
            with: #"""
                "refusedAids":[
                {"source":"uwb","kind":"position","cause":"contradictsEstimate"},
                {"source":"camera","kind":"odometry","cause":"dreams\u001b"}],"devices":
                """#)
        let lines = StatusText.lines(try Samples.decode(sample))
        #expect(lines.contains("aids       position of uwb refused: contradicts the other measurements"))
        #expect(lines.contains("           odometry of camera refused: dreams "))
    }

    @Test("every reason of the interface is explained within a terminal's 80 columns")
    func explanations() {
        for reason in Waymark.Reason.allCases {
            // Ten columns of label and the last column, which would wrap.
            #expect(Words.explanation(of: reason).count <= 69, "\(reason)")
        }
    }

    @Test("advice follows from the daemon's words, as far as they are known")
    func advice() throws {
        #expect(
            AdviceText.lines(state: .aligning, reasons: try Samples.decode(#"["headingUncertain","tooCold"]"#)) == [
                "walk 20 m straight under the open sky",
                "rotate the board in all directions, or run waymark calibrate mag",
            ])
        #expect(AdviceText.lines(state: .localized, reasons: []).isEmpty)
    }

    @Test("what lies ahead is a table, nearest first as it came")
    func ahead() throws {
        let items: [Waymark.Item] = [try Samples.decode(Samples.turn), try Samples.decode(Samples.cafe)]
        #expect(
            AheadText.table(items) == [
                "   distance  along route  bearing  turn  kind   name",
                "↖    84.3 m        120 m     310°  -50°  turn   left into Mill Lane",
                "    12.3 km            -      92°     -  place  Café [2J",
            ])
        #expect(AheadText.table([]) == ["Nothing ahead."])
    }
}
