import Geometry
import Glibc
import WaymarkInterface

/// Poses for tests of the sensor proxy.
enum SensorProxyPoses {
    /// Pose of a display that faces a direction and was rolled and leant.
    ///
    /// - Parameters:
    ///   - azimuth: of the line of sight in the scene before it is leant, degrees clockwise from −Z.
    ///   - leantBack: rotation of the top edge away from the wearer, degrees.
    ///   - rolled: rotation about the line of sight, clockwise as the wearer sees it, degrees.
    ///   - north: azimuth of north in the scene, degrees.
    static func pose(
        azimuth: Double = 0, leantBack: Double = 0, rolled: Double = 0, north: Double = 0,
        reference: PoseInterface.HeadingReference = .magneticNorth, geo: PoseInterface.Geo? = nil,
        utc: UTCTime? = nil, generation: Int = 1, quality: PoseInterface.Quality = .tracked
    ) -> PoseInterface.Pose {
        let rotation =
            Rotation3.about(Vector3(0, -1, 0), by: Angle.radians(degrees: azimuth))
            * Rotation3.about(Vector3(1, 0, 0), by: Angle.radians(degrees: -leantBack))
            * Rotation3.about(Vector3(0, 0, -1), by: Angle.radians(degrees: rolled))
        let sight = rotation * Vector3(0, 0, -1)
        let isSteep = (sight.x * sight.x + sight.z * sight.z).squareRoot() < 0.0523
        var pose = PoseInterface.Pose(
            sequence: 1, time: PoseInterface.Time(sec: 1, nsec: 0), utc: utc, frame: "scene", generation: generation,
            position: PoseInterface.Vector(x: 0, y: 0, z: 0),
            orientation: PoseInterface.Quaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w),
            linearVelocity: PoseInterface.Vector(x: 0, y: 0, z: 0),
            angularVelocity: PoseInterface.Vector(x: 0, y: 0, z: 0),
            tracking: PoseInterface.Tracking(orientation: quality, position: .invalid), geo: geo,
            headingReference: reference, accuracy: PoseInterface.Accuracy(), state: .aligning, reasons: [],
            sources: [.inertial])
        if reference != .none, !isSteep {
            let heading = Angle.positive(atan2(sight.x, -sight.z) - Angle.radians(degrees: north))
            pose.heading = Angle.degrees(radians: heading)
        }
        return pose
    }
}
