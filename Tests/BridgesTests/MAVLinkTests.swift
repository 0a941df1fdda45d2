import Bridges
import Geometry
import Testing
import WaymarkInterface

@Suite("Messages of MAVLink")
struct MAVLinkTests {
    private static let orientations = [
        (0.0, 0.0, 0.0), (90, 0, 0), (0, 30, 0), (0, 0, 20), (-130, 45, -60), (179, -80, 170), (10, 90, 0),
    ]

    private func converted(_ pose: PoseInterface.Pose, yaw: Double = 0) -> MAVLinkPose {
        MAVLinkPose(pose, alignment: PoseInterface.Alignment(yaw: yaw, east: 5, north: -5, up: 1))
    }

    private func pose(_ heading: Double, _ pitch: Double, _ roll: Double) -> PoseInterface.Pose {
        var pose = samplePose()
        pose.orientation = orientation(heading: heading, pitch: pitch, roll: roll)
        pose.accuracy.angularVelocityAccuracy = 0.0187
        return pose
    }

    /// North, east and down of a vector in the scene.
    private func down(_ v: Vector3) -> Vector3 { Vector3(-v.z, v.x, -v.y) }

    private func frame(_ text: String) -> [UInt8] { text.split(separator: " ").map { UInt8($0, radix: 16)! } }

    // Written by pymavlink 2.4.50.
    @Test("Frames are those of MAVLink's own library: numbered, without trailing zeros, with its checksums")
    func frames() throws {
        var encoder = MAVLinkEncoder(system: 3, component: MAVLinkHeartbeat.component)
        encoder.write(MAVLinkPose.heartbeat(samplePose()))
        #expect(encoder.bytes == frame("fd 09 00 00 00 03 bf 00 00 00 00 00 00 00 12 08 00 04 03 fa 56"))
        var raised = samplePose()
        raised.position.y = 10
        encoder.write(try #require(converted(raised).globalPosition(geoidSeparation: 48)))
        #expect(
            encoder.bytes
                == frame(
                    "fd 1c 00 00 01 03 bf 21 00 00 a0 86 01 00 c0 ec 4f 1c 60 26 15 fb 60 49 06 00 10 27 00 00 00 00 64 00 "
                        + "e7 ff 94 11 dd ac"))
        var upright = samplePose()
        upright.orientation = PoseInterface.Quaternion(x: 0, y: 0, z: 0, w: 1)
        encoder.write(try #require(converted(upright).attitude))
        #expect(encoder.bytes == frame("fd 08 00 00 02 03 bf 1f 00 00 a0 86 01 00 00 00 80 3f 85 69"))
    }

    @Test("Attitude and odometry rotate the axes of the body as the pose does")
    func rotations() throws {
        for (heading, pitch, roll) in Self.orientations {
            let pose = pose(heading, pitch, roll)
            let q = pose.orientation
            let rotation = try #require(Rotation3(w: q.w, x: q.x, y: q.y, z: q.z))
            let odometry = try #require(converted(pose).odometry(resetCounter: 0))
            // Ahead, right and down of the wearer.
            for (theirs, ours) in [
                (Vector3(1, 0, 0), Vector3(0, 0, -1)), (Vector3(0, 1, 0), Vector3(1, 0, 0)),
                (Vector3(0, 0, 1), Vector3(0, -1, 0)),
            ] {
                let wanted = down(rotation * ours)
                #expect((odometry.rotation * theirs - wanted).norm < 1e-9, "heading \(heading), pitch \(pitch)")
                // A scene that is turned to the left by 30° has its headings 30° to the left of true ones.
                let attitude = try #require(converted(pose, yaw: 30).attitude)
                let turned = Rotation3.about(Vector3(0, 0, 1), by: -.pi / 6) * wanted
                #expect((attitude.rotation * theirs - turned).norm < 1e-9)
            }
            // What the body measures, turned into the frame, is the velocity of the pose.
            #expect((odometry.rotation * odometry.velocity - down(Vector3(1, 0.25, 0))).norm < 1e-9)
            #expect(odometry.position == Vector3(2, 1, 0))
        }
    }

    @Test("Variances are those of the accuracies, turned into the body for velocities")
    func covariances() throws {
        for (heading, pitch, roll) in Self.orientations {
            let odometry = try #require(converted(pose(heading, pitch, roll)).odometry(resetCounter: 0))
            let (place, velocity) = (odometry.poseCovariance, odometry.velocityCovariance)
            #expect(abs(place.first[0, 0] - 1) < 1e-9 && abs(place.first[1, 1] - 1) < 1e-9)
            #expect(place.first[2, 2] == 4 && abs(place.last.squareRoot() - 3 * .pi / 180) < 1e-9)
            #expect(abs(velocity.last - 1e-4) < 1e-9)
            // Along the line of sight: 0.1 m/s over ground as well as upwards, whatever its direction.
            #expect(abs(velocity.first.trace - 0.03) < 1e-9)
        }
        var upwards = pose(10, 90, 0)
        upwards.accuracy.verticalVelocityAccuracy = 0.5
        let velocity = try #require(converted(upwards).odometry(resetCounter: 0)).velocityCovariance.first
        #expect(abs(velocity[0, 0] - 0.25) < 1e-9 && abs(velocity[1, 1] - 0.01) < 1e-9)
    }

    @Test("Covariances that are not known are NaN from the first number on")
    func unknownCovariance() throws {
        var encoder = MAVLinkEncoder(system: 1, component: 1)
        // The sample has no accuracy of the angular velocity.
        encoder.write(try #require(converted(samplePose()).odometry(resetCounter: 0)))
        func number(_ offset: Int) -> Float {
            encoder.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
        }
        let (pose, velocity) = (10 + 60, 10 + 60 + 84)
        // The diagonal of the upper right triangle: numbers 0, 6, 11, 15, 18 and 20.
        let diagonal = [0, 6, 11, 15, 18, 20].map { number(pose + 4 * $0) }
        #expect(zip(diagonal, [1, 1, 4, 0.00274156, 0.00274156, 0.00274156]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect((0..<21).allSatisfy { number(velocity + 4 * $0).isNaN })
    }

    @Test("What is not known is not sent, or as the message says")
    func unknown() throws {
        let reckoned = converted(samplePose(tracking: .inferred, sources: [.inertial, .camera]))
        let odometry = try #require(reckoned.odometry(resetCounter: 255))
        #expect(odometry.quality == 50 && odometry.estimator == .visualInertial && odometry.resetCounter == 255)
        let lost = converted(samplePose(tracking: .invalid))
        #expect(lost.attitude == nil && lost.globalPosition(geoidSeparation: 0) == nil)
        #expect(lost.odometry(resetCounter: 0) == nil)
        // Without true north there is the odometry alone, whose frame has any heading.
        let unaligned = converted(samplePose(reference: .none))
        #expect(unaligned.attitude == nil && unaligned.globalPosition(geoidSeparation: 0) == nil)
        #expect(unaligned.odometry(resetCounter: 0) != nil)
        #expect(converted(samplePose()).globalPosition(geoidSeparation: nil) == nil)
        var vertical = samplePose()
        vertical.heading = nil
        vertical.linearVelocity.x = 1e9
        let position = try #require(converted(vertical).globalPosition(geoidSeparation: 0))
        #expect(position.heading == .max && position.east == .max)
        vertical.state = .aligning
        #expect(converted(vertical).odometry(resetCounter: 0) == nil)
    }

    @Test("The heartbeat has the state of localization")
    func states() {
        #expect(MAVLinkPose.heartbeat(nil).state == .uninitialized)
        for (state, wanted) in [
            (PoseInterface.LocalizationState.initializing, MAVLinkHeartbeat.State.boot), (.aligning, .calibrating),
            (.localized, .active), (.limited, .critical),
        ] {
            var pose = samplePose()
            pose.state = state
            #expect(MAVLinkPose.heartbeat(pose).state == wanted)
        }
    }
}
