import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

@Suite("Journey")
struct JourneyTests {
    /// A level ride along a geodesic at constant speed, from a place near the pole, the antimeridian or neither.
    private struct Ride {
        var start: GeodeticPosition
        /// Clockwise from north. Unit: radians.
        var bearing = 1.1
        /// Unit: m/s.
        var speed = 60.0
        var seconds = 300

        func position(_ t: Double) -> GeodeticPosition? { start.destination(bearing: bearing, distance: speed * t) }

        /// Of travel, there and then.
        func heading(_ t: Double) -> Double? {
            guard let here = position(t) else { return nil }
            return t > 0 ? Geodesic(from: start, to: here).finalBearing : bearing
        }
    }

    private func feed(
        _ ride: Ride, to odometry: inout Odometry, _ emit: (PoseEstimate, FrameEstimate?) throws -> Void
    ) throws {
        let site = Site(position: ride.start, field: nil)
        for k in 0..<(ride.seconds * 50) {
            let t = Double(k) / 50
            let time = Fixture.time(t)
            let heading = try #require(ride.heading(t))
            let velocity = Vector3(sin(heading), cos(heading), 0) * ride.speed
            // East, north, up stay the body's axes: the little that they turn on the way is the filter's to find.
            let force = Vector3(0, 0, site.gravity) + 2 * site.earthRate.cross(velocity)
            odometry.feed(.specificForce(SpecificForceSample(time: time, force: force))) { _ in }
            var event: OdometryEvents?
            odometry.feed(.angularRate(AngularRateSample(time: time, rate: site.earthRate))) { event = $0 }
            if let event, let pose = event.pose { try emit(pose, event.frame) }
            guard k % 50 == 25 else { continue }
            odometry.feed(
                .fix(
                    GNSSFix(
                        epoch: time, arrival: time, utcSeconds: nil, position: try #require(ride.position(t)),
                        hasHeight: true, velocityENU: .init(east: velocity.x, north: velocity.y, up: 0),
                        positionSigma: .init(east: 2, north: 2, up: 3), velocitySigma: 0.2))
            ) { _ in }
        }
    }

    @Test(
        "east, north and up stay those of the place, over 18 km",
        arguments: [(47.0, 8.0), (-17.0, 179.95), (0.0, 0.0), (82.0, -40.0)])
    func origin(latitude: Double, longitude: Double) throws {
        let start = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 100))
        let ride = Ride(start: start)
        var odometry = Odometry(magneticModel: nil)
        var worst = 0.0
        var (places, alignments) = (0, 0)
        var last: PoseEstimate?
        var origins: [GeodeticPosition] = []
        try feed(ride, to: &odometry) { pose, frame in
            if let last { worst = max(worst, (pose.positionInScene - last.positionInScene).norm - 2 * ride.speed / 50) }
            last = pose
            #expect(pose.generation == 1)
            if let origin = frame?.origin, origins.last != origin { origins.append(origin) }
            guard pose.seconds > 20, let here = pose.geodetic else { return }
            let there = try #require(ride.position(pose.seconds))
            #expect(Geodesic(from: here, to: there).distance < 10)
            #expect(abs(here.ellipsoidalHeight - 100) < 3)
            places += 1
            // The alignment leads from the scene to the place, whatever the origin.
            guard let frame, let origin = frame.origin else { return }
            let turn = Rotation3.aboutZ(frame.target.yaw) * SceneFrame.rotationENUFromScene
            let point = turn * pose.positionInScene + frame.target.translation
            #expect((point - LocalTangentPlane(origin: origin).pointENU(of: here)).norm < 0.01)
            alignments += 1
        }
        #expect(places > 10_000 && alignments > 100)
        #expect(origins.count >= 4)
        // The scene goes on through each change of the origin.
        #expect(worst <= 0)
    }
}
