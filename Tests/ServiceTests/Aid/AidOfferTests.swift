import Geometry
import Messages
import Model
import Service
import Testing
import WaymarkInterface

@Suite("Offers of measurements as what the estimator takes")
struct AidOfferTests {
    private static let time = AidInterface.Time(nanoseconds: 100_000_000_000)

    private func message(_ rotation: Rotation3) -> AidInterface.Quaternion {
        AidInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w)
    }

    private func odometry(
        position: Vector3 = .zero, _ rotation: Rotation3 = .identity, reset: Int? = nil, tracking: Double? = nil
    ) -> AidInterface.OfferOdometry {
        AidInterface.OfferOdometry(
            source: "camera", time: Self.time, position: position.message, orientation: message(rotation), reset: reset,
            tracking: tracking)
    }

    private func pose(_ content: AidMeasurement.Content) throws -> OdometryPose {
        guard case .odometry(let pose) = content else { throw AidInterface.Failure.outOfRange(field: "content") }
        return pose
    }

    @Test(
        "the pose of a sensor becomes that of the board: turned with the board, both see the same points",
        arguments: [Vector3(0.3, -1.2, 0.4), Vector3(2, 0.1, -0.7), .zero])
    func odometryOfMount(turn: Vector3) throws {
        let rotationBodyFromSensor = Rotation3.exp(Vector3(0.1, 0.7, -1.9))
        let lever = Vector3(0.05, -0.02, 0.11)
        let mount = try AidSensorMount(
            AidInterface.AidMount(rotation: message(rotationBodyFromSensor), leverArm: lever.message))
        let (rotationOwnFromBody, board) = (Rotation3.exp(turn), Vector3(3, 1.5, -8))
        let sensor = board + rotationOwnFromBody * lever
        let found = try pose(
            odometry(position: sensor, rotationOwnFromBody * rotationBodyFromSensor).content(mount))
        // Doubles of a dozen metres.
        #expect((found.position - board).norm < 1e-13)
        #expect((found.rotationOwnFromBody * rotationOwnFromBody.inverse).log.norm < 1e-13)
        // A point in axes of the sensor, by way of the body and directly.
        let point = Vector3(0.2, 0.3, -4)
        let inBody = lever + rotationBodyFromSensor * point
        let direct = sensor + rotationOwnFromBody * rotationBodyFromSensor * point
        #expect((found.position + found.rotationOwnFromBody * inBody - direct).norm < 1e-13)
    }

    @Test("without a mount the pose is the board's own, of frame 0 and tracked")
    func plainOdometry() throws {
        let rotation = Rotation3.exp(Vector3(0.3, -1.2, 0.4))
        let found = try pose(odometry(position: Vector3(1, 2, 3), rotation).content(try AidSensorMount(nil)))
        #expect(found.position == Vector3(1, 2, 3) && found.reset == 0 && found.tracking == 1)
        #expect((found.rotationOwnFromBody * rotation.inverse).log.norm < 1e-15)
    }

    @Test("a sighting is turned into axes of the body, and its accuracy is in radians")
    func sighting() throws {
        let mount = try AidSensorMount(
            AidInterface.AidMount(rotation: message(.about(Vector3(0, 1, 0), by: .pi / 2)), leverArm: nil))
        let offer = AidInterface.OfferSighting(
            source: "camera", time: Self.time, direction: Vector3(0, 0, -1.005).message, point: nil, sun: true,
            accuracy: 2)
        guard case .sighting(let found) = try offer.content(mount) else {
            throw AidInterface.Failure.outOfRange(field: "")
        }
        #expect((found.directionInBody - Vector3(-1, 0, 0)).norm < 1e-15)
        #expect(found.standardDeviation == 2 * .pi / 180 && found.target == .sun(utcSeconds: nil))
    }

    @Test("a position without a height has none that counts, and the height's accuracy follows the other by default")
    func position() throws {
        func offered(_ height: Double?, _ vertical: Double?) throws -> OfferedPosition {
            let offer = AidInterface.OfferPosition(
                source: "marker", time: Self.time,
                position: AidInterface.Location(latitude: 47, longitude: 8, height: height), horizontalAccuracy: 0.5,
                verticalAccuracy: vertical)
            guard case .position(let found) = try offer.content(try AidSensorMount(nil)) else {
                throw AidInterface.Failure.outOfRange(field: "content")
            }
            return found
        }
        #expect(try !offered(nil, nil).hasHeight && offered(0, nil).hasHeight)
        #expect(try offered(450, nil).verticalAccuracy == 1 && offered(450, 3).verticalAccuracy == 3)
        #expect(try offered(450, 3).position.ellipsoidalHeight == 450)
    }

    @Test("a heading is in degrees on the wire")
    func heading() throws {
        let offer = AidInterface.OfferHeading(source: "dual", time: Self.time, heading: 90, accuracy: 1)
        let expected = OfferedHeading(azimuth: .pi / 2, standardDeviation: .pi / 180)
        #expect(try offer.content(try AidSensorMount(nil)) == .heading(expected))
    }

    @Test(
        "a quaternion whose length is off by more than 1 % is refused by name, of a mount too",
        arguments: [0, 0.98, 1.02, 1e200])
    func rotations(length: Double) throws {
        let quaternion = AidInterface.Quaternion(x: 0, y: length, z: 0, w: 0)
        var offer = odometry()
        offer.orientation = quaternion
        #expect(throws: AidInterface.Failure.invalidRotation(field: "orientation")) {
            try offer.content(try AidSensorMount(nil))
        }
        #expect(throws: AidInterface.Failure.invalidRotation(field: "bodyFromSensor.rotation")) {
            try AidSensorMount(AidInterface.AidMount(rotation: quaternion, leverArm: nil))
        }
        offer.orientation = AidInterface.Quaternion(x: 0, y: 0.995, z: 0, w: 0)
        #expect(try pose(offer.content(try AidSensorMount(nil))).rotationOwnFromBody.y == 1)
    }

    @Test("a lever arm longer than any wearer is refused")
    func leverArm() {
        #expect(throws: AidInterface.Failure.outOfRange(field: "bodyFromSensor.leverArm")) {
            try AidSensorMount(AidInterface.AidMount(rotation: nil, leverArm: Vector3(0, 21, 0).message))
        }
    }

    @Test("a value out of range is refused with the name of its parameter")
    func fields() throws {
        let mount = try AidSensorMount(nil)
        func field(_ offer: some AidOffer) -> String? {
            do throws(AidInterface.Failure) {
                _ = try offer.content(mount)
            } catch {
                if case .outOfRange(let field) = error { return field }
            }
            return nil
        }
        #expect(field(odometry(reset: -1)) == "reset" && field(odometry(reset: 1 << 32)) == "reset")
        #expect(field(odometry(tracking: 1.5)) == "tracking")
        var position = AidInterface.OfferPosition(
            source: "marker", time: Self.time, position: AidInterface.Location(latitude: 91, longitude: 8, height: nil),
            horizontalAccuracy: 0.5, verticalAccuracy: nil)
        #expect(field(position) == "position")
        position.position.latitude = 47
        position.verticalAccuracy = 0
        #expect(field(position) == "verticalAccuracy")
        position.horizontalAccuracy = -1
        #expect(field(position) == "horizontalAccuracy")
        var sighting = AidInterface.OfferSighting(
            source: "camera", time: Self.time, direction: Vector3(0, 0, -1).message, point: nil, sun: nil, accuracy: 1)
        #expect(field(sighting) == "point")
        sighting.point = AidInterface.Location(latitude: 47, longitude: 8, height: nil)
        #expect(field(sighting) == nil)
        sighting.sun = true
        #expect(field(sighting) == "point")
        sighting.accuracy = 181
        sighting.sun = nil
        #expect(field(sighting) == "accuracy")
        sighting.direction = Vector3(0, 0, -2).message
        #expect(field(sighting) == "direction")
        let beacon = AidInterface.Geo(latitude: 47, longitude: 8, height: 450)
        let range = AidInterface.OfferRange(source: "uwb", time: Self.time, beacon: beacon, range: -1, accuracy: 1)
        #expect(field(range) == "range")
        let height = AidInterface.OfferHeight(source: "floor", time: Self.time, height: 450, accuracy: 0)
        #expect(field(height) == "accuracy")
    }
}
