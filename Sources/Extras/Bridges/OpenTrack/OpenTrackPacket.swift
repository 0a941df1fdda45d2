import WaymarkInterface

/// Datagram of OpenTrack's protocol "UDP over network": six doubles, little-endian: x, y, z, yaw, pitch, roll.
///
/// Positions are in centimetres with x to the right, y up and z backwards. These are the scene's axes for a wearer who
/// faces north. Angles are in degrees and are applied in the order yaw, pitch, roll. Yaw is positive to the left, pitch
/// positive downwards, roll positive with the right side down. Source: XRLinuxDriver's listener (opentrack_listener.c),
/// which interprets the angles as z-y-x Euler angles of axes north, west and up.
package struct OpenTrackPacket: Hashable, Sendable {
    /// Size of a datagram. Unit: bytes.
    package static let size = 48

    package let numbers: [Double]

    private static let degrees = 180 / Double.pi
    /// Centimetres per metre.
    private static let centimetres = 100.0

    /// - Parameters:
    ///   - orientation: rotation from body to scene.
    ///   - position: position in the scene; nil sends zeros. Unit: metres.
    package init(orientation: PoseInterface.Quaternion, position: PoseInterface.Vector?) {
        let attitude = BodyAttitude(orientation)
        let metres: [Double] = position.map { [$0.x, $0.y, $0.z] } ?? [0, 0, 0]
        let angles: [Double] = [-attitude.yaw, -attitude.pitch, attitude.roll]
        numbers = metres.map { $0 * Self.centimetres } + angles.map { $0 * Self.degrees }
    }

    /// Writes the datagram.
    ///
    /// - Parameter buffer: `size` bytes.
    package func write(into buffer: UnsafeMutableRawBufferPointer) {
        for (index, number) in numbers.enumerated() {
            buffer.storeBytes(of: number.bitPattern.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
        }
    }
}
