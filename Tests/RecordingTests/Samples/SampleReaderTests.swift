import Foundation
import Geometry
import Model
import Recording
import Testing

@Suite("Samples for calibration")
struct SampleReaderTests {
    private let folder = TemporaryFolder()

    private func all(
        _ name: String, rate: Double? = nil, scales: SampleScales = SampleScales()
    ) throws -> [Measurement] {
        let reader = try SampleReader.open(folder.file(name), rate: rate, scales: scales)
        var measurements: [Measurement] = []
        while let measurement = try reader.next() { measurements.append(measurement) }
        return measurements
    }

    private func failure(_ name: String, rate: Double? = nil) -> String {
        do {
            _ = try all(name, rate: rate)
            return "read without a flaw"
        } catch {
            return "\(error)"
        }
    }

    private func time(_ measurement: Measurement) -> Double { measurement.arrival.seconds }

    @Test("a table of any of the sensors' columns, in any order")
    func columns() throws {
        folder.write("mz,t_s,mx,part,my\n3,0.5,1,a,2\n6,1.5,4,a,5\n", to: "a.csv")
        let samples = try all("a.csv")
        guard case .magneticField(let first) = try #require(samples.first) else {
            Issue.record("no field")
            return
        }
        #expect(first.field.x == 1 && first.field.y == 2 && first.field.z == 3 && first.time.seconds == 0.5)
        #expect(samples.count == 2)
    }

    @Test("what a folder's meta.json says is not asked", arguments: ["{\"magnetometer\":\"calibrated\"}", "no JSON"])
    func meta(text: String) throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n1,1,2,3,1,2,3\n", to: "imu.csv")
        folder.write("t_s,mx,my,mz\n1,1,2,3\n", to: "mag.csv")
        folder.write(text, to: "meta.json")
        let reader = try SampleReader.open(folder.path)
        var count = 0
        while let measurement = try reader.next() {
            if case .calibration = measurement { Issue.record("a calibration among the samples") }
            count += 1
        }
        #expect(count == 3 && reader.warnings.isEmpty)
    }

    @Test("force, rate and field of one row, by the names that others give them", arguments: ["acc", "accel"])
    func names(prefix: String) throws {
        let gyro = prefix == "acc" ? "gyr" : "gyro"
        folder.write(
            "t_s,\(gyro)_x,\(gyro)_y,\(gyro)_z,\(prefix)_x,\(prefix)_y,\(prefix)_z,mag_x,mag_y,mag_z\n"
                + "0,1,2,3,4,5,6,7,8,9\n", to: "a.csv")
        let kinds = try all("a.csv").map { measurement in
            switch measurement {
            case .specificForce(let sample): "force \(sample.force.x)"
            case .angularRate(let sample): "rate \(sample.rate.x)"
            case .magneticField(let sample): "field \(sample.field.x)"
            default: "other"
            }
        }
        #expect(kinds == ["force 4.0", "rate 1.0", "field 7.0"])
    }

    @Test("without a time the order of the rows and the rate tell it")
    func rows() throws {
        folder.write("ax,ay,az\n1,2,3\n4,5,6\n7,8,9\n", to: "a.csv")
        #expect(try all("a.csv", rate: 50).map(time) == [0, 0.02, 0.04])
        #expect(
            failure("a.csv").hasSuffix(
                "a.csv:1: the column t_s (seconds) is missing; without it the rate of the samples has to be given"))
    }

    @Test("rows of parts that count anew keep their order")
    func counted() throws {
        folder.write("part,samples,ax,ay,az\nb,4,0,0,1\nb,5,0,0,2\na,0,0,0,3\na,1,0,0,4\n", to: "a.csv")
        let samples = try all("a.csv", rate: 2)
        #expect(samples.map(time) == [0, 0.5, 1, 1.5])
        guard case .specificForce(let first) = samples[0] else {
            Issue.record("no force")
            return
        }
        #expect(first.force.z == 1)
    }

    @Test("cells that are no number in the world are handed on, empty ones are no sample")
    func notFinite() throws {
        folder.write("t_s,ax,ay,az,mx,my,mz\n0,nan,0,9.8,1,2,3\n1,0,0,inf,,,\n2,,,,1,2,3\n", to: "a.csv")
        let reader = try SampleReader.open(folder.file("a.csv"))
        var (finite, not) = (0, 0)
        while let measurement = try reader.next() {
            switch measurement {
            case .specificForce(let sample): if sample.force.isFinite { finite += 1 } else { not += 1 }
            case .magneticField: finite += 1
            default: break
            }
        }
        #expect(finite == 2 && not == 2 && reader.warnings.isEmpty)
    }

    @Test("scales bring counts to their units")
    func scales() throws {
        folder.write("t_s,ax,ay,az,gx,gy,gz\n0,2,0,0,3,0,0\n", to: "a.csv")
        let samples = try all("a.csv", scales: SampleScales(force: 10, rate: 100))
        guard case .specificForce(let force) = samples[0], case .angularRate(let rate) = samples[1] else {
            Issue.record("not what was written")
            return
        }
        #expect(force.force.x == 20 && rate.rate.x == 300)
    }

    @Test("a folder needs no imu.csv: imu_raw.csv or mag.csv or a single table will do")
    func folders() throws {
        let imu = "t_s,ax,ay,az,gx,gy,gz\n0,1,1,1,0,0,0\n2,1,1,1,0,0,0\n"
        folder.write(imu, to: "imu_raw.csv")
        #expect(try all("").filter { if case .clock = $0 { false } else { true } }.count == 4)
        folder.write("t_s,mx,my,mz\n1,1,1,1\n", to: "mag.csv")
        let merged = try all("").filter { if case .clock = $0 { false } else { true } }
        #expect(merged.map(time) == [0, 0, 1, 2, 2])
        #expect(try SampleReader.open(folder.path).origin == .folder)
        let other = TemporaryFolder()
        other.write("t_s,mx,my,mz\n1,1,1,1\n", to: "samples of mine.csv")
        #expect(try SampleReader.open(other.path).origin == .table)
        other.write("", to: "another.csv")
        #expect(throws: RecordingError.self) { try SampleReader.open(other.path) }
    }

    @Test("what holds no samples is refused by name")
    func refusals() {
        #expect(failure("").contains("is not a recording: it has no tables"))
        #expect(failure("nothing.csv").contains("nothing.csv: No such file"))
        folder.write("", to: "empty.csv")
        #expect(failure("empty.csv").contains("empty.csv:1: the file is empty"))
        folder.write("a,b\n1,2\n", to: "wrong.csv")
        #expect(failure("wrong.csv").contains("wrong.csv:1: it has no columns of samples"))
        folder.write("t_s,ax,ay\n0,1,2\n", to: "two.csv")
        #expect(failure("two.csv").hasSuffix("two.csv:1: the column az is missing"))
        folder.write("t_s,ax,ay,az\n0,1,2,up\n", to: "word.csv")
        #expect(failure("word.csv").hasSuffix("word.csv:2:7: az is 'up', which is not a number in range"))
        folder.write("t_s,ax,ay,az\n0,1,2," + String(repeating: "3", count: 9000), to: "long.csv")
        #expect(failure("long.csv").contains("long.csv:2: a line of more than 4096 bytes"))
        var garbage = SystemRandomNumberGenerator()
        folder.write(Data((0..<20_000).map { _ in UInt8.random(in: 11...255, using: &garbage) }), to: "garbage.csv")
        #expect(failure("garbage.csv").contains("garbage.csv"))
        folder.write(Data([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7]), to: "broken.csv.gz")
        #expect(failure("broken.csv.gz").contains("broken.csv.gz"))
    }

    @Test("a survey has norms, the field's radius whatever its hard iron, and whether all are whole")
    func survey() throws {
        var text = "t_s,ax,ay,az,mx,my,mz\n"
        for index in 0..<100 {
            let angle = Double(index) / 100 * 2 * .pi
            text += "\(index),0,0,9.5,\(300 + 50 * cos(angle)),\(50 * sin(angle)),7\n"
        }
        folder.write(text, to: "a.csv")
        let survey = try SampleSurvey(try SampleReader.open(folder.file("a.csv")))
        #expect(survey.medianForce == 9.5 && survey.highRate == nil && !survey.isWhole)
        let radius = try #require(survey.fieldRadius)
        #expect(abs(radius - 50) < 0.01)
        // Of a thousand samples nine are wild, and twenty are turns.
        let rates = (0..<1000).map { "\($0),0,0,\($0 % 111 == 50 ? 9e9 : $0 % 50 == 0 ? 3 : 0.1)" }
        folder.write("t_s,gx,gy,gz\n" + rates.joined(separator: "\n") + "\n", to: "rates.csv")
        #expect(try SampleSurvey(try SampleReader.open(folder.file("rates.csv"))).highRate == 3)
        folder.write("t_s,gx,gy,gz\n0,1,-5,300\n", to: "b.csv")
        #expect(try SampleSurvey(try SampleReader.open(folder.file("b.csv"))).isWhole)
    }

    @Test("rows that go back in time and a pipe in the place of a table are reported, what is beyond numbers is none")
    func odd() throws {
        folder.write("t_s,ax,ay,az\n0,1,2,3\n1,1,2,3\n0.5,1,2,3\n0.6,1,-2e15,3\n0.1,1,2,3\n", to: "a.csv")
        let reader = try SampleReader.open(folder.file("a.csv"))
        var forces: [Vector3] = []
        while case .specificForce(let sample)? = try reader.next() { forces.append(sample.force) }
        #expect(forces.map(\.isFinite) == [true, true, true, false, true])
        #expect(reader.warnings.count == 1)
        #expect(reader.warnings[0].hasSuffix("a.csv:4: from here on 2 row(s) are earlier than the row before"))
        let pipes = TemporaryFolder()
        #expect(mkfifo(pipes.file("only.csv"), 0o600) == 0)
        let error = #expect(throws: RecordingError.self) { try SampleReader.open(pipes.path) }
        #expect(error.map { "\($0)" }?.contains("only.csv is not a recording: not a regular file") == true)
    }

    @Test("how much has been read grows to all of it")
    func fraction() throws {
        let rows = (0..<50_000).map { "\($0),1,2,3" }.joined(separator: "\n")
        folder.write("t_s,ax,ay,az\n" + rows + "\n", to: "a.csv")
        let reader = try SampleReader.open(folder.file("a.csv"))
        var last = 0.0
        while try reader.next() != nil {
            let fraction = try #require(reader.fraction)
            #expect(fraction >= last && fraction <= 1)
            last = fraction
        }
        #expect(last == 1)
    }
}
