import Bridges
import Geometry
import Testing

@Suite("Orientation and tilt of a display for net.hadess.SensorProxy")
struct DeviceOrientationTests {
    /// Up in the body for a display that was upright, was rolled clockwise as its wearer sees it, and was then leant
    /// back. Unit: degrees.
    private static func up(rolledClockwise roll: Double = 0, leantBack lean: Double = 0) -> Vector3 {
        // The body is x right, y up, z towards the wearer: clockwise about the line of sight −z.
        let scene = Vector3(0, 1, 0)
        let rolled = Rotation3.about(Vector3(0, 0, -1), by: Angle.radians(degrees: roll))
        // The horizontal axis of the leaning points to the right of the wearer; the top edge moves away.
        let leant = Rotation3.about(Vector3(1, 0, 0), by: Angle.radians(degrees: -lean))
        return (leant * rolled).inverse * scene
    }

    private static func orientation(_ ups: Vector3...) -> ScreenOrientation {
        var device = DeviceOrientation()
        for up in ups { device.update(upInBody: up) }
        return device.orientation
    }

    private static func tilt(_ ups: Vector3...) -> ScreenTilt {
        var device = DeviceOrientation()
        for up in ups { device.update(upInBody: up) }
        return device.tilt
    }

    @Test("the word names the edge that points upwards")
    func edges() {
        // The edges lie along the axes of the body: top +y, right +x.
        #expect(Self.orientation(Vector3(0, 1, 0)) == .normal)
        #expect(Self.orientation(Vector3(0, -1, 0)) == .bottomUp)
        #expect(Self.orientation(Vector3(-1, 0, 0)) == .leftUp)
        #expect(Self.orientation(Vector3(1, 0, 0)) == .rightUp)
    }

    @Test("a quarter turn clockwise brings the left edge up, as a wearer sees it")
    func quarterTurns() {
        #expect(Self.orientation(Self.up(rolledClockwise: 90)) == .leftUp)
        #expect(Self.orientation(Self.up(rolledClockwise: 180)) == .bottomUp)
        #expect(Self.orientation(Self.up(rolledClockwise: 270)) == .rightUp)
    }

    @Test("the words are those that iio-sensor-proxy documents")
    func words() {
        #expect(
            ScreenOrientation.allCases.map(\.rawValue) == ["undefined", "normal", "bottom-up", "left-up", "right-up"])
        #expect(
            ScreenTilt.allCases.map(\.rawValue)
                == ["undefined", "vertical", "tilted-up", "tilted-down", "face-up", "face-down"])
    }

    @Test("a display that has lain flat from the beginning has no orientation, and one laid down keeps its own")
    func flat() {
        let onTable = Self.up(leantBack: 90)
        #expect(Self.orientation(onTable) == .undefined)
        #expect(Self.orientation(Self.up(rolledClockwise: 90), onTable) == .leftUp)
    }

    @Test("every roll and lean gives the upper edge, the last one, or none", arguments: [0.0, 20, 40, 54])
    func upperEdge(lean: Double) {
        for roll in stride(from: 0.0, to: 360, by: 1) {
            let up = Self.up(rolledClockwise: roll, leantBack: lean)
            let elevations: [(ScreenOrientation, Double)] = [
                (.normal, up.y), (.bottomUp, -up.y), (.leftUp, -up.x), (.rightUp, up.x),
            ]
            let highest = elevations.max { $0.1 < $1.1 }!.0
            let found = Self.orientation(up)
            #expect(found == highest || found == .undefined, "roll \(roll)°")
            // Within 55° − 45° of an edge's own quarter the edge is found, wherever the display is upright.
            let isDiagonal = (Angle.wrapped(Angle.radians(degrees: 4 * roll))).magnitude > Angle.radians(degrees: 138)
            if lean == 0, !isDiagonal { #expect(found == highest, "roll \(roll)°") }
        }
    }

    @Test("an orientation changes only beyond the diagonal, and back only beyond it on the other side")
    func hysteresis() {
        // The new edge is above 35° from a roll of 35°; the old one is no longer so from 57°.
        #expect(Self.orientation(Self.up(), Self.up(rolledClockwise: 56)) == .normal)
        #expect(Self.orientation(Self.up(), Self.up(rolledClockwise: 58)) == .leftUp)
        #expect(Self.orientation(Self.up(rolledClockwise: 90), Self.up(rolledClockwise: 34)) == .leftUp)
        #expect(Self.orientation(Self.up(rolledClockwise: 90), Self.up(rolledClockwise: 32)) == .normal)
    }

    @Test("noise of a degree about any attitude alternates between no two words")
    func noise() {
        for lean in stride(from: -90.0, through: 90, by: 5) {
            for roll in stride(from: 0.0, to: 360, by: 5) {
                var device = DeviceOrientation()
                var words: Set<String> = []
                // The first round may change once, from the beginning.
                for round in 0..<3 {
                    for noise in [0.9, -0.9] {
                        device.update(upInBody: Self.up(rolledClockwise: roll + noise, leantBack: lean - noise))
                        if round > 0 { words.insert(device.orientation.rawValue + device.tilt.rawValue) }
                    }
                }
                #expect(words.count == 1, "roll \(roll)°, lean \(lean)°: \(words)")
            }
        }
    }

    @Test("the tilt is that of the face: up on a table, down on its face, vertical upright")
    func tilts() {
        #expect(Self.tilt(Vector3(0, 0, 1)) == .faceUp)
        #expect(Self.tilt(Vector3(0, 0, -1)) == .faceDown)
        #expect(Self.tilt(Self.up()) == .vertical)
        #expect(Self.tilt(Self.up(rolledClockwise: 90)) == .vertical)
        #expect(Self.tilt(Self.up(leantBack: 45)) == .tiltedUp)
        #expect(Self.tilt(Self.up(leantBack: -45)) == .tiltedDown)
    }

    @Test("the limits of the tilt are 20° and 70°, passed by two degrees")
    func tiltLimits() {
        #expect(Self.tilt(Self.up(leantBack: 19)) == .vertical)
        #expect(Self.tilt(Self.up(leantBack: 21)) == .tiltedUp)
        #expect(Self.tilt(Self.up(leantBack: 69)) == .tiltedUp)
        #expect(Self.tilt(Self.up(leantBack: 71)) == .faceUp)
        #expect(Self.tilt(Self.up(), Self.up(leantBack: 21)) == .vertical)
        #expect(Self.tilt(Self.up(), Self.up(leantBack: 23)) == .tiltedUp)
        #expect(Self.tilt(Self.up(leantBack: 80), Self.up(leantBack: 69)) == .faceUp)
        #expect(Self.tilt(Self.up(leantBack: 80), Self.up(leantBack: 67)) == .tiltedUp)
    }
}
