import Geometry
import Model
import Recording
import Testing

@Suite("What another program offered, as a message of a recording")
struct AidScannerTests {
    private static let head =
        #""source":"beacon-1","time":{"sec":1,"nsec":2},"arrival":{"sec":3,"nsec":4},"more":[true,{"x":null}]"#
    private static let place = #""latitude":47,"longitude":8,"height":500,"hasHeight":true"#
    private static let pose =
        #""position":{"x":1,"y":2,"z":3},"orientation":{"x":0.6,"y":0,"z":0,"w":0.8},"reset":7,"tracking":1"#

    private func read(_ topic: Topic, _ text: String) -> Result<Measurement?, JSONScanner.Problem> {
        var geoid = ReceiverGeoid()
        return scanned(topic, Array(text.utf8), geoid: &geoid)
    }

    private func content(_ topic: Topic, _ members: String) throws -> AidMeasurement.Content {
        let measurement = try #require(try read(topic, "{\(Self.head),\(members)}").get())
        guard case .aid(let aid) = measurement else { throw RecordingError.notARecording(path: "", reason: "no offer") }
        #expect(aid.source == SourceName("beacon-1") && aid.time == BootTime(nanoseconds: 1_000_000_002))
        #expect(aid.arrival == BootTime(nanoseconds: 3_000_000_004) && Topic(measurement) == topic)
        return aid.content
    }

    @Test("is read from any program, each kind in its topic, members that are not known passed over")
    func kinds() throws {
        let place = try #require(GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 500))
        let rotation = try #require(Rotation3(w: 0.8, x: 0.6, y: 0, z: 0))
        #expect(
            try content(.aidOdometry, Self.pose)
                == .odometry(
                    OdometryPose(position: Vector3(1, 2, 3), rotationOwnFromBody: rotation, reset: 7, tracking: 1)))
        #expect(
            try content(.aidPosition, Self.place + #","horizontalAccuracy":3,"verticalAccuracy":4"#)
                == .position(
                    OfferedPosition(position: place, hasHeight: true, horizontalAccuracy: 3, verticalAccuracy: 4)))
        let direction = #","direction":{"x":0,"y":0,"z":-1},"standardDeviation":0.5"#
        func sighting(_ target: Sighting.Target) -> AidMeasurement.Content {
            .sighting(Sighting(target: target, directionInBody: Vector3(0, 0, -1), standardDeviation: 0.5))
        }
        #expect(try content(.aidSighting, #""target":"sun""# + direction) == sighting(.sun(utcSeconds: nil)))
        #expect(
            try content(.aidSighting, #""target":"sun","utcSeconds":9.5"# + direction)
                == sighting(.sun(utcSeconds: 9.5)))
        #expect(
            try content(.aidSighting, #""target":"point","# + Self.place + direction)
                == sighting(.point(place, hasHeight: true)))
        #expect(
            try content(.aidRange, Self.place + #","range":12,"standardDeviation":0.5"#)
                == .range(BeaconRange(beacon: place, range: 12, standardDeviation: 0.5)))
        #expect(
            try content(.aidHeading, #""azimuth":1,"standardDeviation":0.5"#)
                == .heading(OfferedHeading(azimuth: 1, standardDeviation: 0.5)))
        #expect(
            try content(.aidHeight, #""height":1,"standardDeviation":0.5"#)
                == .height(OfferedHeight(height: 1, standardDeviation: 0.5)))
    }

    @Test(
        "is refused with the member that is not as it should be",
        arguments: [
            (Topic.aidHeight, #""height":1"#, "standardDeviation is missing"),
            (.aidHeight, #""height":1,"standardDeviation":1e999"#, "a number out of range"),
            (.aidHeight, #""height":1,"standardDeviation":1,"source":"Beacon""#, "source is no name"),
            (.aidHeight, #""height":1,"standardDeviation":1,"source":"""#, "source is no name"),
            (.aidHeight, #""height":1,"standardDeviation":1,"source":"a\u0062""#, "source is no name"),
            (.aidHeight, #""height":1,"standardDeviation":1,"source":"aaaaaaaaaaaaaaaaa""#, "source is no name"),
            (.aidHeight, #""height":1,"standardDeviation":1,"time":{"sec":1,"nsec":-1}"#, "the time is out of range"),
            (.aidPosition, place, "horizontalAccuracy is missing"),
            (.aidPosition, place + #","latitude":91,"horizontalAccuracy":3,"verticalAccuracy":4"#, "not on the earth"),
            (.aidPosition, place + #","hasHeight":1"#, "an unknown word"),
            (.aidSighting, #""target":"moon""#, "target is none of sun and point"),
            (
                .aidSighting, #""target":"point","direction":{"x":0,"y":0,"z":-1},"standardDeviation":0.5"#,
                "latitude is missing"
            ),
            (.aidOdometry, pose + #","orientation":{"x":0,"y":0,"z":0,"w":0}"#, "orientation is no rotation"),
            (.aidOdometry, pose + #","orientation":{"x":0,"y":0,"z":0,"w":1.001}"#, "orientation is no rotation"),
            (.aidOdometry, pose + #","orientation":{"x":0,"y":0,"z":0}"#, "w is missing"),
            (.aidOdometry, pose + #","reset":-1"#, "reset is out of range"),
            (.aidOdometry, pose + #","reset":4294967296"#, "reset is out of range"),
            (.aidOdometry, pose + #","reset":0.5"#, "not a whole number"),
        ])
    func refused(topic: Topic, members: String, problem: String) {
        guard case .failure(let found) = read(topic, "{\(Self.head),\(members)}") else {
            Issue.record("\(members) is taken")
            return
        }
        #expect(found.description.contains(problem))
    }

    @Test("out of the range of any is left out of a replay, and counted")
    func outOfRange() throws {
        let folder = TemporaryFolder()
        func height(_ deviation: Double) -> Measurement {
            .aid(
                AidMeasurement(
                    source: .aid, time: BootTime(nanoseconds: 1), arrival: BootTime(nanoseconds: 2),
                    content: .height(OfferedHeight(height: 1, standardDeviation: deviation))))
        }
        let counts = try RecordingImport.run(
            ListReader([height(1), height(0), height(-1), height(.nan)]), to: folder.file("a.mcap"))
        #expect(counts.messages == 3 && counts.dropped == 1)
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements == [height(1)])
        #expect(reading.warnings.first?.contains("2 measurement(s) left out") == true)
    }
}
