import Bridges
import Geometry
import Testing
import WaymarkInterface

@Suite("Heading for net.hadess.SensorProxy.Compass")
struct CompassHeadingTests {
    /// Difference of two headings that rounding explains. Unit: degrees.
    private static let tolerance = 1e-6

    private static func heading(_ poses: PoseInterface.Pose...) -> Double? {
        var compass = CompassHeading()
        return poses.map { compass.update($0) }.last ?? nil
    }

    private static func agree(_ heading: Double?, _ expected: Double, within limit: Double = tolerance) -> Bool {
        guard let heading, (0..<360).contains(heading) else { return false }
        return (heading - expected).remainder(dividingBy: 360).magnitude <= limit
    }

    @Test("north is 0, east 90, south 180 and west 270, as the interface documents")
    func quarters() {
        for azimuth in [0.0, 90, 180, 270] {
            #expect(Self.agree(Self.heading(SensorProxyPoses.pose(azimuth: azimuth)), azimuth))
        }
    }

    @Test("up to an inclination of 50° the heading is that of the pose, however the head is rolled")
    func upright() {
        for azimuth in stride(from: 0.0, to: 360, by: 17) {
            for lean in stride(from: -45.0, through: 45, by: 15) {
                for roll in stride(from: -40.0, through: 40, by: 20) {
                    let pose = SensorProxyPoses.pose(azimuth: azimuth, leantBack: lean, rolled: roll, north: 12)
                    #expect(Self.agree(Self.heading(pose), pose.heading!))
                }
            }
        }
    }

    @Test("the heading of a display that lies on its back is that of its top edge, as of a phone in a hand")
    func flat() {
        for azimuth in stride(from: 0.0, to: 360, by: 30) {
            for roll in stride(from: 0.0, to: 360, by: 30) {
                // Turned on the table: clockwise from above.
                let lying = SensorProxyPoses.pose(azimuth: azimuth, leantBack: 90, rolled: roll, north: 5)
                #expect(lying.heading == nil)
                let upright = SensorProxyPoses.pose(azimuth: azimuth, north: 5)
                #expect(Self.agree(Self.heading(upright, lying), azimuth + roll - 5))
            }
        }
    }

    @Test(
        "without roll, every inclination from looking down to looking up has one heading", arguments: [0.0, 100, 359])
    func inclinations(azimuth: Double) {
        var compass = CompassHeading()
        for lean in [0.0] + Array(stride(from: -90.0, through: 90, by: 1)) {
            let heading = compass.update(SensorProxyPoses.pose(azimuth: azimuth, leantBack: lean, north: 20))
            #expect(Self.agree(heading, azimuth - 20), "lean \(lean)°")
        }
    }

    @Test("with roll, the heading goes from the line of sight to the edge without a jump")
    func rolled() {
        for roll in [-60.0, -20, 20, 60] {
            var compass = CompassHeading()
            var last = compass.update(SensorProxyPoses.pose(rolled: roll))!
            for lean in stride(from: 0.0, through: 90, by: 0.5) {
                let heading = compass.update(SensorProxyPoses.pose(leantBack: lean, rolled: roll))!
                // All of a roll of 60° within 20° of inclination: at the most some degrees for each half degree.
                #expect((heading - last).remainder(dividingBy: 360).magnitude < 5, "roll \(roll)°, lean \(lean)°")
                last = heading
            }
        }
    }

    @Test("a heading from true north is given from magnetic north, by the declination of place and time")
    func declination() throws {
        // In Vancouver the declination is 15° to the east.
        let geo = PoseInterface.Geo(latitude: 49.28, longitude: -123.12, height: 50)
        let utc = try #require(UTCTime("2026-06-21T00:00:00Z"))
        let position = try #require(
            GeodeticPosition(latitudeDegrees: 49.28, longitudeDegrees: -123.12, ellipsoidalHeight: 50))
        let year = try #require(DecimalYear.of(utcSeconds: Double(utc.nanoseconds) / 1e9))
        let field = try #require(WorldMagneticModel.wmm2025.field(at: position, decimalYear: year))
        let declination = Angle.degrees(radians: field.declination)
        #expect((14.5...16).contains(declination))
        let pose = SensorProxyPoses.pose(azimuth: 100, reference: .trueNorth, geo: geo, utc: utc)
        #expect(Self.agree(Self.heading(pose), 100 - declination))
        // The position is lost, the declination is not.
        let lost = SensorProxyPoses.pose(azimuth: 5, reference: .trueNorth)
        #expect(Self.agree(Self.heading(pose, lost), 5 - declination))
    }

    @Test("a heading is unknown without north, and from true north without a declination")
    func unknown() {
        #expect(Self.heading(SensorProxyPoses.pose(reference: .none)) == nil)
        #expect(Self.heading(SensorProxyPoses.pose(reference: .trueNorth)) == nil)
        #expect(Self.heading(SensorProxyPoses.pose(leantBack: 90)) == nil)
        let upright = SensorProxyPoses.pose()
        #expect(Self.heading(upright, SensorProxyPoses.pose(reference: .none)) == nil)
        // Another scene frame: where north is in it was not seen yet.
        #expect(Self.heading(upright, SensorProxyPoses.pose(leantBack: 90, generation: 2)) == nil)
        #expect(Self.heading(upright, SensorProxyPoses.pose(leantBack: 90, generation: 1)) == 0)
    }

    @Test("an orientation that is none has no heading")
    func hostile() {
        var pose = SensorProxyPoses.pose()
        for value in [0.0, .nan, .infinity] {
            pose.orientation = PoseInterface.Quaternion(x: value, y: value, z: value, w: value)
            #expect(Self.heading(pose) == nil)
        }
    }
}
