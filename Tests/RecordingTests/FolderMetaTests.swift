import Foundation
import Geometry
import Glibc
import Model
import Recording
import TestTools
import Testing

@Suite("What a folder of sensor tables says of its sensors")
struct FolderMetaTests {
    private let folder = TemporaryFolder()
    private static let calibrated = "{\"magnetometer\":\"calibrated\"}"

    private func writeTables() {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n1.5,0,0,9.8,0,0,0\n2.75,0,0,9.8,0,0,0\n", to: "imu.csv")
        folder.write("t_s,mx,my,mz\n1.25,20,0,-40\n2.5,20,0,-40\n", to: "mag.csv")
    }

    private func read(_ reader: any MeasurementReader) throws -> [Measurement] {
        var measurements: [Measurement] = []
        while let measurement = try reader.next() { measurements.append(measurement) }
        return measurements
    }

    private func calibration(at seconds: Double) -> Measurement {
        .calibration(
            SensorCalibration(
                time: BootTime(seconds: seconds)!, sensor: .magnetometer, biasStandardDeviation: Vector3(1, 1, 1)))
    }

    /// What the tables alone give, and what they give with the file, whose warnings are without the folder's path.
    private func compare(_ prepare: () throws -> Void) throws -> (
        plain: [Measurement], measurements: [Measurement], warnings: [String]
    ) {
        writeTables()
        let plain = try read(SensorFolder(path: folder.path))
        try prepare()
        let reader = try SensorFolder(path: folder.path)
        let early = reader.warnings
        let measurements = try read(reader)
        #expect(reader.warnings == early)
        return (plain, measurements, early.map { $0.replacingOccurrences(of: folder.path + "/", with: "") })
    }

    @Test(
        "a calibrated magnetometer: a calibration comes first, at the time of the first row, and all else as without",
        arguments: [
            calibrated, "\u{FEFF}\n{\"more\":[{\"magnetometer\":\"raw\"}],\"magnetometer\":\"calibrated\"}\n",
            "{\"magnetometer\":\"calib\\u0072ated\",\"magnetometer\":7}",
        ])
    func calibratedMagnetometer(text: String) throws {
        let (plain, measurements, warnings) = try compare { folder.write(text, to: "meta.json") }
        #expect(plain.count == 7)
        #expect(measurements == [calibration(at: 1.25)] + plain)
        #expect(warnings.isEmpty)
    }

    @Test("the time is that of the first row of all tables, as it arrived")
    func timeOfFirstRow() throws {
        folder.write(Self.calibrated, to: "meta.json")
        folder.write("t_s,ax,ay,az,gx,gy,gz\n-3,,0,9.8,,0,0\n-1.5,0,0,9.8,0,0,0\n-4,0,0,9.8,0,0,0\n", to: "imu.csv")
        #expect(try read(SensorFolder(path: folder.path)).first == calibration(at: -1.5))
        folder.write("t_s,arrival_s,lat_deg,lon_deg\n-9,-1,47,8\n-8,-2.5,47,8\n", to: "gnss.csv")
        let measurements = try read(SensorFolder(path: folder.path))
        #expect(measurements.first == calibration(at: -2.5))
        #expect(measurements.filter { if case .calibration = $0 { true } else { false } }.count == 1)
        guard case .fix = measurements[1] else {
            Issue.record("\(measurements[1]) in the place of the first row")
            return
        }
    }

    @Test("tables without rows give no calibration")
    func withoutRows() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n", to: "imu.csv")
        folder.write(Self.calibrated, to: "meta.json")
        #expect(try read(SensorFolder(path: folder.path)).isEmpty)
    }

    @Test(
        "a raw one, and one of which nothing is said: no calibration and no warning",
        arguments: [
            "{}", "{\"magnetometer\":\"raw\"}", "{\"magnetometer\":null}", "{\"Magnetometer\":\"calibrated\"}",
            "{\"gyroscope\":\"calibrated\",\"more\":[1,{\"magnetometer\":\"calibrated\"}]}",
        ])
    func rawMagnetometer(text: String) throws {
        let (plain, measurements, warnings) = try compare { folder.write(text, to: "meta.json") }
        #expect(measurements == plain)
        #expect(warnings.isEmpty)
    }

    private static let expected =
        "an object whose member \"magnetometer\" is \"calibrated\" or \"raw\" is expected, and raw is assumed"

    @Test(
        "what is not as it should be is reported and read as raw",
        arguments: [
            ("", "the end where a value is expected, at byte 0"), ("calibrated", "no value of JSON, at byte 0"),
            (calibrated.dropLast() + "", "a comma or } is missing, at byte 28"),
            (calibrated + calibrated, "more after the end of the document, at byte 29"),
            ("[" + calibrated + "]", "an object is needed, not an array"),
            ("\"calibrated\"", "an object is needed, not a string"),
            ("{\"magnetometer\":true}", "magnetometer is not a string"),
            ("{\"magnetometer\":[\"calibrated\"]}", "magnetometer is not a string"),
            ("{\"magnetometer\":\"Calibrated\"}", "unknown value of magnetometer"),
            ("{\"magnetometer\":\"raw\\u0000\"}", "unknown value of magnetometer"),
            ("{\"magnetometer\":\"\"}", "unknown value of magnetometer"),
        ])
    func flawed(text: String, problem: String) throws {
        let (plain, measurements, warnings) = try compare { folder.write(text, to: "meta.json") }
        #expect(measurements == plain)
        #expect(warnings == ["meta.json: \(problem); \(Self.expected)"])
    }

    @Test("a file of 1 MiB is read, one of a byte more is refused")
    func longest() throws {
        func text(_ count: Int) -> String { Self.calibrated + String(repeating: " ", count: count - 29) }
        let fits = try compare { folder.write(text(1 << 20), to: "meta.json") }
        #expect(fits.measurements.first == calibration(at: 1.25) && fits.warnings.isEmpty)
        folder.write(text(1 << 20 + 1), to: "meta.json")
        let reader = try SensorFolder(path: folder.path)
        #expect(reader.warnings == ["\(folder.path)/meta.json: larger than the limit of 1 MiB; \(Self.expected)"])
        #expect(try read(reader) == fits.plain)
    }

    @Test("values beyond the limits in depth and number are refused")
    func limits() throws {
        func text(depth: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
                + ",\"magnetometer\":\"calibrated\"}"
        }
        #expect(try compare { folder.write(text(depth: 16), to: "meta.json") }.warnings.isEmpty)
        for flawed in [text(depth: 17), "{\"a\":[" + String(repeating: "0,", count: 70_000) + "0]}"] {
            folder.write(flawed, to: "meta.json")
            let reader = try SensorFolder(path: folder.path)
            #expect(reader.warnings.count == 1 && reader.warnings[0].hasSuffix(Self.expected))
            #expect(try read(reader).count == 7)
        }
    }

    @Test("what is not a regular file, or must not be read, is reported without waiting for it")
    func notAFile() throws {
        let path = folder.file("meta.json")
        let makers: [() throws -> Void] = [
            { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) },
            { try #require(mkfifo(path, 0o600) == 0) },
            { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") },
        ]
        for make in makers {
            let (plain, measurements, warnings) = try compare(make)
            #expect(measurements == plain)
            #expect(warnings == ["meta.json: not a regular file; \(Self.expected)"])
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("a warning shows nothing of what the file's author wrote")
    func hostileNames() throws {
        let names = ["\u{1B}[2J", "\\u001b[2J", String(repeating: "x", count: 5000)]
        for name in names {
            for value in ["1e999", "{\"magnetometer\":", "\"\(name)\"", "tru"] {
                let text = "{\"\(name)\":[{\"\(name)\":\(value)}],\"magnetometer\":\"\(name)\"}"
                let warnings = try compare { folder.write(text, to: "meta.json") }.warnings
                try #require(warnings.count == 1)
                #expect(!warnings[0].contains("\u{1B}") && !warnings[0].contains("x[") && warnings[0].count < 250)
            }
        }
    }

    @Test("any bytes end in the rows of the tables, after a calibration or a warning at the most")
    func anyBytes() throws {
        let pieces = [
            "{", "}", "[", "]", "\"magnetometer\"", ":", ":", ",", "\"calibrated\"", "\"raw\"", "null", "1e400", "\"",
            "\\", "\0", "\u{FEFF}", "é", " ",
        ]
        var random = SplitMix(seed: 8)
        writeTables()
        let plain = try read(SensorFolder(path: folder.path))
        for _ in 0..<500 {
            var data = Data()
            if random.next() % 2 == 0 {
                data = Data(Self.calibrated.utf8)
                data[Int(random.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: random.next())
            } else {
                for _ in 0..<Int(random.next() % 12) {
                    data += Data(pieces[Int(random.next() % UInt64(pieces.count))].utf8)
                }
            }
            folder.write(data, to: "meta.json")
            let reader = try SensorFolder(path: folder.path)
            let measurements = try read(reader)
            #expect(measurements.suffix(plain.count) == plain[...] && measurements.count <= plain.count + 1)
            #expect(reader.warnings.isEmpty || (reader.warnings.count == 1 && measurements == plain))
        }
    }

    @Test("an imported folder gives the same measurements and poses, the calibration among them")
    func imported() throws {
        let times = (0..<1000).map { Double($0) / 100 + 5 }
        let imu = times.map { "\($0),0.01,0,9.81,\(0.2 * sin($0)),0.001,0.3\n" }
        let mag = times.map { "\($0),\(20 + cos($0)),\(sin($0)),-42\n" }
        folder.write("t_s,ax,ay,az,gx,gy,gz\n" + imu.joined(), to: "imu.csv")
        folder.write("t_s,mx,my,mz\n" + mag.joined(), to: "mag.csv")
        let raw = try Replay.run(SensorFolder(path: folder.path)) { _ in }
        folder.write(Self.calibrated, to: "meta.json")
        let counts = try RecordingImport.run(SensorFolder(path: folder.path), to: folder.file("a.mcap"))
        #expect(counts.dropped == 0)
        let measurements = try read(SensorFolder(path: folder.path))
        #expect(measurements.first == calibration(at: 5) && measurements.count == 3010)
        #expect(Reading(folder.file("a.mcap")).measurements == measurements)
        let replayed = try Replay.run(SensorFolder(path: folder.path)) { _ in }
        #expect(try Replay.run(RecordingReader(path: folder.file("a.mcap"))) { _ in } == replayed)
        #expect(replayed.lastPose != nil && replayed.lastPose != raw.lastPose)
    }

    @Test(
        "recordings of others: what they say of their magnetometers is understood",
        .enabled(if: RecordingData.has("indoor20_site1_B1_5dda257f9191710006b572b5")))
    func recorded() throws {
        var (folders, calibrations) = (0, 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: RecordingData.folder) {
            let isFolder = RecordingData.has(name + "/imu.csv") || RecordingData.has(name + "/imu.csv.gz")
            guard isFolder, RecordingData.has(name + "/meta.json") else { continue }
            let reader = try SensorFolder(path: RecordingData.folder + "/" + name)
            folders += 1
            #expect(!reader.warnings.contains { $0.contains("meta.json") }, "\(reader.warnings)")
            guard case .calibration(let calibration) = try reader.next() else { continue }
            calibrations += 1
            #expect(calibration.time == (try reader.next())?.arrival, "\(name)")
        }
        #expect(folders > calibrations && calibrations > 0)
    }
}
