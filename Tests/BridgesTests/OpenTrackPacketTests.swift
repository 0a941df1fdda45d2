import Bridges
import Geometry
import Testing
import WaymarkInterface

@Suite("OpenTrack's datagram")
struct OpenTrackPacketTests {
    /// The orientation that a reader makes of a datagram as XRLinuxDriver does: z-y-x Euler angles of axes north, west
    /// and up, here turned into those of the scene (east, up, south) and of the body (right, up, backwards).
    private func decoded(_ numbers: [Double]) -> Rotation3 {
        let degrees = Double.pi / 180
        let (yaw, pitch, roll) = (numbers[3] * degrees, numbers[4] * degrees, numbers[5] * degrees)
        let up = Rotation3.about(Vector3(0, 0, 1), by: yaw)
        let west = Rotation3.about(Vector3(0, 1, 0), by: pitch)
        let north = Rotation3.about(Vector3(1, 0, 0), by: roll)
        let turn = up * west * north
        // East is −west, up is up, south is −north.
        return Rotation3(w: turn.w, x: -turn.y, y: turn.z, z: -turn.x)!
    }

    @Test("A reader of XRLinuxDriver's convention has the orientation of the pose")
    func rotation() {
        for (heading, pitch, roll) in [
            (0.0, 0.0, 0.0), (90, 0, 0), (0, 30, 0), (0, 0, 20), (-130, 45, -60), (179, -80, 170),
        ] {
            let wanted = orientation(heading: heading, pitch: pitch, roll: roll)
            let found = decoded(OpenTrackPacket(orientation: wanted, position: nil).numbers)
            let product = wanted.w * found.w + wanted.x * found.x + wanted.y * found.y + wanted.z * found.z
            #expect(abs(abs(product) - 1) < 1e-9, "heading \(heading), pitch \(pitch), roll \(roll)")
        }
    }

    @Test("A turn to the right has a negative yaw, a look up a negative pitch, a right side down a positive roll")
    func signs() {
        let numbers = OpenTrackPacket(orientation: orientation(heading: 30, pitch: 10, roll: 5), position: nil).numbers
        #expect(abs(numbers[3] + 30) < 1e-9 && abs(numbers[4] + 10) < 1e-9 && abs(numbers[5] - 5) < 1e-9)
    }

    @Test("The position is in centimetres, and zero where it is not wanted")
    func position() {
        let upright = orientation(heading: 0, pitch: 0, roll: 0)
        let place = PoseInterface.Vector(x: 1.5, y: -0.25, z: 100)
        #expect(OpenTrackPacket(orientation: upright, position: place).numbers[..<3] == [150, -25, 10_000])
        #expect(OpenTrackPacket(orientation: upright, position: nil).numbers[..<3] == [0, 0, 0])
    }

    @Test("The datagram is six little-endian doubles")
    func bytes() {
        var bytes = [UInt8](repeating: 0xFF, count: OpenTrackPacket.size)
        let packet = OpenTrackPacket(
            orientation: orientation(heading: 0, pitch: 0, roll: 0), position: PoseInterface.Vector(x: 0.01, y: 0, z: 0)
        )
        bytes.withUnsafeMutableBytes { packet.write(into: $0) }
        #expect(Array(bytes[..<8]) == [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        #expect(bytes[8..<16].allSatisfy { $0 == 0 })
    }
}
