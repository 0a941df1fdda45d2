import Foundation
import Model
import Recording
import TestTools
import Testing

@Suite("A damaged MCAP file")
struct DamagedFileTests {
    private let folder = TemporaryFolder()
    private let walk = smallWalk(seconds: 8)

    private func goodFile() throws -> Data {
        _ = try RecordingImport.run(ListReader(walk), to: folder.file("good.mcap"))
        return folder.read("good.mcap")
    }

    /// Whatever came out has to be the beginning of what went in.
    private func readPrefix(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) -> Reading {
        folder.write(data, to: "cut.mcap")
        let reading = Reading(folder.file("cut.mcap"))
        #expect(walk.starts(with: reading.measurements), sourceLocation: sourceLocation)
        return reading
    }

    @Test("cut at any byte, it gives everything before the cut and a warning")
    func cutAnywhere() throws {
        let data = try goodFile()
        var random = SplitMix(seed: 4)
        // Every byte of a stretch in a chunk and over the end of it, and places anywhere.
        let cuts = Array(20_000..<21_000) + (0..<600).map { _ in Int.random(in: 8..<data.count, using: &random) }
        var longest = 0
        for cut in cuts.sorted() {
            let reading = readPrefix(data.prefix(cut))
            #expect(reading.error == nil && reading.warnings.count == 1, "\(cut)")
            #expect(reading.warnings.first?.contains("at byte ") == true, "\(cut)")
            // More of the file never gives less.
            #expect(reading.measurements.count >= longest, "\(cut)")
            longest = reading.measurements.count
        }
        #expect(readPrefix(data.prefix(data.count - 1)).measurements.count == walk.count)
        #expect(readPrefix(data).warnings.isEmpty)
    }

    @Test("a chunk that is torn still gives the messages before the tear")
    func tornChunk() throws {
        let data = try goodFile()
        // Stored, not compressed to nothing: half of the file holds about half of the messages.
        let share = Double(readPrefix(data.prefix(data.count / 2)).measurements.count) / Double(walk.count)
        #expect(share > 0.25 && share < 0.75)
    }

    @Test("what does not begin as MCAP does is no recording", arguments: [0, 1, 7])
    func tooShort(count: Int) throws {
        let reading = readPrefix(try goodFile().prefix(count))
        guard case .notARecording = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    /// Whatever came out has to be in what went in, in the same order.
    private func readParts(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) -> Reading {
        folder.write(data, to: "damaged.mcap")
        let reading = Reading(folder.file("damaged.mcap"))
        var rest = walk[...]
        let isPart = reading.measurements.allSatisfy { measurement in
            guard let index = rest.firstIndex(of: measurement) else { return false }
            rest = rest[(index + 1)...]
            return true
        }
        #expect(isPart, sourceLocation: sourceLocation)
        return reading
    }

    @Test("with any bytes changed, it gives the whole of what was recorded, or parts of it and says so")
    func mutated() throws {
        let data = try goodFile()
        var random = SplitMix(seed: 5)
        var (whole, partial) = (0, 0)
        for _ in 0..<800 {
            var mutated = data
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                mutate(&mutated, &random)
            }
            let reading = readParts(mutated)
            isWholeOrSaysSo(reading)
            whole += reading.measurements.count == walk.count ? 1 : 0
            partial += (1..<walk.count).contains(reading.measurements.count) ? 1 : 0
        }
        #expect(whole > 50 && partial > 200)
    }

    @Test("with a bit changed in a channel or in the head of a record, which no checksum covers, it is the same")
    func mutatedOutsideChunks() throws {
        let data = try goodFile()
        var changes: [(place: Int, bit: Int)] = []
        for record in FileRecord.all(in: data).prefix(while: { $0.opcode != FileRecord.dataEnd }) {
            let (start, isChannel) = (record.range.lowerBound, record.opcode == FileRecord.channel)
            let matters = isChannel || record.opcode == FileRecord.chunk
            changes += (0..<(matters ? 8 : 1)).map { (start, $0) }
            changes += (1..<(matters ? 9 : 2)).map { (start + $0, $0 % 8) }
            if isChannel { changes += record.range.dropFirst(9).map { ($0, $0 % 8) } }
        }
        var short = 0
        for (place, bit) in changes {
            var mutated = data
            mutated[place] ^= 1 << bit
            let reading = readParts(mutated)
            isWholeOrSaysSo(reading, "byte \(place), bit \(bit)")
            short += reading.measurements.count < walk.count ? 1 : 0
        }
        #expect(changes.count > 500 && short > 20, "changes that matter were among them")
    }

    private func isWholeOrSaysSo(
        _ reading: Reading, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isWhole = reading.measurements.count == walk.count
        #expect(
            isWhole || reading.error != nil || !reading.warnings.isEmpty, comment, sourceLocation: sourceLocation)
    }

    private func mutate(_ data: inout Data, _ random: inout SplitMix) {
        let place = Int.random(in: 0..<data.count, using: &random)
        switch random.next() % 4 {
        case 0: data[place] ^= UInt8(1 << (random.next() % 8))
        case 1: data[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: data.removeSubrange(place..<min(data.count, place + Int(random.next() % 50)))
        default: for index in place..<min(data.count, place + 8) { data[index] = 0xFF }
        }
    }

    @Test("one that goes on growing while it is read gives what was there when it was opened")
    func growing() throws {
        let data = try goodFile()
        // Where a chunk ends, as a file does that is being recorded.
        let whole = try #require(chunkEnds(data).dropFirst(2).first)
        folder.write(data.prefix(whole), to: "growing.mcap")
        let reader = try RecordingReader(path: folder.file("growing.mcap"))
        folder.write(data, to: "growing.mcap")
        var measurements: [Measurement] = []
        while let measurement = try reader.next() { measurements.append(measurement) }
        #expect(!measurements.isEmpty && measurements.count < walk.count && walk.starts(with: measurements))
        #expect(reader.warnings.first?.contains("is still being written") == true)
    }

    /// The places behind the file's chunks and their indexes.
    private func chunkEnds(_ data: Data) -> [Int] {
        FileRecord.all(in: data).filter { $0.opcode == FileRecord.chunk }.map(\.range.lowerBound)
    }

    // MARK: - Files that mean harm

    private func file(_ records: [(UInt8, [UInt8])]) -> Data {
        var data = Data([0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A])
        for (opcode, content) in records { data += Data([opcode] + little(UInt64(content.count)) + content) }
        return data
    }

    private func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private func text(_ text: String) -> [UInt8] { little(UInt32(text.utf8.count)) + Array(text.utf8) }

    private func chunk(_ records: [UInt8], compression: String, size: UInt64) -> (UInt8, [UInt8]) {
        let times: [UInt8] = little(UInt64(0)) + little(UInt64(0))
        return (
            6, times + little(size) + little(UInt32(0)) + text(compression) + little(UInt64(records.count)) + records
        )
    }

    private func clock(_ texts: String...) -> Data { file(clockHeader + texts.map { (5, clockMessage($0)) }) }

    private var clockHeader: [(UInt8, [UInt8])] { header(of: "/clock") }

    private func header(of topic: String) -> [(UInt8, [UInt8])] {
        let empty: [UInt8] = little(UInt32(0))
        let channel: [UInt8] = little(UInt16(1)) + little(UInt16(0)) + text(topic) + text("json") + empty
        return [(1, text("") + text("")), (4, channel)]
    }

    private func clockMessage(_ json: String) -> [UInt8] {
        let stamps: [UInt8] = little(UInt32(0)) + little(UInt64(0)) + little(UInt64(0))
        return little(UInt16(1)) + stamps + Array(json.utf8)
    }

    private func problem(_ data: Data) -> String {
        folder.write(data, to: "a.mcap")
        let reading = Reading(folder.file("a.mcap"))
        return reading.error.map { "\($0)" } ?? reading.warnings.joined()
    }

    @Test("a chunk that claims to unpack to more than 64 MiB is refused before any memory is taken")
    func bombByHeader() {
        let bomb = file([chunk([1, 2, 3], compression: "zstd", size: 1 << 40)])
        #expect(problem(bomb).contains("unpacks to 1099511627776 bytes"))
    }

    @Test("a chunk that unpacks to more than it says is damaged", .enabled(if: Python.has("zstandard")))
    func bombByContent() throws {
        let script = "import zstandard, sys; open(sys.argv[1], 'wb').write(zstandard.compress(bytes(1 << 28)))"
        _ = try Python.run(script, folder.file("bomb.zst"))
        let bomb = file([chunk(Array(folder.read("bomb.zst")), compression: "zstd", size: 100)])
        #expect(problem(bomb).contains("the chunk is damaged"))
    }

    @Test("lengths beyond the file end the reading there")
    func lengthBeyondFile() {
        for opcode in [3, 4, 5, 6, 7, 200] as [UInt8] {
            let data = Data([0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A, opcode]) + Data(little(UInt64.max))
            #expect(problem(data).contains("cut short"), "\(opcode)")
        }
    }

    @Test("a compression that is not ours is named")
    func unknownCompression() {
        #expect(problem(file([chunk([], compression: "lz4", size: 0)])).contains("compressed with 'lz4'"))
    }

    @Test("a channel whose name or encoding is longer than any that we keep is refused", arguments: [true, false])
    func longName(isName: Bool) {
        let long = String(repeating: "n", count: 257)
        let texts = isName ? text("/" + long) + text("json") : text("/clock") + text(long)
        let channel: [UInt8] = little(UInt16(1)) + little(UInt16(0)) + texts + little(UInt32(0))
        #expect(problem(file([(1, text("") + text("")), (4, channel)])).contains("longer than 256 bytes"))
    }

    @Test("a sound message is read as the ones below are not")
    func soundMessage() {
        folder.write(clock(#"{"time":{"sec":3,"nsec":4}}"#), to: "a.mcap")
        #expect(Reading(folder.file("a.mcap")).measurements == [.clock(BootTime(nanoseconds: 3_000_000_004))])
    }

    @Test(
        "a message of another shape is left out by name",
        arguments: [
            ("", "'{' is missing"), ("[]", "'{' is missing"), ("{}", "time is missing"),
            (#"{"time":5}"#, "'{' is missing"), (#"{"time":{"sec":1}}"#, "nsec is missing"),
            (#"{"time":{"sec":"1","nsec":0}}"#, "not a number"),
            (#"{"time":{"sec":1.5,"nsec":0}}"#, "not a whole number"),
            (#"{"time":{"sec":1,"nsec":1000000000}}"#, "out of range"),
            (#"{"time":{"sec":9223372036854775807,"nsec":0}}"#, "out of range"),
            (#"{"time":{"sec":-1,"nsec":-9223372036854775808}}"#, "out of range"),
            (#"{"time":{"sec":1,"nsec":0}}}"#, "more after the end"),
            (#"{"time":{"sec":1,"nsec":0}"#, "',' is missing"),
            (#"{"x":NaN}"#, "not a number"), (#"{"x":1e999}"#, "out of range"), (#"{"x":"a"#, "without an end"),
            (#"{"x":nul}"#, "unknown word"),
            (#"{"x":"# + String(repeating: "[", count: 100), "nested more than 16 deep"),
        ])
    func wrongShape(json: String, expected: String) {
        let problem = problem(clock(json))
        #expect(problem.contains("a message of /clock is not as it should be: ") && problem.contains(expected))
    }

    private static let nested = "{\"id\":\"a\",\"document\":" + String(repeating: "[", count: 100)

    @Test(
        "a message of plans that is not one is left out by name",
        arguments: [
            ("/plan", "{}", "document is missing"), ("/plan", #"{"id":"a"}"#, "document is missing"),
            ("/plan", #"{"document":{}}"#, "id is missing"), ("/plan", #"{"id":"","document":{}}"#, "1 to 80 bytes"),
            ("/plan", #"{"id":"a","document":"<osm/>"}"#, "no plan"),
            ("/plan", nested, "nested more than 16 deep"),
            ("/plans_in_use", "{}", "plans is missing"), ("/plans_in_use", #"{"plans":[1]}"#, "is missing"),
            ("/plans_in_use", #"{"plans":["a"]}"#, "a plan whose document was not read"),
            (
                "/plans_in_use", #"{"plans":["# + String(repeating: #""a","#, count: 100) + #""a"]}"#,
                "more than 100 plans"
            ),
        ])
    func wrongPlans(topic: String, json: String, expected: String) {
        let problem = problem(file(header(of: topic) + [(5, clockMessage(json))]))
        #expect(problem.contains("a message of \(topic) is not as it should be: ") && problem.contains(expected))
    }

    private let second = #"{"time":{"sec":2,"nsec":0}}"#
    private let third = #"{"time":{"sec":3,"nsec":0}}"#

    @Test("a message of another shape is lost alone")
    func wrongShapeAlone() {
        folder.write(clock(second, "{}", third), to: "a.mcap")
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements.map(\.time.seconds) == [2, 3])
        #expect(reading.warnings.first?.contains("1 such message is left out") == true)
    }

    @Test(
        "a chunk whose records do not fit loses those alone, and the next is read",
        arguments: ["too short", "which the file does not declare", "runs over the end"])
    func wrongRecords(problem: String) {
        let bad: [UInt8] =
            switch problem {
            case "too short": little(UInt64(3)) + [1, 0, 0]
            case "runs over the end": little(UInt64(100)) + clockMessage(second)
            default: little(UInt64(22)) + little(UInt16(9)) + [UInt8](repeating: 0, count: 20)
            }
        let good: [UInt8] = little(UInt64(clockMessage(third).count)) + clockMessage(third)
        let chunks = [bad, good].map { chunk([5] + $0, compression: "", size: UInt64($0.count + 1)) }
        folder.write(file(clockHeader + chunks), to: "a.mcap")
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements == [.clock(BootTime(nanoseconds: 3_000_000_000))])
        #expect(reading.warnings.contains { $0.contains(problem) }, "\(reading.warnings)")
    }
}
