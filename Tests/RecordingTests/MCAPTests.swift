import Foundation
import Geometry
import Model
import Recording
import TestTools
import Testing

@Suite("An MCAP recording")
struct MCAPTests {
    private let folder = TemporaryFolder()

    @Test("any measurement comes back with the same bits, in the same order", arguments: 1...5 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let measurements = (0..<4000).map { _ in random.measurement() }
        let counts = try RecordingImport.run(ListReader(measurements), to: folder.file("a.mcap"))
        #expect(counts.messages == 4000 && counts.dropped == 0)
        #expect(counts.bytes == UInt64(folder.read("a.mcap").count))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.error == nil && reading.warnings.isEmpty)
        try #require(reading.measurements.count == measurements.count)
        for (read, written) in zip(reading.measurements, measurements) {
            #expect(bits(read) == bits(written))
        }
    }

    /// Equality of doubles takes -0 for 0; their text does not.
    private func bits(_ measurement: Measurement) -> String { "\(measurement)" }

    @Test("a number that is not finite is left out and counted")
    func notFinite() throws {
        let time = BootTime(nanoseconds: 5)
        let good = Measurement.pressure(PressureSample(time: time, pressureHectopascal: 1))
        let counts = try RecordingImport.run(
            ListReader([
                .pressure(PressureSample(time: time, pressureHectopascal: .nan)), good,
                .angularRate(AngularRateSample(time: time, rate: Vector3(0, .infinity, 0))),
            ]), to: folder.file("a.mcap"))
        #expect(counts.messages == 1 && counts.dropped == 2)
        #expect(Reading(folder.file("a.mcap")).measurements == [good])
    }

    @Test("an empty recording is a whole file without measurements")
    func empty() throws {
        _ = try RecordingImport.run(ListReader([]), to: folder.file("a.mcap"))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.error == nil && reading.measurements.isEmpty)
        #expect(reading.warnings == ["\(folder.file("a.mcap")): the file holds no measurements of waymark"])
    }

    @Test("a file that exists is not overwritten")
    func neverOverwrites() throws {
        folder.write("mine", to: "a.mcap")
        #expect(throws: RecordingError.self) { try RecordingImport.run(ListReader([]), to: folder.file("a.mcap")) }
        #expect(folder.read("a.mcap") == Data("mine".utf8))
    }

    @Test("a folder that turns out bad leaves no half file behind")
    func failedImport() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n1,1,1,1,1,1,1\n2,1,1,x,1,1,1\n", to: "imu.csv")
        let reader = try SensorFolder(path: folder.path)
        #expect(throws: RecordingError.self) { try RecordingImport.run(reader, to: folder.file("a.mcap")) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("a.mcap")))
    }

    @Test("the public reader takes the file, checksums and all", .enabled(if: Python.has("mcap")))
    func publicReader() throws {
        let walk = smallWalk(seconds: 5)
        _ = try RecordingImport.run(ListReader(walk), to: folder.file("a.mcap"))
        let script = """
            import collections, json, sys
            from mcap.reader import make_reader, NonSeekingReader
            def read(make):
                topics, last = collections.Counter(), 0
                letters = collections.Counter()
                for schema, channel, message in make.iter_messages():
                    fields = json.loads(message.data)
                    assert set(json.loads(schema.data)["required"]) <= set(fields), (schema.name, fields)
                    assert schema.encoding == "jsonschema" and channel.message_encoding == "json"
                    assert message.log_time >= last
                    last = message.log_time
                    topics[channel.topic] += 1
                    letters.update(fields.get("order", ""))
                return topics, letters
            with open(sys.argv[1], "rb") as file:
                reader = make_reader(file, validate_crcs=True)
                statistics = reader.get_summary().statistics
                topics, letters = read(reader)
            with open(sys.argv[1], "rb") as file:
                assert (topics, letters) == read(NonSeekingReader(file, validate_crcs=True))
            assert statistics.message_count == sum(topics.values())
            assert statistics.chunk_count == len(reader.get_summary().chunk_indexes) >= 3
            assert topics["/samples"] < 20
            del topics["/samples"]
            print(json.dumps(topics | letters))
            """
        let output = try Python.run(script, folder.file("a.mcap"))
        let topics = try JSONDecoder().decode([String: Int].self, from: Data(output.utf8))
        #expect(
            topics == [
                "g": 500, "a": 500, "m": 125, "b": 50, "c": 5, "/gnss/fix": 5, "/gnss/location": 5,
            ])
    }

    @Test(
        "files of the public writer are read: any compression of ours, more members, other channels",
        .enabled(if: Python.has("mcap")), arguments: ["NONE", "ZSTD"])
    func publicWriter(compression: String) throws {
        let script = """
            import sys
            from mcap.writer import Writer, CompressionType
            with open(sys.argv[1], "wb") as file:
                writer = Writer(file, compression=CompressionType.\(compression), chunk_size=200)
                writer.start()
                schema = writer.register_schema(name="x", encoding="jsonschema", data=b"{}")
                clock = writer.register_channel(topic="/clock", message_encoding="json", schema_id=schema)
                other = writer.register_channel(topic="/camera", message_encoding="json", schema_id=schema)
                for i in range(100):
                    data = ' {"more": [1, {"x": null}, true, "\\\\"{"], "time" :{"nsec":%d,"sec":1}, "z":-1e-3}\\n' % i
                    writer.add_message(channel_id=clock, log_time=i, publish_time=i, data=data.encode())
                    writer.add_message(channel_id=other, log_time=i, publish_time=i, data=b"no json")
                writer.add_attachment(create_time=0, log_time=0, name="a", media_type="b", data=b"c" * 1000)
                writer.finish()
            """
        _ = try Python.run(script, folder.file("a.mcap"))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.error == nil && reading.warnings.isEmpty)
        #expect(
            reading.measurements
                == (0..<100).map { .clock(BootTime(nanoseconds: 1_000_000_000 + $0)) })
    }

    /// What a calibration of a hostile or damaged file may look like.
    static let badCalibrations = [
        "{}", "[]", "", "{\"time\":{\"sec\":1,\"nsec\":0}}",
        calibration(sensor: "barometer"), calibration(sensor: "mount\\u0000"), calibration(part: "1e999"),
        calibration(part: "NaN"), calibration(part: "null"), calibration(part: "\"1\""), calibration(part: "[1]"),
        calibration(time: "{\"sec\":1,\"nsec\":1000000000}"), calibration(time: "9"),
        String(repeating: "{\"correction\":", count: 1000), String(calibration().dropLast()), calibration() + "}",
    ]

    private static func calibration(
        time: String = "{\"sec\":1,\"nsec\":2}", sensor: String = "gyroscope", part: String = "0.5"
    ) -> String {
        let vector = "{\"x\":1,\"y\":\(part),\"z\":-1e-3}"
        return "{\"time\":\(time),\"more\":[{}],\"sensor\":\"\(sensor)\",\"bias\":\(vector),"
            + "\"correction\":{\"x\":\(vector),\"y\":\(vector),\"z\":\(vector)}}"
    }

    @Test(
        "a calibration from elsewhere is read, and one that is not as it should be is named with its place",
        .enabled(if: Python.has("mcap")))
    func calibrations() throws {
        let script = """
            import sys
            from mcap.writer import Writer
            for i, data in enumerate(sys.argv[2:]):
                with open(sys.argv[1] + str(i), "wb") as file:
                    writer = Writer(file)
                    writer.start()
                    schema = writer.register_schema(name="x", encoding="jsonschema", data=b"{}")
                    topic = writer.register_channel(topic="/calibration", message_encoding="json", schema_id=schema)
                    writer.add_message(channel_id=topic, log_time=0, publish_time=0, data=data.encode())
                    writer.finish()
            """
        _ = try Python.run(script, [folder.file("c"), Self.calibration()] + Self.badCalibrations)
        let row = Vector3(1, 0.5, -1e-3)
        #expect(
            Reading(folder.file("c0")).measurements == [
                .calibration(
                    SensorCalibration(
                        time: BootTime(nanoseconds: 1_000_000_002), sensor: .gyroscope,
                        correction: Matrix(row, row, row), bias: row))
            ])
        for index in Self.badCalibrations.indices {
            let reading = Reading(folder.file("c\(index + 1)"))
            #expect(reading.measurements.isEmpty, "\(Self.badCalibrations[index])")
            #expect(reading.error == nil)
            let warning = reading.warnings.first ?? ""
            #expect(
                warning.contains("at byte ") && warning.contains("a message of /calibration is not as it should be"),
                "\(Self.badCalibrations[index]): \(warning)")
        }
    }
}

/// The Python with the packages for tests: `WAYMARK_PYTHON`, or `python3`.
enum Python {
    static func has(_ module: String) -> Bool { (try? run("import \(module)")) != nil }

    struct Failure: Error, CustomStringConvertible { let description: String }

    static func run(_ script: String, _ arguments: String...) throws -> String { try run(script, arguments) }

    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let python = ProcessInfo.processInfo.environment["WAYMARK_PYTHON"] ?? "python3"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [python, "-c", script] + arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let problem = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: problem, as: UTF8.self))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
