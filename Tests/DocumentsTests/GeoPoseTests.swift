import Documents
import Foundation
import Geometry
import JSON
import TestTools
import Testing

@Suite("GeoPose 1.0")
struct GeoPoseTests {
    private let position = GeodeticPosition(latitudeDegrees: -12.5, longitudeDegrees: 130, ellipsoidalHeight: 7.25)!

    private func object(_ json: JSONWriter) throws -> [String: [String: Double]] {
        try JSONDecoder().decode([String: [String: Double]].self, from: Data(json.bytes))
    }

    @Test("both forms have the standard's members and degrees")
    func members() throws {
        let rotation = Rotation3.about(Vector3(0, 0, 1), by: 0.5) * Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)
        var json = JSONWriter()
        GeoPose.writeYawPitchRoll(position, rotation, into: &json)
        let angles = try object(json)
        #expect(angles["position"] == ["lat": -12.5, "lon": 130, "h": 7.25])
        #expect(abs(angles["angles"]!["yaw"]! - 0.5 * 180 / .pi) < 1e-6)
        #expect(angles["angles"]!["pitch"] == 0 && angles["angles"]!["roll"] == 90)
        json.removeAll()
        GeoPose.writeQuaternion(position, rotation, into: &json)
        let quaternion = try #require(try object(json)["quaternion"])
        #expect(abs(quaternion["w"]! - rotation.w) < 1e-9 && abs(quaternion["y"]! - rotation.y) < 1e-9)
    }

    @Test("the rotation by the heading is the one by the yaw of the scene, however the body is held")
    func rotationByHeading() throws {
        var generator = SplitMix(seed: 5)
        var held = 0
        for _ in 0..<2000 {
            let rotation = Rotation3.exp(
                Vector3(
                    Double.random(in: -3...3, using: &generator), Double.random(in: -3...3, using: &generator),
                    Double.random(in: -3...3, using: &generator)))
            let yaw = Double.random(in: -720...720, using: &generator)
            let expected = GeoPose.rotationENUFromBody(rotation, sceneYawDegrees: yaw)
            let sight = expected * Vector3(0, 0, -1)
            // Within 3° of the vertical, poses have no heading.
            guard abs(sight.z) < cos(3 * .pi / 180) else { continue }
            held += 1
            let heading = atan2(sight.x, sight.y) * 180 / .pi
            let found = GeoPose.rotationENUFromBody(rotation, headingDegrees: heading)
            #expect((found.inverse * expected).log.norm < 1e-12)
        }
        #expect(held > 1900)
    }

    @Test("the angles build the rotation again, at the poles of pitch too")
    func anglesBuildRotation() {
        var generator = SplitMix(seed: 3)
        for index in 0..<2000 {
            let vector = Vector3(
                Double.random(in: -3...3, using: &generator), Double.random(in: -3...3, using: &generator),
                Double.random(in: -3...3, using: &generator))
            // Every tenth one looks straight up or down its x axis.
            let rotation =
                index % 10 == 0
                ? Rotation3.about(Vector3(0, 0, 1), by: vector.x)
                    * Rotation3.about(Vector3(0, 1, 0), by: index % 20 == 0 ? .pi / 2 : -.pi / 2)
                : Rotation3.exp(vector)
            let angles = GeoPose.yawPitchRoll(rotation)
            let built =
                Rotation3.about(Vector3(0, 0, 1), by: angles.yaw) * Rotation3.about(Vector3(0, 1, 0), by: angles.pitch)
                * Rotation3.about(Vector3(1, 0, 0), by: angles.roll)
            // Near the poles the angles are taken from lengths of 1e-9.
            #expect((built.inverse * rotation).log.norm < 1e-7)
        }
    }
}
