import Calibration
import Documents
import Geometry
import Model
import Testing

@Suite("The document of calibrations")
struct CalibrationDocumentTests {
    static func record(_ sensor: SensorCalibration.Sensor, seed: Double = 1) -> CalibrationRecord {
        var record = CalibrationRecord(
            time: 1.7e9 + seed / 3, origin: .calibrate, kind: .accelerometer, residualUnit: "m/s²")
        record.method = "poses \"any\" order"
        record.version = "1.0"
        record.fit = SensorFit(
            sensor: sensor,
            correction: Matrix(
                Vector3(1 + seed / 700, 0.001 / 3, -0.002), Vector3(0.1 / 7, 0.99, 1e-17),
                Vector3(0, -0.0, 1.01 / 3 * 3)),
            bias: Vector3(seed / 3, -1e-300, 0.1 + 0.2),
            correctionStandardDeviation: Matrix(Vector3(1, 2, 3) / 7, Vector3(4, 5, 6) / 7, Vector3(7, 8, 9) / 7),
            biasStandardDeviation: Vector3(1, 2, 3) / 11)
        record.residualRMS = 1.0 / 3
        record.residualRMSBefore = 2.0 / 3
        record.predictedHeadingError = 0.1 / 3
        record.predictedTiltError = 0.01 / 3
        record.poses = 9
        record.coverage = 0.37
        record.temperature = 23.4375
        record.samples = 12_345
        record.seconds = 61.25 / 3
        record.mountMatrix = [0, 1, 0, -1, 0, 0, 0, 0, 1]
        return record
    }

    static func document() -> CalibrationDocument {
        var board = DeviceCalibration(
            CalibratedDevice(name: "imu \"6\"\n⛲", label: "display", serial: "A1", location: "lid"))
        for seed in 1...8 { board.add(record(.accelerometer, seed: Double(seed)), of: .accelerometer) }
        board.add(record(.gyroscope), of: .gyroscope)
        var noise = CalibrationRecord(time: 1, origin: .import, kind: .noise)
        noise.noise = [
            AxisNoise(
                randomWalk: 1e-5 / 3, biasInstability: nil, rateRandomWalk: 1e-7 / 3,
                curve: [AllanPoint(tau: 0.005, deviation: 1e-3 / 3, uncertainty: 0.01)])
        ]
        board.add(noise, of: .noise)
        var counts = record(.magnetometer)
        counts.isOfCounts = true
        counts.origin = .online
        var anywhere = DeviceCalibration(nil)
        anywhere.add(counts, of: .magnetometer)
        return CalibrationDocument([board, anywhere])
    }

    @Test("reads back as it was, to the last bit")
    func roundTrip() throws {
        let document = Self.document()
        let read = try CalibrationDocument.read(document.bytes)
        #expect(read == document)
        #expect(read.bytes == document.bytes)
        let (bias, was) = (read.devices[0][.accelerometer]?.present.fit?.bias, 8.0 / 3)
        #expect(bias?.x.bitPattern == was.bitPattern)
    }

    @Test("keeps the last five, the newest first")
    func history() throws {
        let records = try #require(Self.document().devices[0][.accelerometer])
        #expect(records.present.time == 1.7e9 + 8.0 / 3)
        #expect(records.history.map(\.time) == [7.0, 6, 5, 4, 3].map { 1.7e9 + $0 / 3 })
    }

    @Test("one of a newer version is distinguished from a damaged one")
    func newer() throws {
        let text = String(decoding: Self.document().bytes, as: UTF8.self)
        let newer = text.replacing("\"version\":1,", with: "\"version\":2,\"devices\":7,")
        #expect(throws: CalibrationDocumentError.newer(version: 2)) { try CalibrationDocument.read(Array(newer.utf8)) }
    }

    @Test("members that are not known are left out")
    func unknown() throws {
        let text = String(decoding: Self.document().bytes, as: UTF8.self)
        let more = text.replacing("\"origin\":", with: "\"humour\":{\"dry\":[1,2]},\"origin\":")
        #expect(try CalibrationDocument.read(Array(more.utf8)) == Self.document())
    }

    @Test(
        "a flaw is reported with its path",
        arguments: [
            ("\"format\":\"waymark calibration\"", "\"format\":\"shoe size\"", "$.format"),
            ("\"version\":1", "\"version\":0", "$.version"),
            ("\"name\":\"imu", "\"name\":7,\"x\":\"imu", "$.devices[0].device.name"),
            ("\"sensor\":\"gyroscope\"", "\"sensor\":\"nose\"", "$.devices[0].sensors[0].sensor"),
            ("\"sensor\":\"accelerometer\"", "\"sensor\":\"gyroscope\"", "$.devices[0].sensors[1]"),
            ("\"coverage\":0.37", "\"coverage\":1.5", "$.devices[0].sensors[0].present.coverage"),
            ("\"samples\":12345", "\"samples\":-1", "$.devices[0].sensors[0].present.samples"),
            ("\"time\":1700000000.3333333", "\"time\":\"now\"", "$.devices[0].sensors[0].present.time"),
            ("[0,1,0,-1,0,0,0,0,1]", "[0,1,0,1,0,0,0,0,1]", "$.devices[0].sensors[0].present.mountMatrix"),
            ("[0,1,0,-1,0,0,0,0,1]", "[0,1]", "$.devices[0].sensors[0].present.mountMatrix"),
            ("\"kind\":\"accel\"", "\"kind\":\"elbow\"", "$.devices[0].sensors[0].present.kind"),
            // Degrees of it are no number any more.
            (
                "\"headingErrorRadians\":0.03333333333333333", "\"headingErrorRadians\":1e308",
                "$.devices[0].sensors[0].present.headingErrorRadians"
            ),
        ])
    func flaws(_ part: String, _ flawed: String, _ path: String) throws {
        let text = String(decoding: Self.document().bytes, as: UTF8.self)
        let range = try #require(text.firstRange(of: part))
        var bad = text
        bad.replaceSubrange(range, with: flawed)
        let error = #expect(throws: CalibrationDocumentError.self) { try CalibrationDocument.read(Array(bad.utf8)) }
        #expect(error?.problem.path == path, "\(String(describing: error))")
    }

    @Test(
        "parameters that no sensor has are refused",
        arguments: [
            ("[1,0,0],[0,1,0],[0,0,-1]", "matrix"), ("[1,0,0],[0,0,0],[0,0,1]", "matrix"),
            ("[1,0,0],[0,1,0]", "matrix"),
            ("[1,0,0],[0,1,0],[0,0,1e300]", "matrix[2][2]"), ("[1,0,0],[0,1,0],[0,0]", "matrix[2]"),
        ])
    func matrices(_ rows: String, _ path: String) throws {
        let text = """
            {"format":"waymark calibration","version":1,"devices":[{"sensors":[{"sensor":"gyroscope","present":{"time":1,
            "origin":"import","kind":"gyro","parameters":{"bias":[0,0,0],"matrix":[\(rows)]}}}]}]}
            """
        let error = #expect(throws: CalibrationDocumentError.self) { try CalibrationDocument.read(Array(text.utf8)) }
        #expect(error?.problem.path == "$.devices[0].sensors[0].present.parameters.\(path)")
    }

    @Test("anything else is refused and never crashes")
    func hostile() {
        let good = Self.document().bytes
        for count in stride(from: 0, to: good.count - 1, by: 97) {
            #expect(throws: CalibrationDocumentError.self) { try CalibrationDocument.read(Array(good.prefix(count))) }
        }
        for text in ["", "[]", "null", "{}", "7", "{\"format\":null}", String(repeating: "[", count: 100_000)] {
            #expect(throws: CalibrationDocumentError.self) { try CalibrationDocument.read(Array(text.utf8)) }
        }
        let long = [UInt8](repeating: 32, count: CalibrationDocument.maximumSize + 1)
        #expect(throws: CalibrationDocumentError.self) { try CalibrationDocument.read(long) }
        var (read, refused) = (0, 0)
        for place in stride(from: 0, to: good.count, by: 11) {
            for byte: UInt8 in [0, 0x22, 0x2D, 0x39, 0x7B, 0xFF] {
                var bad = good
                bad[place] = byte
                do throws(CalibrationDocumentError) {
                    _ = try CalibrationDocument.read(bad)
                    read += 1
                } catch {
                    #expect(!error.description.isEmpty)
                    refused += 1
                }
            }
        }
        #expect(read > 50 && refused > 200)
    }
}
