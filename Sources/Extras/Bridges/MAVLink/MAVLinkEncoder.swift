import Geometry

/// A message of MAVLink's common set.
package protocol MAVLinkMessage: Sendable {
    static var identifier: UInt32 { get }
    /// CRC_EXTRA: a byte that is derived from the names and types of the fields. It is part of the checksum, so that a
    /// program that expects another layout refuses the message.
    static var checksumSeed: UInt8 { get }
    /// Appends the fields in wire order: the largest types first, then extensions.
    func write(into frame: inout MAVLinkEncoder)
}

/// Encodes frames of MAVLink 2, unsigned. It reuses one buffer, so that writing allocates nothing.
///
/// A frame is 0xFD, length, two bytes of flags, sequence number, system, component, 24 bits of the message's number,
/// payload without its trailing zeros, checksum; all little-endian. Source: "Packet Serialization" of the MAVLink guide
/// (mavlink.io/en/guide/serialization.html).
package struct MAVLinkEncoder: Sendable {
    package private(set) var bytes: [UInt8] = []

    private let system: UInt8
    private let component: UInt8
    private var sequence: UInt8 = 0

    private static let start: UInt8 = 0xFD
    private static let headerSize = 10
    private static let maximumFrameSize = 280

    /// - Parameters:
    ///   - system: number of the sending system, 1 to 255.
    ///   - component: number of the component within it.
    package init(system: UInt8, component: UInt8) {
        self.system = system
        self.component = component
        bytes.reserveCapacity(Self.maximumFrameSize)
    }

    /// Writes the next frame to `bytes`.
    package mutating func write(_ message: some MAVLinkMessage) {
        bytes.removeAll(keepingCapacity: true)
        let identifier = type(of: message).identifier
        append(Self.start)
        // Length, incompatibility and compatibility flags.
        append(UInt8(0))
        append(UInt16(0))
        append(sequence)
        append(system)
        append(component)
        append(UInt16(truncatingIfNeeded: identifier))
        append(UInt8(truncatingIfNeeded: identifier >> 16))
        message.write(into: &self)
        finish(seed: type(of: message).checksumSeed)
        sequence &+= 1
    }

    /// Removes trailing zeros, except for the first byte, and appends the checksum.
    private mutating func finish(seed: UInt8) {
        while bytes.count > Self.headerSize + 1, bytes.last == 0 { bytes.removeLast() }
        bytes[1] = UInt8(bytes.count - Self.headerSize)
        var checksum = MAVLinkChecksum()
        for index in 1..<bytes.count { checksum.take(bytes[index]) }
        checksum.take(seed)
        append(checksum.value)
    }
}

/// CRC-16/MCRF4XX, which MAVLink calls X.25: polynomial 0x1021, reflected, initial value all ones, not inverted.
struct MAVLinkChecksum {
    private(set) var value: UInt16 = 0xFFFF

    mutating func take(_ byte: UInt8) {
        value ^= UInt16(byte)
        for _ in 0..<8 { value = (value >> 1) ^ (value & 1 == 0 ? 0 : 0x8408) }
    }
}

extension MAVLinkEncoder {
    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { field in
            for byte in field { bytes.append(byte) }
        }
    }

    mutating func append(_ number: Double) { append(Float(number).bitPattern) }

    /// Appends the components in their order.
    mutating func append(_ vector: Vector3) {
        append(vector.x)
        append(vector.y)
        append(vector.z)
    }

    /// Appends w, x, y and z.
    mutating func append(_ rotation: Rotation3) {
        append(rotation.w)
        append(Vector3(rotation.x, rotation.y, rotation.z))
    }
}
