import Geometry
import Glibc
import Scene
import Testing

@Suite("Radar")
struct RadarTests {
    private func point(_ bearing: Double, _ heading: Double, _ distance: Double) -> (x: Double, y: Double) {
        Radar.point(
            bearing: Angle.radians(degrees: bearing), heading: Angle.radians(degrees: heading), distance: distance,
            range: 500)
    }

    @Test("behaviour 35: ahead is up, right is right")
    func directions() {
        let expected: [(Double, Double, Double, Double)] = [
            (30, 30, 0, 0.5), (120, 30, 0.5, 0), (210, 30, 0, -0.5), (300, 30, -0.5, 0), (350, 80, -0.5, 0),
        ]
        for (bearing, heading, x, y) in expected {
            let found = point(bearing, heading, 250)
            #expect(abs(found.x - x) < 1e-12 && abs(found.y - y) < 1e-12)
        }
    }

    @Test("behaviour 35: the same in all quadrants: turning the wearer turns the disc", arguments: UInt64(0)..<200)
    func turning(seed: UInt64) {
        var draws = Draws(state: seed)
        let (bearing, heading) = (draws.number(-720...720), draws.number(-720...720))
        let distance = draws.number(0...900)
        let found = point(bearing, heading, distance)
        #expect(abs(hypot(found.x, found.y) - min(1, distance / 500)) < 1e-12)
        let turn = Angle.radians(degrees: heading)
        let north = point(bearing, 0, distance)
        // Counter-clockwise by the heading.
        #expect(abs(found.x - (north.x * cos(turn) - north.y * sin(turn))) < 1e-11)
        #expect(abs(found.y - (north.x * sin(turn) + north.y * cos(turn))) < 1e-11)
    }

    @Test("behaviour 35: what is beyond the range lies on the rim, what is here in the middle")
    func rim() {
        let far = point(90, 0, 1e7)
        #expect(abs(far.x - 1) < 1e-12 && abs(far.y) < 1e-12)
        #expect(point(90, 0, 0) == (0, 0))
        #expect(Radar.point(bearing: 0, heading: 0, distance: 5, range: 0) == (0, 1))
    }
}
