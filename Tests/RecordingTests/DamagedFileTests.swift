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

    @Test("with any bytes changed, it gives the whole of what was recorded, or a beginning and says so")
    func mutated() throws {
        let data = try goodFile()
        var random = SplitMix(seed: 5)
        var (whole, partial) = (0, 0)
        for _ in 0..<800 {
            var mutated = data
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                mutate(&mutated, &random)
            }
            let reading = readPrefix(mutated)
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
        let (channel, chunk, dataEnd): (UInt8, UInt8, UInt8) = (4, 6, 15)
        for (opcode, range) in records(data).prefix(while: { $0.opcode != dataEnd }) {
            let (start, matters) = (range.lowerBound, opcode == channel || opcode == chunk)
            changes += (0..<(matters ? 8 : 1)).map { (start, $0) }
            changes += (1..<(matters ? 9 : 2)).map { (start + $0, $0 % 8) }
            if opcode == channel { changes += range.dropFirst(9).map { ($0, $0 % 8) } }
        }
        var short = 0
        for (place, bit) in changes {
            var mutated = data
            mutated[place] ^= 1 << bit
            let reading = readPrefix(mutated)
            isWholeOrSaysSo(reading, "byte \(place), bit \(bit)")
            short += reading.measurements.count < walk.count ? 1 : 0
        }
        #expect(changes.count > 500 && short > 100, "changes that matter were among them")
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
        records(data).filter { $0.opcode == 6 }.map(\.range.lowerBound)
    }

    /// The file's records, with their heads of nine bytes.
    private func records(_ data: Data) -> [(opcode: UInt8, range: Range<Int>)] {
        var records: [(opcode: UInt8, range: Range<Int>)] = []
        var place = 8
        while place + 9 <= data.count {
            let length = data[(place + 1)..<(place + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
            records.append((data[place], place..<(place + 9 + length)))
            place += 9 + length
        }
        return records
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

    private func clock(_ json: String) -> Data {
        let empty: [UInt8] = little(UInt32(0))
        let channel: [UInt8] = little(UInt16(1)) + little(UInt16(0)) + text("/clock") + text("json") + empty
        let stamps: [UInt8] = little(UInt32(0)) + little(UInt64(0)) + little(UInt64(0))
        let message: [UInt8] = little(UInt16(1)) + stamps + Array(json.utf8)
        return file([(1, text("") + text("")), (4, channel), (5, message)])
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
        "a message of another shape is a named error",
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
}
