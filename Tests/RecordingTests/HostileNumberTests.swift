import Calibration
import Engine
import Foundation
import Geometry
import JSON
import Linux
import Messages
import Model
import Recording
import Pages
import Testing

/// Numbers as a damaged file, a wrong scale or an attacker writes them.
private enum Hostile {
    static let numbers = [
        "0", "5e-324", "1e20", "1e308", "-1e308", "nan", "inf", "-inf", "1e999", "1e-400", "4.7e9", "-9.3e9", "1e15",
    ]

    /// Whether it is one that no reader may use.
    static func isNone(_ text: String) -> Bool { ["nan", "inf", "-inf", "1e999"].contains(text) }
}

/// A folder of all tables with all of their columns, as the reader lists them, so that a new column is covered by
/// itself.
private struct HostileTables {
    static let seconds = 3

    /// Names of the tables and the columns that are read of them.
    static let cells = SensorFolder.columns.flatMap { table in table.columns.map { (table.table, $0) } }

    private static func rate(_ table: String) -> Int { ["imu": 50, "mag": 10, "baro": 5][table] ?? 2 }

    private static func usual(_ column: String, _ time: Double) -> String {
        switch column {
        case "source": "eye"
        case "target": time.truncatingRemainder(dividingBy: 1) == 0 ? "sun" : "point"
        default: "\(number(column, time))"
        }
    }

    /// A usual value; 1 for a column that is not known here.
    private static func number(_ column: String, _ time: Double) -> Double {
        switch column {
        case "t_s": time
        case "arrival_s": time + 0.2
        case "ay": 9.81
        case "gy": 0.3 * sin(time)
        case "my": -42
        case "pressure_hpa", "hpa": 950
        case "lat_deg": 47 + 1e-5 * time
        case "lon_deg": 8
        case "alt_m": 500
        case "alt_msl_m": 452
        case "utc_s": 1_782_000_000 + time
        case "dx", "dy": 0
        default: 1
        }
    }

    /// Writes the tables, with `value` in each row or in the middle one.
    static func write(_ table: String, _ column: String, _ value: String, everywhere: Bool, to folder: TemporaryFolder)
    {
        for (name, columns) in SensorFolder.columns {
            let count = seconds * rate(name)
            let rows = (0..<count).map { row in
                columns.map { cell in
                    let isHostile = name == table && cell == column && (everywhere || row == count / 2)
                    return isHostile ? value : usual(cell, Double(row) / Double(rate(name)))
                }.joined(separator: ",")
            }
            folder.write(([columns.joined(separator: ",")] + rows).joined(separator: "\n") + "\n", to: name + ".csv")
        }
    }
}

/// Everything that reads measurements, run to the end: none may trap, and none may give a number that is not finite.
private enum Consumers {
    static func replay(_ path: String, _ folder: TemporaryFolder) throws -> [String] {
        try replay(RecordingSource.open(path), folder)
    }

    /// Replays to a table of poses; returns the warnings.
    private static func replay(_ reader: any MeasurementReader, _ folder: TemporaryFolder) throws -> [String] {
        let path = folder.file("poses.csv")
        var writer = PoseCSVWriter(path: path, file: try File.createOrReplace(path, mode: 0o600))
        _ = try Replay.run(reader) { row throws(RecordingError) in try writer.write(row) }
        try writer.finish()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for word in ["nan", "inf"] { #expect(!text.contains(word)) }
        let columns = Set(text.split(separator: "\n").map { $0.filter { $0 == "," }.count })
        #expect(columns.count == 1, "each row has each column")
        return reader.warnings
    }

    static func report(_ path: String) throws {
        let reader = try RecordingSource.open(path)
        var replay = ReportReplay(title: "hostile")
        while let measurement = try reader.next() {
            if let start = reader.warmStart { replay.prepare(start) }
            replay.feed(measurement)
        }
        let page = String(decoding: replay.finish(warnings: reader.warnings).page(), as: UTF8.self)
        for word in ["\"nan", "\"inf", "\"-inf", "Lnan", "Linf"] { #expect(!page.contains(word)) }
    }

    static func convert(_ path: String, _ folder: TemporaryFolder) throws {
        let file = folder.file("made.mcap")
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = try RecordingImport.run(RecordingSource.open(path), to: file)
        let reader = try RecordingReader(path: file)
        while let measurement = try reader.next() { #expect(measurement.isInRange) }
        #expect(reader.warnings.isEmpty)
    }

    /// Feeds measurements, as they come, to the engine of the daemon; all that it publishes can be sent.
    static func serve(_ measurements: [Measurement], warmStart: WarmStart? = nil) {
        var engine = Engine()
        if let warmStart { engine.prepare(warmStart) }
        var json = JSONWriter()
        for measurement in measurements {
            engine.feed(measurement) { event in
                json.removeAll()
                switch event {
                case .pose(let pose):
                    #expect(pose.isFinite)
                    pose.message(sequence: 1).write(into: &json)
                case .frame(let frame):
                    frame.message(sequence: 1, time: BootTime(nanoseconds: 1)).write(into: &json)
                default: break
                }
                #expect(!json.lacksNumber && (try? JSONReader.read(json.bytes)) != nil || json.bytes.isEmpty)
            }
        }
    }
}

@Suite("Hostile numbers")
struct HostileNumberTests {
    /// A named error says in which file and row, or the value is left out and reported.
    private func check(_ error: RecordingError, _ table: String) {
        #expect("\(error)".contains("/\(table).csv:"))
    }

    @Test(
        "in any column of any table end in a named error, or are left out with a warning",
        arguments: HostileTables.cells)
    func tables(table: String, column: String) throws {
        let folder = TemporaryFolder()
        for value in Hostile.numbers {
            for everywhere in [false, true] {
                HostileTables.write(table, column, value, everywhere: everywhere, to: folder)
                do {
                    let warnings = try Consumers.replay(folder.path, folder)
                    // Any word may name a source.
                    if Hostile.isNone(value), column != "source" {
                        #expect(warnings.contains { $0.contains("/\(table).csv") }, "\(column) \(value)")
                    }
                    try Consumers.report(folder.path)
                    try Consumers.convert(folder.path, folder)
                } catch let error as RecordingError {
                    check(error, table)
                }
            }
        }
    }

    @Test(
        "in any column of a table of samples end no calibration by a trap", arguments: CalibrationKind.allCases,
        ["t_s"] + SampleReader.columns)
    func calibrations(kind: CalibrationKind, column: String) throws {
        let folder = TemporaryFolder()
        let group = SampleReader.columns.firstIndex(of: column).map { $0 / 3 * 3 }
        // Of the names that a sensor's columns may have, those of the column's own set.
        let own = group.map { Array(SampleReader.columns[$0..<($0 + 3)]) } ?? ["ax", "ay", "az"]
        let sets = [["ax", "ay", "az"], ["gx", "gy", "gz"], ["mx", "my", "mz"]]
        let others = sets.filter { $0[0].first != own[0].first }
        let columns = ["t_s"] + own + others.flatMap { $0 }
        for value in Hostile.numbers {
            for everywhere in [false, true] {
                let rows = (0..<400).map { row in
                    columns.enumerated().map { index, name in
                        let isHostile = name == column && (everywhere || row == 200)
                        if isHostile { return value }
                        let turn = Double(row) / 40 + Double(index)
                        return name == "t_s"
                            ? "\(Double(row) / 100)" : "\(sin(turn) * (name.hasPrefix("g") ? 0.5 : 20))"
                    }.joined(separator: ",")
                }
                folder.write(([columns.joined(separator: ",")] + rows).joined(separator: "\n") + "\n", to: "s.csv")
                do {
                    _ = try SampleSurvey(SampleReader.open(folder.file("s.csv")))
                    let reader = try SampleReader.open(folder.file("s.csv"))
                    var session = kind.session(CalibrationSettings())
                    while let measurement = try reader.next() {
                        session.feed(measurement)
                        _ = session.isComplete
                    }
                    _ = session.progress
                    var json = JSONWriter()
                    session.result().message(stored: false, unit: .standard).write(into: &json)
                    #expect((try? JSONReader.read(json.bytes)) != nil && !json.lacksNumber)
                } catch {
                    check(error, "s")
                }
            }
        }
    }

    /// One measurement of each kind, with every member that is optional.
    private static let measurements: [Measurement] = {
        let time = BootTime(nanoseconds: 2_000_000_000)
        let fix = GNSSFix(
            epoch: time, arrival: time, utcSeconds: 1_782_000_000,
            position: GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 500)!,
            hasHeight: true, velocityENU: .init(east: 1, north: 2, up: 3),
            positionSigma: .init(east: 2, north: 3, up: 4), velocitySigma: 0.5,
            antennaInBody: Vector3(0.5, 0.25, 0.125),
            geoidSeparation: 48)
        return [
            .angularRate(AngularRateSample(time: time, rate: Vector3(0.5, 0.25, 0.125))),
            .specificForce(SpecificForceSample(time: time, force: Vector3(0.5, 9.75, 0.125))),
            .magneticField(MagneticSample(time: time, field: Vector3(20, 5, -40))),
            .pressure(PressureSample(time: time, pressureHectopascal: 950)), .fix(fix), .clock(time),
        ]
            + SensorCalibration.Sensor.allCases.map {
                .calibration(
                    SensorCalibration(
                        time: time, sensor: $0, bias: Vector3(0.5, 0.25, 0.125),
                        biasStandardDeviation: Vector3(0.5, 0.25, 0.125)))
            }
            + offers(time).map {
                .aid(AidMeasurement(source: .aid, time: time, arrival: time, content: $0))
            }
    }()

    private static func offers(_ time: BootTime) -> [AidMeasurement.Content] {
        let place = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 500)!
        let pose = OdometryPose(
            position: Vector3(0.5, 0.25, 0.125), rotationOwnFromBody: Rotation3(w: 0.5, x: 0.5, y: 0.5, z: 0.5)!,
            reset: 3, tracking: 0.75)
        let targets = [Sighting.Target.point(place, hasHeight: true), .sun(utcSeconds: 1_782_000_000)]
        return [
            .odometry(pose),
            .position(OfferedPosition(position: place, hasHeight: true, horizontalAccuracy: 3, verticalAccuracy: 4)),
            .range(BeaconRange(beacon: place, range: 20, standardDeviation: 0.5)),
            .heading(OfferedHeading(azimuth: 1, standardDeviation: 0.25)),
            .height(OfferedHeight(height: 500, standardDeviation: 2)),
        ]
            + targets.map {
                .sighting(Sighting(target: $0, directionInBody: Vector3(0, 0, -1), standardDeviation: 0.25))
            }
    }

    /// Paths to the numbers of a JSON Schema, as the recording itself declares them.
    private static func numbers(_ schema: JSONNode, _ path: [String] = []) -> Set<[String]> {
        if ["number", "integer"].contains(schema["type"]?.string) { return [path] }
        guard let properties = schema["properties"] else { return [] }
        return properties.members.reduce(into: []) { found, member in
            found.formUnion(numbers(member.value, path + [member.name.string ?? ""]))
        }
    }

    /// The value with `text` in place of the number at a path.
    private static func write(_ node: JSONNode, _ path: [String], _ text: String, into json: inout JSONWriter) {
        if path.isEmpty { return json.value(json: text.utf8) }
        json.beginObject()
        for (name, value) in node.members {
            json.key(text: name.string ?? "")
            if name.string == path[0] {
                write(value, Array(path.dropFirst()), text, into: &json)
            } else {
                value.write(into: &json)
            }
        }
        json.endObject()
    }

    private static func has(_ node: JSONNode, _ path: [String]) -> Bool {
        guard let first = path.first else { return node.kind == .number }
        return node.members.contains { $0.name.string == first && has($0.value, Array(path.dropFirst())) }
    }

    @Test(
        "in any number of any message of a recording end in a problem, or give what can be replayed, reported and served",
        arguments: measurements)
    func messages(measurement: Measurement) throws {
        let topic = Topic(measurement)
        let message = try Self.message(measurement)
        let others = try Self.measurements.filter { Topic($0) == topic }.map(Self.message)
        let paths = Self.numbers(try JSONReader.read(Array(topic.schema.utf8)))
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(others.contains { Self.has($0, path) }, "the samples above lack \(topic.name) \(path)")
            guard Self.has(message, path) else { continue }
            for number in Hostile.numbers {
                var changed = JSONWriter()
                Self.write(message, path, number, into: &changed)
                var geoid = ReceiverGeoid()
                guard case .success(let read?) = scanned(topic, changed.bytes, geoid: &geoid) else { continue }
                #expect(!Hostile.isNone(number))
                feed(read)
            }
        }
    }

    private static func message(_ measurement: Measurement) throws -> JSONNode {
        var json = JSONWriter(precision: .exact)
        MeasurementMessage.write(measurement, into: &json)
        return try JSONReader.read(json.bytes)
    }

    /// Feeds a measurement amidst usual ones, also where a reader would leave it out: sensors have no reader.
    private func feed(_ measurement: Measurement) {
        var walk = smallWalk(seconds: 2)
        walk.insert(measurement, at: walk.count / 2)
        walk.insert(measurement, at: 0)
        Consumers.serve(walk)
        var report = ReportReplay(title: "hostile")
        for measurement in walk { report.feed(measurement) }
        #expect(!report.finish().page().isEmpty)
    }

    @Test("in any number of a warm start are a flaw, or give poses all the same")
    func warmStarts() throws {
        let bytes = try #require(WarmStartMessage.bytes(WarmStartMessageTests.sample()))
        let message = try JSONReader.read(bytes)
        let paths = Self.numbers(try JSONReader.read(Array(Topic.warmStart.schema.utf8)))
        for path in paths {
            #expect(Self.has(message, path), "the sample lacks \(path)")
            for number in Hostile.numbers {
                var changed = JSONWriter()
                Self.write(message, path, number, into: &changed)
                guard let start = try? WarmStartMessage.read(changed.bytes) else { continue }
                #expect(!Hostile.isNone(number))
                Consumers.serve(smallWalk(seconds: 2), warmStart: start)
            }
        }
    }
}
