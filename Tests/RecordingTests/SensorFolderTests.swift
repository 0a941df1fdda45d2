import Foundation
import Geometry
import Model
import Recording
import TestTools
import Testing

@Suite("A folder of sensor tables")
struct SensorFolderTests {
    private let folder = TemporaryFolder()

    private func measurements() throws -> [Measurement] {
        let reader = try SensorFolder(path: folder.path)
        var measurements: [Measurement] = []
        while let measurement = try reader.next() { measurements.append(measurement) }
        return measurements
    }

    private func failure() -> String {
        do {
            _ = try measurements()
            return "none"
        } catch {
            return "\(error)".replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    private func seconds(_ seconds: Double) -> BootTime { BootTime(seconds: seconds)! }

    @Test("rows of all tables come in order of arrival, at equal times in a fixed order")
    func orderOfArrival() throws {
        folder.write("gz,t_s,ax,ay,az,gx,gy,more\n.3,1,1,2,3,.1,.2,x\n.3,1.5,1,2,3,.1,.2,\n", to: "imu.csv")
        folder.write("t_s,mx,my,mz\r\n1.0,20,0,-40\r\n", to: "mag.csv")
        folder.write("t_s,hpa\n1.000,947.5\n", to: "baro.csv")
        folder.write("t_s,arrival_s,lat_deg,lon_deg,alt_m\n0.9,1.6,47,8,500\n0.8,1.0,47,8,501\n", to: "gnss.csv")
        folder.write("t_s,arrival_s,alt_m,sd_m\n1.1,1.2,502,3\n0.7,1.0,503,3\n", to: "heights.csv")
        let expected: [Measurement] = [
            .specificForce(SpecificForceSample(time: seconds(1), force: Vector3(1, 2, 3))),
            .angularRate(AngularRateSample(time: seconds(1), rate: Vector3(0.1, 0.2, 0.3))),
            .magneticField(MagneticSample(time: seconds(1), field: Vector3(20, 0, -40))),
            .pressure(PressureSample(time: seconds(1), pressureHectopascal: 947.5)),
            .fix(fix(epoch: 0.8, arrival: 1, height: 501)),
            .aid(height(503, time: 0.7, arrival: 1)),
            .aid(height(502, time: 1.1, arrival: 1.2)),
            .specificForce(SpecificForceSample(time: seconds(1.5), force: Vector3(1, 2, 3))),
            .angularRate(AngularRateSample(time: seconds(1.5), rate: Vector3(0.1, 0.2, 0.3))),
            .fix(fix(epoch: 0.9, arrival: 1.6, height: 500)),
        ]
        #expect(try measurements() == expected)
    }

    private func height(_ height: Double, time: Double, arrival: Double) -> AidMeasurement {
        AidMeasurement(
            source: .aid, time: seconds(time), arrival: seconds(arrival),
            content: .height(OfferedHeight(height: height, standardDeviation: 3)))
    }

    private func fix(epoch: Double, arrival: Double, height: Double) -> GNSSFix {
        GNSSFix(
            epoch: seconds(epoch), arrival: seconds(arrival), utcSeconds: nil,
            position: GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: height)!,
            hasHeight: true, velocityENU: .init(east: nil, north: nil, up: nil),
            positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil)
    }

    @Test("a fix: radii become standard deviations, speed and course a velocity, empty cells stay unknown")
    func fixFields() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n0,0,0,9.8,0,0,0\n", to: "imu.csv")
        folder.write(
            """
            t_s,lat_deg,lon_deg,alt_msl_m,hacc_m,vacc_m,speed_mps,course_deg,sdn_m,utc_s
            0,-47.5,8.25,500,3.02,4,2,90,,1782000000.5
            1,-47.5,8.25,,-1,0,,,1.5,

            """, to: "gnss.csv")
        let fixes = try measurements().compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
        try #require(fixes.count == 2)
        #expect(fixes[0].hasHeight && fixes[0].geoidSeparation == nil)
        #expect(fixes[0].positionSigma == .init(east: 2, north: 2, up: 4))
        #expect(fixes[0].utcSeconds == 1_782_000_000.5)
        #expect(abs(fixes[0].velocityENU.east! - 2) < 1e-12 && abs(fixes[0].velocityENU.north!) < 1e-12)
        #expect(fixes[0].velocityENU.up == nil)
        #expect(!fixes[1].hasHeight && fixes[1].position.ellipsoidalHeight == 0)
        #expect(fixes[1].positionSigma == .init(east: nil, north: 1.5, up: nil))
        #expect(fixes[1].velocityENU == .init(east: nil, north: nil, up: nil))
        #expect(fixes[1].arrival == fixes[1].epoch)
    }

    @Test("behaviour 18: heights above the sea become ellipsoidal by the rows with both, before these by EGM96")
    func seaLevel() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n0,0,0,9.8,0,0,0\n", to: "imu.csv")
        folder.write(
            "t_s,lat_deg,lon_deg,alt_m,alt_msl_m\n0,47.25,8.5,,400\n1,47.25,8.5,446,400\n2,47.25,8.5,,401\n",
            to: "gnss.csv")
        let fixes = try measurements().compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
        try #require(fixes.count == 3 && fixes.allSatisfy(\.hasHeight))
        // EGM96 is 47.82 m high there.
        #expect(abs(fixes[0].position.ellipsoidalHeight - 447.82) < 1e-6)
        #expect(fixes.dropFirst().map(\.position.ellipsoidalHeight) == [446, 447])
        #expect(fixes.map(\.geoidSeparation) == [nil, 46, nil])
    }

    @Test("a clock tick a second stands between the rows, with a jump over very long silences")
    func clockTicks() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n-0.5,,,,0,0,0\n2.5,,,,0,0,0\n1e9,,,,0,0,0\n", to: "imu.csv")
        let ticks = try measurements().compactMap { if case .clock(let time) = $0 { time } else { nil } }
        #expect(ticks.prefix(4) == [seconds(0.5), seconds(1.5), seconds(2.5), seconds(3.5)])
        #expect(ticks.count < 4000)
        #expect(ticks == ticks.sorted())
    }

    @Test("near the end of the times that a sensor may have the ticks end with the rows")
    func lastTick() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n4600000000,,,,0,0,0\n4600000001.8,,,,0,0,0\n", to: "imu.csv")
        let reader = try SensorFolder(path: folder.path)
        var (rates, ticks) = (0, 0)
        while ticks < 10_000, let measurement = try reader.next() {
            if case .angularRate = measurement { rates += 1 } else { ticks += 1 }
        }
        #expect(rates == 2 && (1...3).contains(ticks))
    }

    @Test(
        "garbage is refused with its file and line",
        arguments: [
            ("t_s,ax,ay,az,gx,gy,gz\n0,0,0,x,0,0,0\n", "imu.csv:2:7: az is 'x', which is not a number in range"),
            ("t_s,ax,ay,az,gx,gy,gz\n\n0,0\n", "imu.csv:3: 2 cells where the header names 7 columns"),
            ("t_s,ax,ay,az,gx,gy,gz\n0,0,0,0,0,0,0,0\n", "imu.csv:2: more cells than the 7 columns of the header"),
            ("t_s,ax,ay,az,gx,gy\n", "imu.csv:1: the column gz is missing"),
            ("t_s,t_s,ax,ay,az,gx,gy,gz\n", "imu.csv:1: the column t_s is there twice"),
            ("", "imu.csv:1: the file is empty; a header with the names of the columns is missing"),
            ("t_s,ax,ay,az,gx,gy,gz\n1e30,0,0,0,0,0,0\n", "imu.csv:2:1: t_s is '1e30', which is not a number in range"),
            (
                "t_s,ax,ay,az,gx,gy,gz\n" + String(repeating: "1", count: 200_000),
                "imu.csv:2: a line of more than 4096 bytes: not a table"
            ),
        ])
    func garbage(table: String, message: String) {
        folder.write(table, to: "imu.csv")
        #expect(failure() == message)
    }

    @Test("no imu.csv: not a recording")
    func emptyFolder() {
        #expect(failure() == "\(folder.path) is not a recording: it has no imu.csv or imu.csv.gz")
    }

    @Test("values that are not finite are unknown, rows without what is needed are left out, both with a warning")
    func unknownValues() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n1,nan,0,0,1,1,1\n2,0,0,inf,,1,1\n3,1,1,1,,,\n", to: "imu.csv")
        folder.write("t_s,lat_deg,lon_deg\n1,95,0\n2,,0\n", to: "gnss.csv")
        let reader = try SensorFolder(path: folder.path)
        var kept: [Measurement] = []
        while let measurement = try reader.next() { kept.append(measurement) }
        #expect(
            kept == [
                .angularRate(AngularRateSample(time: seconds(1), rate: Vector3(1, 1, 1))),
                .clock(seconds(2)), .clock(seconds(3)),
                .specificForce(SpecificForceSample(time: seconds(3), force: Vector3(1, 1, 1))),
            ])
        let warnings = reader.warnings.map { $0.replacingOccurrences(of: folder.path + "/", with: "") }
        #expect(
            warnings == [
                "imu.csv:3: 1 row(s) left out from here on: t_s and three axes of one sensor are needed",
                "imu.csv: 2 cell(s) that are not finite were taken as unknown",
                "gnss.csv:2: 2 row(s) left out from here on: t_s and a position on the earth are needed",
            ])
    }

    @Test("a file cut in its last row gives all rows before it and a warning")
    func cutShort() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n1,,,,1,1,1\n2,0,0", to: "imu.csv")
        let reader = try SensorFolder(path: folder.path)
        #expect(try reader.next() == .angularRate(AngularRateSample(time: seconds(1), rate: Vector3(1, 1, 1))))
        #expect(try reader.next() == nil)
        #expect(reader.warnings == ["\(folder.path)/imu.csv:3: the file is cut short here"])
    }

    @Test(
        "a compressed file cut anywhere gives a beginning of its rows and a warning", .enabled(if: Python.has("gzip")))
    func compressedCutShort() throws {
        var random = SplitMix(seed: 6)
        func number() -> String { "\(Double(Int64(truncatingIfNeeded: random.next() % 2_000_000) - 1_000_000) / 1e6)" }
        let rows = (1...2000).map { row in "\(row),\((0..<6).map { _ in number() }.joined(separator: ","))\n" }
        folder.write("t_s,ax,ay,az,gx,gy,gz\n" + rows.joined(), to: "imu.csv")
        let whole = try measurements()
        let script =
            "import gzip, sys; open(sys.argv[1] + '.gz', 'wb').write(gzip.compress(open(sys.argv[1], 'rb').read()))"
        _ = try Python.run(script, folder.file("imu.csv"))
        try FileManager.default.removeItem(atPath: folder.file("imu.csv"))
        let data = folder.read("imu.csv.gz")
        for _ in 0..<100 {
            folder.write(data.prefix(Int.random(in: 2000..<data.count, using: &random)), to: "imu.csv.gz")
            let reader = try SensorFolder(path: folder.path)
            var kept: [Measurement] = []
            while let measurement = try reader.next() { kept.append(measurement) }
            #expect(whole.starts(with: kept))
            #expect(reader.warnings.count == 1 && reader.warnings[0].contains("the file is cut short here"))
        }
    }

    @Test("any bytes end in rows or in an error with a line, never otherwise")
    func anyBytes() {
        let pieces = [
            "t_s", "ax", ",", ",", "\n", "\n", "\r", "1", "2.5", "-", "nan", "inf", "1e9", "\"", " ", "\0", "\u{FEFF}",
            "é", "gz",
        ]
        var random = SplitMix(seed: 7)
        for _ in 0..<500 {
            let header = random.next() % 4 == 0 ? "" : "t_s,ax,ay,az,gx,gy,gz\n1,0,0,0,0,0,0\n"
            let body = (0..<Int(random.next() % 60)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
            folder.write(header + body.joined(), to: "imu.csv")
            let failure = failure()
            #expect(failure == "none" || failure.hasPrefix("imu.csv:"), "\(failure)")
        }
    }

    @Test("times that go back and duplicates pass in the order of the table")
    func clockStepsBack() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n5,,,,1,1,1\n5,,,,2,2,2\n3,,,,3,3,3\n6,,,,4,4,4\n", to: "imu.csv")
        let rates = try measurements().compactMap {
            if case .angularRate(let sample) = $0 { sample.rate.x } else { nil }
        }
        #expect(rates == [1, 2, 3, 4])
    }

    @Test("compressed tables read as plain ones", .enabled(if: RecordingData.has("walk_ethz_phone")))
    func compressed() throws {
        let reader = try SensorFolder(path: RecordingData.folder + "/walk_ethz_phone")
        var counts: [String: Int] = [:]
        while let measurement = try reader.next() { counts[kind(measurement), default: 0] += 1 }
        #expect(counts["force"] == 11833 && counts["rate"] == 11833)
        #expect(counts["fix"]! > 100 && counts["pressure"]! > 1000 && counts["clock"]! >= 239)
    }

    private func kind(_ measurement: Measurement) -> String {
        switch measurement {
        case .angularRate: "rate"
        case .specificForce: "force"
        case .magneticField: "field"
        case .pressure: "pressure"
        case .fix: "fix"
        case .aid: "aid"
        case .clock: "clock"
        case .calibration: "calibration"
        }
    }
}
