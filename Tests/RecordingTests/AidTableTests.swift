import Geometry
import Model
import Recording
import Testing

@Suite("Tables of what other programs offer")
struct AidTableTests {
    private let folder = TemporaryFolder()
    private let place = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8.5, ellipsoidalHeight: 400)!
    private let placeAtZero = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8.5, ellipsoidalHeight: 0)!

    init() { folder.write("t_s,ax,ay,az,gx,gy,gz\n0,0,9.8,0,0,0,0\n", to: "imu.csv") }

    private func read() throws -> (aids: [AidMeasurement], warnings: [String]) {
        let reader = try SensorFolder(path: folder.path)
        var aids: [AidMeasurement] = []
        while let measurement = try reader.next() { if case .aid(let aid) = measurement { aids.append(aid) } }
        return (aids, reader.warnings.map { $0.replacingOccurrences(of: folder.path + "/", with: "") })
    }

    private func contents() throws -> [AidMeasurement.Content] { try read().aids.map(\.content) }

    private func time(_ seconds: Double) -> BootTime { BootTime(seconds: seconds)! }

    @Test("odometry: a quaternion of any length, reset and tracking where they are known")
    func odometry() throws {
        folder.write(
            """
            source,t_s,arrival_s,x_m,y_m,z_m,qw,qx,qy,qz,reset,tracking
            eye.2,1,1.5,1,2,3,0,2,0,0,7,0.5
            ,2,,1,2,3,1,0,0,0,,

            """, to: "odometry.csv")
        let turned = Rotation3(w: 0, x: 1, y: 0, z: 0)!
        let expected = [
            AidMeasurement(
                source: SourceName("eye.2")!, time: time(1), arrival: time(1.5),
                content: .odometry(
                    OdometryPose(position: Vector3(1, 2, 3), rotationOwnFromBody: turned, reset: 7, tracking: 0.5))),
            AidMeasurement(
                source: .camera, time: time(2), arrival: time(2),
                content: .odometry(
                    OdometryPose(position: Vector3(1, 2, 3), rotationOwnFromBody: .identity, reset: 0, tracking: 1))),
        ]
        let (aids, warnings) = try read()
        #expect(aids == expected && warnings.isEmpty)
    }

    @Test("a position without a height has none that counts, and one without its accuracy twice the horizontal one")
    func positions() throws {
        folder.write("t_s,lat_deg,lon_deg,alt_m,hacc_m,vacc_m\n1,47,8.5,400,3,4\n2,47,8.5,,3,\n", to: "positions.csv")
        #expect(
            try contents() == [
                .position(
                    OfferedPosition(position: place, hasHeight: true, horizontalAccuracy: 3, verticalAccuracy: 4)),
                .position(
                    OfferedPosition(
                        position: placeAtZero, hasHeight: false, horizontalAccuracy: 3, verticalAccuracy: 6)),
            ])
        #expect(try read().aids.allSatisfy { $0.source == .aid })
    }

    @Test("a sighting is of the sun, at a time or at that of the receiver, or of a point")
    func sightings() throws {
        folder.write(
            """
            t_s,target,dx,dy,dz,sd_deg,lat_deg,lon_deg,alt_m,utc_s
            1,sun,0,1,0,180,,,,1782000000.5
            2,sun,0,1,0,180,,,,
            3,landmark,0,1,0,180,47,8.5,400,
            4,,0,1,0,180,47,8.5,,

            """, to: "sightings.csv")
        let targets: [Sighting.Target] = [
            .sun(utcSeconds: 1_782_000_000.5), .sun(utcSeconds: nil), .point(place, hasHeight: true),
            .point(placeAtZero, hasHeight: false),
        ]
        let expected = targets.map {
            AidMeasurement.Content.sighting(
                Sighting(target: $0, directionInBody: Vector3(0, 1, 0), standardDeviation: .pi))
        }
        #expect(try contents() == expected)
        #expect(try read().aids.allSatisfy { $0.source == .wearer })
    }

    @Test("ranges, headings and heights; angles are degrees")
    func scalars() throws {
        folder.write("t_s,lat_deg,lon_deg,alt_m,range_m,sd_m\n1,47,8.5,400,12,0.5\n", to: "ranges.csv")
        folder.write("t_s,heading_deg,sd_deg\n2,180,90\n", to: "headings.csv")
        folder.write("t_s,alt_m,sd_m\n3,400,2\n", to: "heights.csv")
        #expect(
            try contents() == [
                .range(BeaconRange(beacon: place, range: 12, standardDeviation: 0.5)),
                .heading(OfferedHeading(azimuth: .pi, standardDeviation: .pi / 2)),
                .height(OfferedHeight(height: 400, standardDeviation: 2)),
            ])
    }

    @Test("rows come in order of arrival, and those that arrive together in that of the table")
    func order() throws {
        folder.write(
            "t_s,arrival_s,alt_m,sd_m\n1,9,1,1\n2,3,2,1\n5,,3,1\n4,5,4,1\n", to: "heights.csv")
        let expected = [2.0, 3, 4, 1].map {
            AidMeasurement.Content.height(OfferedHeight(height: $0, standardDeviation: 1))
        }
        #expect(try contents() == expected)
    }

    @Test(
        "a row without what is needed is left out and counted",
        arguments: [
            ("heights", "t_s,alt_m,sd_m,source\n1,2,3,No\n", "t_s, alt_m, sd_m"),
            ("heights", "t_s,alt_m,sd_m,source\n1,2,3,a-name-of-too-many\n", "t_s, alt_m, sd_m"),
            ("heights", "t_s,alt_m,sd_m\n1,2,\n", "t_s, alt_m, sd_m"),
            (
                "sightings", "t_s,target,dx,dy,dz,sd_deg,lat_deg,lon_deg\n1,moon,0,1,0,1,47,8\n",
                "t_s, dx, dy, dz, sd_deg"
            ),
            ("sightings", "t_s,target,dx,dy,dz,sd_deg\n1,landmark,0,1,0,1\n", "t_s, dx, dy, dz, sd_deg"),
            (
                "odometry", "t_s,x_m,y_m,z_m,qw,qx,qy,qz\n1,0,0,0,0,0,0,0\n",
                "t_s, x_m, y_m, z_m, qw, qx, qy, qz"
            ),
            (
                "odometry", "t_s,x_m,y_m,z_m,qw,qx,qy,qz,reset\n1,0,0,0,1,0,0,0,-1\n",
                "t_s, x_m, y_m, z_m, qw, qx, qy, qz"
            ),
        ])
    func incomplete(name: String, table: String, needed: String) throws {
        folder.write(table, to: "\(name).csv")
        let (aids, warnings) = try read()
        #expect(aids.isEmpty)
        #expect(warnings == ["\(name).csv:2: 1 row(s) left out from here on: \(needed) are needed"])
    }

    @Test("a row out of range is left out and counted, and a table without a needed column refused")
    func outOfRange() throws {
        folder.write("t_s,dx,dy,dz,sd_deg,target\n1,0,3,0,1,sun\n2,0,1,0,0,sun\n", to: "sightings.csv")
        let (aids, warnings) = try read()
        #expect(aids.isEmpty)
        #expect(
            warnings == ["sightings.csv:2: 2 row(s) left out from here on: beyond the range of any sensor or receiver"])
        folder.write("t_s,alt_m\n", to: "heights.csv")
        #expect(throws: RecordingError.self) { try read() }
    }

    @Test("what a folder gives, its recording gives again")
    func imported() throws {
        folder.write("t_s,x_m,y_m,z_m,qw,qx,qy,qz\n0.5,1,2,3,.1,.2,.3,.4\n0.75,1,2,3,.7,0,.7,0\n", to: "odometry.csv")
        folder.write("t_s,lat_deg,lon_deg,hacc_m\n0.6,47.1,8.1,3\n", to: "positions.csv")
        folder.write("t_s,target,dx,dy,dz,sd_deg\n0.7,sun,0.6,0.8,0,1\n", to: "sightings.csv")
        _ = try RecordingImport.run(SensorFolder(path: folder.path), to: folder.file("a.mcap"))
        let reader = try SensorFolder(path: folder.path)
        var measurements: [Measurement] = []
        while let measurement = try reader.next() { measurements.append(measurement) }
        #expect(measurements.count { if case .aid = $0 { true } else { false } } == 4)
        #expect(Reading(folder.file("a.mcap")).measurements == measurements)
    }
}
