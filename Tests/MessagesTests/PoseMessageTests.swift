import CAllocations
import Foundation
import Geometry
import JSON
import Messages
import Model
import Testing

@Suite("Messages about the pose and the frame")
struct PoseMessageTests {
    @Test("a pose holds the names, units and values of the interface")
    func wholePose() throws {
        var json = JSONWriter()
        Samples.pose.message(sequence: 7, utcOffset: 1_782_000_000_000_000_000).write(into: &json)
        let message = try decode(WirePose.self, json.bytes)
        #expect(message.sequence == 7 && message.missed == nil && message.frame == "scene" && message.generation == 3)
        #expect(message.time == WireTime(sec: 12, nsec: 345_678_901))
        #expect(message.utc == "2026-06-21T00:00:12.345678Z")
        #expect(message.position == ["x": 1.5, "y": -2.25, "z": 1e-6])
        let rotation = Samples.pose.rotationSceneFromBody
        let expected = ["x": rotation.x, "y": rotation.y, "z": rotation.z, "w": rotation.w]
        // Nine decimals.
        for (axis, value) in expected { #expect(abs(message.orientation[axis]! - value) <= 0.51e-9) }
        #expect(message.linearVelocity == ["x": 1, "y": 0, "z": -1])
        #expect(message.angularVelocity == ["x": 0.01, "y": 0.02, "z": -0.03])
        #expect(message.tracking == ["orientation": "tracked", "position": "inferred"])
        #expect(message.geo == ["latitude": 47.123456789, "longitude": -8.987654321, "height": 432.1])
        #expect(abs(message.heading! - 90) < 1e-6 && message.headingReference == "trueNorth")
        // East 3, north 4: 36.87° clockwise from north, 5 m/s.
        #expect(abs(message.course! - 36.869_898) < 1e-6 && message.speed == 5)
        #expect(message.motion == WireMotion(mode: "foot", probability: 0.9876))
        #expect(message.accuracy.horizontalAccuracy == 2.5 && message.accuracy.verticalAccuracy == nil)
        #expect(abs(message.accuracy.orientationYawAccuracy! - 4.5) < 1e-9)
        #expect(message.accuracy.horizontalVelocityAccuracy == 0.25 && message.accuracy.verticalVelocityAccuracy == nil)
        #expect(message.accuracy.angularVelocityAccuracy == 0.004)
        #expect(message.state == "limited" && message.reasons == ["noGNSSData", "positionUncertain"])
        #expect(message.sources == ["inertial", "magnetometer", "steps"])
    }

    @Test("what is not known is absent: never null, never NaN")
    func unknownIsAbsent() throws {
        var pose = Samples.pose
        pose.geodetic = nil
        pose.velocityENU = nil
        pose.headingReference = .none
        pose.accuracy = PoseAccuracy(horizontal: nil, vertical: .nan, yaw: .infinity)
        pose.reasons = []
        pose.sources = []
        pose.motion = nil
        var json = JSONWriter()
        pose.message(sequence: 0).write(into: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(!text.contains("null") && !text.lowercased().contains("nan") && !text.contains("inf\""))
        let message = try decode(WirePose.self, json.bytes)
        #expect(message.utc == nil && message.geo == nil && message.heading == nil && message.course == nil)
        #expect(message.motion == nil)
        #expect(message.speed == nil && message.accuracy == WireAccuracy() && message.reasons.isEmpty)
    }

    @Test("the course is absent when slow and where north is not the true one")
    func course() throws {
        var slow = Samples.pose
        slow.velocityENU = Vector3(0.3, 0, 2)
        var magnetic = Samples.pose
        magnetic.headingReference = .magneticNorth
        for pose in [slow, magnetic] {
            var json = JSONWriter()
            pose.message(sequence: 0).write(into: &json)
            let message = try decode(WirePose.self, json.bytes)
            #expect(message.course == nil && message.speed != nil)
        }
    }

    @Test(
        "a kind of motion has the interface's word, and its probability four decimals",
        arguments: [(Motion.atRest, "rest", 0.5), (.onFoot, "foot", 0.98765), (.riding, "vehicle", 1)])
    func motion(kind: Motion, word: String, probability: Double) throws {
        var pose = Samples.pose
        pose.motion = MotionEstimate(kind: kind, probability: probability)
        var json = JSONWriter()
        pose.message(sequence: 0).write(into: &json)
        let motion = try #require(try decode(WirePose.self, json.bytes).motion)
        #expect(motion.mode == word && abs(motion.probability - probability) <= 0.51e-4)
        json.removeAll()
        json.precision = .exact
        pose.message(sequence: 0).write(into: &json)
        #expect(try decode(WirePose.self, json.bytes).motion == WireMotion(mode: word, probability: probability))
    }

    @Test("a motion of no probability is absent as a whole", arguments: [Double.nan, .infinity])
    func motionWithoutProbability(probability: Double) throws {
        var pose = Samples.pose
        pose.motion = MotionEstimate(kind: .onFoot, probability: probability)
        var json = JSONWriter()
        pose.message(sequence: 0).write(into: &json)
        #expect(try decode(WirePose.self, json.bytes).motion == nil)
    }

    @Test(
        "a writer that has written a pose writes the next without the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() {
        var json = JSONWriter()
        let pose = Samples.pose
        var taken: [UInt64] = [0, 0]
        for round in 0..<2 {
            json.removeAll()
            let before = waymark_allocations()
            pose.message(sequence: 7, utcOffset: 1_782_000_000_000_000_000).write(into: &json)
            taken[round] = waymark_allocations() - before
        }
        #expect(taken[0] > 0, "the counter counts")
        #expect(taken[1] == 0)
    }

    @Test("a heading just short of the full circle is 0, not 360", arguments: [2 * .pi - 1e-12, 2 * .pi, -1e-13])
    func headingWraps(heading: Double) throws {
        var pose = Samples.pose
        pose.rotationENUFromBody = Samples.rotation(heading: heading)
        var json = JSONWriter()
        pose.message(sequence: 0).write(into: &json)
        #expect(try decode(WirePose.self, json.bytes).heading == 0)
    }

    @Test("the count of missed messages goes in where the writer says")
    func insertion() throws {
        var json = JSONWriter()
        Samples.pose.message(sequence: 7).write(into: &json)
        let place = try #require(json.marks.first)
        var bytes = json.bytes
        bytes.insert(contentsOf: Array(",\"missed\":4".utf8), at: place)
        let message = try decode(WirePose.self, bytes)
        #expect(message.missed == 4 && message.sequence == 7)
    }

    @Test("times before boot count nanoseconds forward from the second")
    func negativeTime() throws {
        var pose = Samples.pose
        pose.time = BootTime(nanoseconds: -1_250_000)
        var json = JSONWriter()
        pose.message(sequence: 0).write(into: &json)
        #expect(try decode(WirePose.self, json.bytes).time == WireTime(sec: -1, nsec: 998_750_000))
    }

    @Test("the exact form gives every bit back")
    func exactForm() throws {
        var pose = Samples.pose
        pose.positionInScene = Vector3(0.1 + 0.2, 1e-300, -.pi * 1e12)
        var json = JSONWriter()
        json.precision = .exact
        pose.message(sequence: 0).write(into: &json)
        let position = try decode(WirePose.self, json.bytes).position
        #expect(position == ["x": 0.1 + 0.2, "y": 1e-300, "z": -.pi * 1e12])
    }

    @Test("a frame holds both alignments, and the end of the slew only while there is one")
    func frame() throws {
        let origin = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400)
        var frame = FrameEstimate(
            generation: 2, origin: origin, published: SceneAlignment(yaw: .pi / 2, translation: Vector3(1, 2, 3)),
            target: SceneAlignment(yaw: 0, translation: .zero), slewEnd: BootTime(nanoseconds: 5_000_000_001))
        var json = JSONWriter()
        frame.message(sequence: 9, time: BootTime(nanoseconds: 4_000_000_000)).write(into: &json)
        let place = try #require(json.marks.first)
        let message = try decode(WireFrame.self, json.bytes)
        #expect(message.published == ["yaw": 90, "east": 1, "north": 2, "up": 3])
        #expect(message.slewEnd == WireTime(sec: 5, nsec: 1) && message.origin?["height"] == 400)
        #expect(String(decoding: json.bytes[..<place], as: UTF8.self) == "{\"sequence\":9")
        #expect(message.causes == [] && message.mainCause == nil)
        #expect(message.before == ["yaw": 0, "east": 0, "north": 0, "up": 0], "nothing was announced before")
        frame.before.yaw = .pi
        frame.causes = [FrameCauses(.gnssVelocity), FrameCauses(.steps)]
        frame.mainCause = .steps
        json.removeAll()
        frame.message(sequence: 9, time: BootTime(nanoseconds: 4_000_000_000)).write(into: &json)
        let caused = try decode(WireFrame.self, json.bytes)
        #expect(caused.causes == ["gnssVelocity", "steps"] && caused.mainCause == "steps")
        #expect(caused.before["yaw"] == 180)
        frame.slewEnd = nil
        json.removeAll()
        frame.message(sequence: 10, time: BootTime(nanoseconds: 4_000_000_000)).write(into: &json)
        #expect(try decode(WireFrame.self, json.bytes).slewEnd == nil)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    @Test("a warm buffer is filled again in the same memory")
    func reuse() {
        var json = JSONWriter(capacity: 4096)
        Samples.pose.message(sequence: 1).write(into: &json)
        let place = json.bytes.withUnsafeBytes { $0.baseAddress }
        for sequence in 2..<100 {
            json.removeAll()
            Samples.pose.message(sequence: UInt64(sequence)).write(into: &json)
        }
        #expect(json.bytes.withUnsafeBytes { $0.baseAddress } == place)
    }
}

/// The interface's types as a client would write them down.
private struct WirePose: Decodable {
    var sequence: Int
    var missed: Int?
    var time: WireTime
    var utc: String?
    var frame: String
    var generation: Int
    var position: [String: Double]
    var orientation: [String: Double]
    var linearVelocity: [String: Double]
    var angularVelocity: [String: Double]
    var tracking: [String: String]
    var geo: [String: Double]?
    var heading: Double?
    var headingReference: String
    var course: Double?
    var speed: Double?
    var motion: WireMotion?
    var accuracy: WireAccuracy
    var state: String
    var reasons: [String]
    var sources: [String]
}

private struct WireTime: Decodable, Equatable {
    var sec: Int
    var nsec: Int
}

private struct WireMotion: Decodable, Equatable {
    var mode: String
    var probability: Double
}

private struct WireAccuracy: Decodable, Equatable {
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var orientationYawAccuracy: Double?
    var horizontalVelocityAccuracy: Double?
    var verticalVelocityAccuracy: Double?
    var angularVelocityAccuracy: Double?
}

private struct WireFrame: Decodable {
    var origin: [String: Double]?
    var published: [String: Double]
    var target: [String: Double]
    var slewEnd: WireTime?
    var before: [String: Double]
    var causes: [String]
    var mainCause: String?
}

enum Samples {
    /// Of a body that looks that way, upright: ENU from body.
    static func rotation(heading: Double) -> Rotation3 {
        Rotation3.aboutZ(-heading) * Rotation3.exp(Vector3(.pi / 2, 0, 0))
    }

    static let pose = PoseEstimate(
        time: BootTime(nanoseconds: 12_345_678_901), generation: 3,
        rotationSceneFromBody: Rotation3(w: 0.9, x: 0.1, y: -0.2, z: 0.3)!,
        positionInScene: Vector3(1.5, -2.25, 1e-6), velocityInScene: Vector3(1, 0, -1),
        angularVelocityInBody: Vector3(0.01, 0.02, -0.03), rotationENUFromBody: rotation(heading: .pi / 2),
        velocityENU: Vector3(3, 4, -1),
        geodetic: GeodeticPosition(
            latitudeDegrees: 47.123456789, longitudeDegrees: -8.987654321, ellipsoidalHeight: 432.1),
        headingReference: .trueNorth,
        accuracy: PoseAccuracy(
            horizontal: 2.5, vertical: nil, yaw: 4.5 * .pi / 180, velocityHorizontal: 0.25, velocityVertical: nil,
            angularVelocity: 0.004),
        orientationTracking: .tracked, positionTracking: .inferred, state: .limited,
        reasons: [.positionUncertain, .noGNSSData], sources: [.steps, .inertial, .magnetometer],
        motion: MotionEstimate(kind: .onFoot, probability: 0.9876))
}
