import Foundation
import Model
import Recording

/// Place of a record in an MCAP file, with its head of nine bytes.
struct FileRecord {
    static let channel: UInt8 = 4
    static let chunk: UInt8 = 6
    static let messageIndex: UInt8 = 7
    static let dataEnd: UInt8 = 15

    var opcode: UInt8
    var range: Range<Int>

    static func all(in data: Data) -> [FileRecord] {
        var records: [FileRecord] = []
        var place = 8
        while place + 9 <= data.count {
            let length = data[(place + 1)..<(place + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
            records.append(FileRecord(opcode: data[place], range: place..<(place + 9 + length)))
            place += 9 + length
        }
        return records
    }
}

/// Records with any content.
extension FileRecord {
    static func integer<Value: FixedWidthInteger>(_ value: Value) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    static func record(_ opcode: UInt8, _ content: Data) -> Data {
        [opcode] + integer(UInt64(content.count)) + content
    }

    /// A chunk without compression.
    static func chunk(_ records: Data, hasChecksum: Bool = true) -> Data {
        let size = integer(UInt64(records.count))
        let checksum = integer(hasChecksum ? crc(records) : 0)
        let times = Data(repeating: 1, count: 16)
        return record(chunk, times + size + checksum + text("") + size + records)
    }

    static func channel(_ id: UInt16, _ name: String) -> Data {
        record(channel, integer(id) + integer(UInt16(0)) + text(name) + text("json") + integer(UInt32(0)))
    }

    /// Statistics of four chunks in which channel 1 has all messages.
    static func statistics(messages: UInt64, times: ClosedRange<UInt64>) -> Data {
        let counts = integer(UInt16(0)) + integer(UInt32(1)) + integer(UInt64(0)) + integer(UInt32(4))
        let channels = integer(UInt32(10)) + integer(UInt16(1)) + integer(messages)
        return record(
            11, integer(messages) + counts + integer(times.lowerBound) + integer(times.upperBound) + channels)
    }

    static let magic = Data([0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A])

    /// Header of the file of a program.
    static func header(_ program: String) -> Data { record(1, text("") + text(program)) }

    /// A file with its end: with a summary and its checksum.
    static func finished(_ data: Data, summary: Data) -> Data {
        let data = data + record(dataEnd, integer(UInt32(0)))
        let footer = [2] + integer(UInt64(20)) + integer(UInt64(data.count)) + integer(UInt64(0))
        return data + summary + footer + integer(crc(summary + footer)) + magic
    }

    static func message(_ channel: UInt16, _ sequence: UInt32, _ time: UInt64, _ data: String) -> Data {
        record(5, integer(channel) + integer(sequence) + integer(time) + integer(time) + Data(data.utf8))
    }

    private static func text(_ text: String) -> Data { integer(UInt32(text.utf8.count)) + Data(text.utf8) }

    /// CRC-32 bit by bit, independent of the reader's.
    private static func crc(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
        }
    }
}

/// A recording with the measurements of each of its chunks.
struct ChunkedRecording {
    let data: Data
    let records: [FileRecord]
    /// Places of the chunks, and the measurements in each.
    let chunks: [(range: Range<Int>, measurements: ArraySlice<Measurement>)]
    let measurements: [Measurement]

    init(_ measurements: [Measurement], in folder: TemporaryFolder) throws {
        _ = try RecordingImport.run(ListReader(measurements), to: folder.file("chunked.mcap"))
        let data = folder.read("chunked.mcap")
        records = FileRecord.all(in: data)
        var count = 0
        chunks = records.filter { $0.opcode == FileRecord.chunk }.map { record in
            folder.write(data.prefix(record.range.upperBound), to: "part.mcap")
            let before = count
            count = Reading(folder.file("part.mcap")).measurements.count
            return (record.range, measurements[before..<count])
        }
        (self.data, self.measurements) = (data, measurements)
    }

    /// End of what stands before the summary.
    var dataEnd: Int { records.first { $0.opcode == FileRecord.dataEnd }!.range.upperBound }

    /// What there is without some chunks.
    func measurements(without lost: Set<Int>) -> [Measurement] {
        chunks.indices.filter { !lost.contains($0) }.flatMap { chunks[$0].measurements }
    }

    /// Chunks of which the first measurement is not there.
    func missing(in found: [Measurement]) -> Set<Int> {
        Set(chunks.indices.filter { number in !found.contains { $0 == chunks[number].measurements.first } })
    }

    /// Number of the chunk at a place in the file.
    func chunk(at place: Int) -> Int? { chunks.firstIndex { $0.range.contains(place) } }
}
