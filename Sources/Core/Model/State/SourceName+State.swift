/// A name is encoded as the bytes of its text, four to a word, padded with zeros.
extension SourceName: WordCoded {
    private static let wordCount = maximumLength / 4

    package init(reading reader: StateReader) throws {
        var bytes: [UInt8] = []
        for _ in 0..<Self.wordCount {
            withUnsafeBytes(of: try reader.read(UInt32.self).littleEndian) { bytes += $0 }
        }
        let text = bytes.prefix { $0 != 0 }
        let name = SourceName(String(decoding: text, as: UTF8.self))
        try reader.require(name != nil && bytes.dropFirst(text.count).allSatisfy { $0 == 0 })
        self = name ?? .aid
    }

    package func write(to writer: StateWriter) throws {
        let bytes = Array(text.utf8) + Array(repeating: 0, count: Self.maximumLength - text.utf8.count)
        for start in stride(from: 0, to: Self.maximumLength, by: 4) {
            try writer.write(bytes[start..<(start + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
    }
}
