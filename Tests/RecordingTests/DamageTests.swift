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
            #expect(recovered.warnings.isEmpty && recovered.measurements == reading.measurements)
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
        #expect(reading.error == nil && reading.warnings.isEmpty)
        #expect(reading.measurements == recording.measurements(without: [1, 3]))
        #expect(folder.read("new.mcap").range(of: Data("missing_messages".utf8)) != nil)
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
