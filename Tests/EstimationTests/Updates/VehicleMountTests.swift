import Geometry
import Glibc
import Testing

@Suite("Mount in a vehicle")
struct VehicleMountTests {
    /// Through curves at 14 m/s; the board is turned in the vehicle at 150 s, in a tunnel from 145 s on.
    private func drive(_ seed: UInt64, turned angle: Double) -> Drive {
        var drive = Drive(seconds: 165, seed: seed)
        drive.speed = { 14 * min(1, max(0, ($0 - 20) / 10)) }
        drive.course = { 0.4 * sin(0.12 * max(0, $0 - 21)) }
        drive.turnOfBoard = { angle * min(1, max(0, $0 - 150)) }
        drive.isSeen = { $0 < 145 }
        return drive
    }

    @Test("is forgotten where the board is turned without fixes", arguments: UInt64(1)...3)
    func takenOut(seed: UInt64) throws {
        let fixed = try #require(drive(seed, turned: 0).trace().filter)
        #expect(fixed.vehicleMount.forward != nil)
        for angle in [0.5, -1.2] {
            let turned = try #require(drive(seed, turned: angle).trace().filter)
            #expect(turned.vehicleMount.forward == nil)
        }
    }
}
