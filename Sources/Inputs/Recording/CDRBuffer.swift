/// Message in little-endian CDR, the encoding of ROS 2. Each number is aligned to its size, counted from the end of the
/// header.
///
/// Source: DDS-XTypes 1.3, section 7.4 (XCDR1), and DDSI-RTPS 2.5, section 10 (header).
struct CDRBuffer: Sendable {
    /// Header: the identifier of plain little-endian CDR, and the options.
    private static let header: [UInt8] = [0, 1, 0, 0]

    private(set) var bytes: [UInt8] = []

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes += Self.header
    }

    mutating func append(_ value: some FixedWidthInteger) {
        let size = value.bitWidth / 8
        while (bytes.count - Self.header.count) % size != 0 { bytes.append(0) }
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ value: Double) { append(value.bitPattern) }

    /// Appends a text; it must not contain NUL, which terminates it.
    mutating func append(text: String) {
        append(UInt32(text.utf8.count + 1))
        bytes += text.utf8
        bytes.append(0)
    }
}
