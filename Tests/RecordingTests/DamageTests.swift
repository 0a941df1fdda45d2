import Foundation
import Model
import Recording
import TestTools
import Testing

@Suite("Damage within an MCAP file")
struct DamageTests {
    private let folder = TemporaryFolder()

    private func recording() throws -> ChunkedRecording {
        let recording = try ChunkedRecording(smallWalk(seconds: 10), in: folder)
        try #require(recording.chunks.count >= 5 && recording.chunks.allSatisfy { !$0.measurements.isEmpty })
        return recording
    }

    private func read(_ data: Data) -> Reading {
        folder.write(data, to: "damaged.mcap")
        return Reading(folder.file("damaged.mcap"))
    }

    /// Places in a chunk's record: opcode, length, size, checksum, compression, packed size, content, last byte.
    private static let places = [0, 1, 2, 3, 4, 8, 25, 33, 37, 41, 45, 49, 200, -1]

    @Test("in a chunk loses that chunk alone, and the messages in it are named", arguments: places)
    func chunk(place: Int) throws {
        let recording = try recording()
        for (number, chunk) in recording.chunks.enumerated() {
            var data = recording.data
            data[place < 0 ? chunk.range.upperBound - 1 : chunk.range.lowerBound + place] ^= 1 << 6
            let reading = read(data)
            #expect(reading.error == nil)
            #expect(reading.measurements == recording.measurements(without: [number]), "chunk \(number)")
            #expect(
                reading.warnings.first?.contains("at byte ") == true
                    && reading.warnings.first?.contains("/gnss/location 2") == true, "\(reading.warnings)")
            #expect(reading.warnings.contains { $0.contains("the beginning is missing") } == (number == 0))
            let lost = reading.warnings[0].firstMatch(of: /missing are ([0-9]+) bytes/).flatMap { Int($0.1) } ?? 0
            #expect(lost <= recording.dataEnd - chunk.range.lowerBound, "no more than up to the summary")
            if number == recording.chunks.count - 1, place == 4 {
                #expect(lost == recording.dataEnd - chunk.range.lowerBound)
            }
        }
    }

    @Test("in a chunk in the middle is reported with its bytes, its time and its messages")
    func text() throws {
        let recording = try recording()
        let chunk = recording.chunks[2].range
        var data = recording.data
        data[chunk.lowerBound + 300] ^= 1
        #expect(
            read(data).warnings == [
                "\(folder.file("damaged.mcap")): at byte \(chunk.lowerBound): the chunk is damaged: missing are "
                    + "\(chunk.count) bytes, from 3.5 s to 6.0 s, with 8 messages (/samples 4, /gnss/fix 2, "
                    + "/gnss/location 2)"
            ])
    }

    @Test("outside of the chunks loses no message: in the header, channels, indexes, the summary or the end")
    func outside() throws {
        let recording = try recording()
        for record in recording.records where record.opcode != FileRecord.chunk {
            for place in Set([0, 1, 3, 8, 9, 12, record.range.count - 1]) where place < record.range.count {
                var data = recording.data
                data[record.range.lowerBound + place] ^= 1 << 4
                let reading = read(data)
                #expect(
                    reading.error == nil && reading.measurements == recording.measurements,
                    "byte \(place) of a record \(record.opcode): \(reading.warnings)")
            }
        }
    }

    @Test(
        "in any bit of a channel, or of the kind of any record but a chunk, loses no message: no checksum covers them")
    func everyBit() throws {
        let recording = try ChunkedRecording(smallWalk(seconds: 3), in: folder)
        let others = recording.records.filter { $0.opcode != FileRecord.chunk }
        let samples = try #require(
            others.first {
                $0.opcode == FileRecord.channel && recording.data[$0.range].range(of: Data("/samples".utf8)) != nil
            })
        for place in Array(samples.range) + others.map(\.range.lowerBound) {
            for bit in 0..<8 {
                var data = recording.data
                data[place] ^= 1 << bit
                let reading = read(data)
                #expect(
                    reading.error == nil && reading.measurements == recording.measurements,
                    "bit \(bit) of byte \(place): \(reading.warnings)")
            }
        }
    }

    @Test("in any bit of another program's channel leaves the channel to the summary, whose checksum holds")
    func everyBitOfAnother() throws {
        let clock = FileRecord.channel(1, "/clock")
        let start = FileRecord.magic + FileRecord.header("another")
        let chunks = (UInt32(0)..<4).map { number in
            let text = #"{"time":{"nsec":0,"sec":\#(number + 1)}}"#
            return FileRecord.chunk(FileRecord.message(1, number, UInt64(number + 1), text))
        }
        let statistics = FileRecord.statistics(messages: 4, times: 1...4)
        let data = FileRecord.finished(start + clock + chunks.reduce(Data(), +), summary: clock + statistics)
        #expect(read(data).warnings.isEmpty)
        for place in start.count..<(start.count + clock.count) {
            for bit in 0..<8 {
                var data = data
                data[place] ^= 1 << bit
                let reading = read(data)
                #expect(
                    reading.error == nil && reading.measurements.map(\.time.seconds) == [1, 2, 3, 4],
                    "bit \(bit) of byte \(place - start.count): \(reading.warnings)")
                // The name and the encoding, which say what the messages are.
                let isDescription = [17..<23, 27..<31].contains { $0.contains(place - start.count) }
                #expect(!isDescription || reading.warnings.contains { $0.contains("declared as two different ones") })
                // Of a message, a chunk, and none. Others are of records that are passed over.
                #expect(place > start.count || bit > 2 || !reading.warnings.isEmpty, "bit \(bit): \(reading.warnings)")
            }
        }
    }

    @Test("is not a message outside of the chunks of another program, at a time that the summary has")
    func messageBesideChunks() throws {
        let start = FileRecord.magic + FileRecord.header("another") + FileRecord.channel(1, "/clock")
        let text = #"{"time":{"nsec":0,"sec":1}}"#
        let first = FileRecord.chunk(FileRecord.message(1, 0, 3, text))
        for time in UInt64(2)...6 {
            let data = FileRecord.finished(
                start + first + FileRecord.message(1, 1, time, text),
                summary: FileRecord.channel(1, "/clock") + FileRecord.statistics(messages: 2, times: 3...5))
            let reading = read(data)
            let isStated = (3...5).contains(time)
            #expect(reading.measurements.count == (isStated ? 2 : 1))
            #expect(reading.warnings.isEmpty == isStated, "\(time): \(reading.warnings)")
        }
    }

    @Test("at any bits loses no more than the chunks that are hit, and says so")
    func anywhere() throws {
        let recording = try recording()
        var random = SplitMix(seed: 11)
        var lost = 0
        for _ in 0..<400 {
            var data = recording.data
            var hit: Set<Int> = []
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 8..<data.count, using: &random)
                data[place] ^= 1 << (random.next() % 8)
                recording.chunk(at: place).map { _ = hit.insert($0) }
            }
            let reading = read(data)
            #expect(reading.error == nil)
            let missing = recording.missing(in: reading.measurements)
            #expect(missing.isSubset(of: hit), "\(hit) \(reading.warnings)")
            #expect(reading.measurements == recording.measurements(without: missing))
            #expect(missing.isEmpty || !reading.warnings.isEmpty)
            if !missing.isEmpty { lost += 1 }
            guard lost % 20 == 1, !reading.measurements.isEmpty else { continue }
            try? FileManager.default.removeItem(atPath: folder.file("new.mcap"))
            _ = try RecordingRecovery.run(folder.file("damaged.mcap"), to: folder.file("new.mcap"))
            let recovered = Reading(folder.file("new.mcap"))
            // What is missing at the end alone, where the summary is damaged as well, looks like a cut.
            let isCut = !reading.warnings.contains { $0.contains("missing are") }
            #expect(recovered.warnings.count == (isCut ? 0 : 1), "\(reading.warnings) \(recovered.warnings)")
            #expect(recovered.measurements == reading.measurements)
        }
        #expect(lost > 100)
    }

    @Test("in a file that was cut short as well loses the chunk alone")
    func cut() throws {
        let recording = try recording()
        var data = recording.data.prefix(recording.chunks[3].range.upperBound - 1)
        data[recording.chunks[1].range.lowerBound + 2] ^= 1 << 6
        let reading = read(data)
        #expect(reading.warnings.count == 2 && reading.warnings[1].contains("cut short inside this chunk"))
        let whole = recording.measurements(without: [1])
        #expect(whole.starts(with: reading.measurements))
        #expect(reading.measurements.count > recording.chunks[..<3].reduce(0) { $0 + $1.measurements.count } / 3)
    }

    @Test("that fills a stretch with zeros goes on behind it")
    func zeros() throws {
        let recording = try recording()
        let (first, last) = (recording.chunks[1].range.lowerBound + 20, recording.chunks[3].range.lowerBound + 20)
        var data = recording.data
        data.replaceSubrange(first..<last, with: Data(count: last - first))
        #expect(read(data).measurements == recording.measurements(without: [1, 2, 3]))
    }

    @Test("at many places is reported in a few lines")
    func manyPlaces() throws {
        let recording = try ChunkedRecording(smallWalk(seconds: 60), in: folder)
        var data = recording.data
        for chunk in recording.chunks.enumerated().filter({ $0.offset % 2 == 1 }) {
            data[chunk.element.range.lowerBound + 100] ^= 1
        }
        let reading = read(data)
        #expect(reading.warnings.count == 10, "\(reading.warnings)")
        #expect(reading.warnings.contains { $0.hasSuffix("more damaged places") })
        #expect(reading.warnings.last?.contains("in all ") == true)
    }

    @Test("by chunks that promise much costs no more than the file is worth")
    func promises() throws {
        let recording = try recording()
        let header = recording.data[recording.chunks[0].range].prefix(53)
        var bad = Data(header)
        // 64 MiB, unpacked of nothing.
        bad.replaceSubrange(25..<33, with: [0, 0, 0, 4, 0, 0, 0, 0])
        bad.replaceSubrange(1..<9, with: [44, 0, 0, 0, 0, 0, 0, 0])
        bad.replaceSubrange(45..<53, with: [0, 0, 0, 0, 0, 0, 0, 0])
        var data = recording.data.prefix(recording.chunks[0].range.lowerBound)
        for _ in 0..<20_000 { data += bad }
        let reading = read(data)
        #expect(reading.error == nil && reading.measurements.isEmpty && !reading.warnings.isEmpty)
        let budget = UInt64(64 * (data.count + 16 << 20))
        #expect((budget..<(budget + 65 << 20)).contains(reading.wasted), "\(reading.wasted)")
    }

    @Test("by records that reach far costs no more than the file is worth")
    func reach() throws {
        let chunk = FileRecord.chunk(FileRecord.record(0x80, Data()))
        let (count, size) = (8000, 9 + chunk.count)
        var data = try recording().data.prefix(8)
        for index in 0..<count {
            // All end at the same place, where no record is: each is read up to there, and the next chunk after that.
            data += [FileRecord.channel] + FileRecord.integer(UInt64((count - index) * size - 9)) + chunk
        }
        data += Data(count: 100)
        let reading = read(data)
        #expect(reading.error == nil && reading.measurements.isEmpty && !reading.warnings.isEmpty)
        let budget = UInt64(64 * (data.count + 16 << 20))
        #expect((budget..<(budget + 1 << 20)).contains(reading.wasted), "\(reading.wasted)")
    }

    @Test("leaves the next sound chunk to be found at any distance")
    func distance() throws {
        let recording = try recording()
        let (first, second) = (recording.chunks[0], recording.chunks[1])
        for distance in 4000...4100 {
            let reading = read(
                recording.data.prefix(first.range.upperBound) + Data(count: distance) + recording.data[second.range])
            #expect(reading.measurements == Array(first.measurements + second.measurements), "at \(distance) bytes")
        }
    }

    @Test("is not left by a chunk without a checksum, which nothing shows to be sound", arguments: [true, false])
    func checksum(hasChecksum: Bool) throws {
        let recording = try recording()
        let records =
            FileRecord.channel(900, "/clock") + FileRecord.message(900, 0, 0, #"{"time":{"nsec":5,"sec":1}}"#)
        let reading = read(
            recording.data.prefix(recording.chunks[0].range.lowerBound) + Data(count: 20)
                + FileRecord.chunk(records, hasChecksum: hasChecksum))
        #expect(reading.measurements == (hasChecksum ? [.clock(BootTime(nanoseconds: 1_000_000_005))] : []))
    }

    @Test("in the chunk with a channel leaves the channel to the summary", .enabled(if: Python.has("mcap")))
    func channelInChunk() throws {
        let script = """
            import sys
            from mcap.writer import Writer, CompressionType
            with open(sys.argv[1], "wb") as file:
                writer = Writer(file, compression=CompressionType.NONE, chunk_size=200)
                writer.start()
                schema = writer.register_schema(name="x", encoding="jsonschema", data=b"{}")
                clock = writer.register_channel(topic="/clock", message_encoding="json", schema_id=schema)
                for i in range(100):
                    data = b'{"time":{"nsec":%d,"sec":1}}' % i
                    writer.add_message(channel_id=clock, log_time=i, publish_time=i, data=data)
                writer.finish()
            """
        _ = try Python.run(script, folder.file("other.mcap"))
        var data = folder.read("other.mcap")
        let first = try #require(FileRecord.all(in: data).first { $0.opcode == FileRecord.chunk })
        data[first.range.lowerBound + 100] ^= 1
        let reading = read(data)
        #expect((80..<100).contains(reading.measurements.count))
        #expect(reading.measurements.last == .clock(BootTime(nanoseconds: 1_000_000_099)))
        let missing = 100 - reading.measurements.count
        let text = "\(missing) messages (/clock \(missing))"
        #expect(reading.warnings.contains { $0.contains(text) }, "\(reading.warnings)")
    }

    // MARK: - Recovery

    @Test("is no more in a recovered file, which has all that the damaged one gives")
    func recovered() throws {
        let recording = try recording()
        var data = recording.data
        data[recording.chunks[1].range.lowerBound + 100] ^= 1
        data[recording.chunks[3].range.lowerBound + 3] ^= 1
        folder.write(data, to: "damaged.mcap")
        let outcome = try RecordingRecovery.run(folder.file("damaged.mcap"), to: folder.file("new.mcap"))
        #expect(outcome.warnings.count == 3)
        #expect(outcome.bytes == UInt64(folder.read("new.mcap").count))
        let reading = Reading(folder.file("new.mcap"))
        #expect(reading.error == nil && reading.warnings == [warning("new.mcap", "2 places are")])
        #expect(reading.measurements == recording.measurements(without: [1, 3]))
        #expect(folder.read("new.mcap").range(of: Data("missing_messages".utf8)) != nil)
    }

    @Test("of an index, where no message is missing, leaves a copy that is read without a warning")
    func recoveredIndex() throws {
        let recording = try recording()
        var data = recording.data
        let index = try #require(FileRecord.all(in: data).first { $0.opcode == FileRecord.messageIndex })
        // Its length, by which what follows is lost until the next record is found.
        data[index.range.lowerBound + 7] ^= 1
        folder.write(data, to: "damaged.mcap")
        let outcome = try RecordingRecovery.run(folder.file("damaged.mcap"), to: folder.file("new.mcap"))
        #expect(outcome.warnings.count == 1 && outcome.warnings[0].contains("without a message in them"))
        let reading = Reading(folder.file("new.mcap"))
        #expect(reading.warnings == [] && reading.measurements == recording.measurements(without: []))
    }

    private func warning(_ name: String, _ places: String) -> String {
        "\(folder.file(name)): recovered from a damaged recording: \(places) missing; the poses may differ from those "
            + "that were recorded"
    }

    @Test("at the beginning is named by the recovery, and by each copy with what it lacks in all")
    func recoveredAgain() throws {
        let recording = try recording()
        var data = recording.data
        data[recording.chunks[0].range.lowerBound + 100] ^= 1
        folder.write(data, to: "damaged.mcap")
        let outcome = try RecordingRecovery.run(folder.file("damaged.mcap"), to: folder.file("first.mcap"))
        #expect(outcome.warnings.contains { $0.contains("the beginning is missing; the poses are not") })
        let second = try RecordingRecovery.run(folder.file("first.mcap"), to: folder.file("second.mcap"))
        #expect(second.warnings == [warning("first.mcap", "1 place is")])
        #expect(Reading(folder.file("second.mcap")).warnings == [warning("second.mcap", "1 place is")])
        data = folder.read("second.mcap")
        let chunk = try #require(FileRecord.all(in: data).filter { $0.opcode == FileRecord.chunk }.dropFirst().first)
        data[chunk.range.lowerBound + 100] ^= 1
        folder.write(data, to: "damaged.mcap")
        _ = try RecordingRecovery.run(folder.file("damaged.mcap"), to: folder.file("third.mcap"))
        #expect(Reading(folder.file("third.mcap")).warnings == [warning("third.mcap", "2 places are")])
    }

    @Test("is not what leaves out messages of unknown topics: they are counted")
    func otherTopics() throws {
        let recording = try recording()
        let messages = (0..<3).map { FileRecord.message(900, UInt32($0), 0, "{}") }.reduce(Data(), +)
        folder.write(
            recording.data.prefix(recording.chunks[0].range.upperBound)
                + FileRecord.chunk(FileRecord.channel(900, "/other") + messages), to: "more.mcap")
        let outcome = try RecordingRecovery.run(folder.file("more.mcap"), to: folder.file("new.mcap"))
        #expect(outcome.others == 3)
        #expect(Reading(folder.file("new.mcap")).measurements == Array(recording.chunks[0].measurements))
    }

    @Test("does not lie in times that jump, which make no chunk of each message")
    func jumpingTimes() throws {
        let messages = (0..<2000).map { FileRecord.message(900, $0, $0 % 2 == 0 ? 0 : 1 << 62, "{}") }
        let data = try recording().data.prefix(8)
        folder.write(
            data + FileRecord.chunk(messages.reduce(FileRecord.channel(900, "/clock"), +)), to: "jumping.mcap")
        let outcome = try RecordingRecovery.run(folder.file("jumping.mcap"), to: folder.file("new.mcap"))
        let chunks = FileRecord.all(in: folder.read("new.mcap")).filter { $0.opcode == FileRecord.chunk }
        #expect(outcome.messages == 2000 && chunks.count < 20)
    }

    @Test("is not found in a whole file, whose copy has the same messages")
    func recoveredWhole() throws {
        let recording = try recording()
        folder.write(recording.data, to: "whole.mcap")
        let outcome = try RecordingRecovery.run(folder.file("whole.mcap"), to: folder.file("new.mcap"))
        #expect(outcome.warnings.isEmpty)
        #expect(Reading(folder.file("new.mcap")).measurements == recording.measurements)
        _ = try RecordingRecovery.run(folder.file("new.mcap"), to: folder.file("again.mcap"))
        #expect(folder.read("again.mcap") == folder.read("new.mcap"))
    }

    @Test("that leaves nothing makes no file, nor does a file that is in the way")
    func nothingRecovered() throws {
        let recording = try recording()
        folder.write(recording.data.prefix(recording.chunks[0].range.lowerBound), to: "empty.mcap")
        folder.write("no recording at all", to: "other.mcap")
        for name in ["empty.mcap", "other.mcap"] {
            #expect(throws: RecordingError.self) {
                try RecordingRecovery.run(folder.file(name), to: folder.file("new.mcap"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file("new.mcap")))
        }
        folder.write(recording.data, to: "whole.mcap")
        #expect(throws: RecordingError.self) {
            try RecordingRecovery.run(folder.file("whole.mcap"), to: folder.file("other.mcap"))
        }
        #expect(folder.read("other.mcap") == Data("no recording at all".utf8))
    }
}
