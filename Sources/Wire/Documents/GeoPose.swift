import Geometry
import Glibc
import JSON

/// A pose in the forms of the OGC GeoPose 1.0 data exchange standard.
///
/// The standard's outer frame is ENU at the position. It does not define the axes of the body; Waymark's are x right, y
/// up, z towards the wearer, so an upright wearer who looks north has yaw 0°, pitch 0°, roll 90°.
public enum GeoPose {
    /// Writes a Basic-Quaternion: `position{lat,lon,h}`, and as `quaternion{x,y,z,w}` the rotation from body to ENU.
    public static func writeQuaternion(
        _ position: GeodeticPosition, _ rotationENUFromBody: Rotation3, into json: inout JSONWriter
    ) {
        json.object { writeMembers(position, rotationENUFromBody, into: &$0) }
    }

    /// Writes the members of a Basic-Quaternion into an object that may have further members.
    ///
    /// - Parameter rotationENUFromBody: rotation; nil if unknown, in which case `quaternion` is left out.
    public static func writeMembers(
        _ position: GeodeticPosition, _ rotationENUFromBody: Rotation3?, into json: inout JSONWriter
    ) {
        writePosition(position, into: &json)
        guard let rotation = rotationENUFromBody else { return }
        json.object("quaternion") { json in
            json.member("x", rotation.x, .fixed(9))
            json.member("y", rotation.y, .fixed(9))
            json.member("z", rotation.z, .fixed(9))
            json.member("w", rotation.w, .fixed(9))
        }
    }

    /// Rotation from body to ENU for a pose in the scene.
    ///
    /// - Parameters:
    ///   - rotationSceneFromBody: orientation in the scene, whose y is up.
    ///   - sceneYawDegrees: yaw of the scene on the earth, counter-clockwise about up.
    public static func rotationENUFromBody(_ rotationSceneFromBody: Rotation3, sceneYawDegrees: Double) -> Rotation3 {
        let turn = Rotation3.about(Vector3(0, 0, 1), by: sceneYawDegrees * .pi / 180)
        return turn * rotationENUFromSceneAxes * rotationSceneFromBody
    }

    /// Rotation from body to ENU for a pose in the scene whose heading is known.
    ///
    /// - Parameters:
    ///   - rotationSceneFromBody: orientation in the scene, whose y is up.
    ///   - headingDegrees: heading of the line of sight (body −z), clockwise from true north; the line of sight must
    ///     not be vertical.
    public static func rotationENUFromBody(_ rotationSceneFromBody: Rotation3, headingDegrees: Double) -> Rotation3 {
        let sight = rotationSceneFromBody * Vector3(0, 0, -1)
        // Heading relative to the scene's north axis. Subtracting the scene's counter-clockwise yaw gives the true
        // heading.
        let headingInScene = atan2(sight.x, -sight.z) * 180 / .pi
        let yaw = (headingInScene - headingDegrees).remainder(dividingBy: 360)
        return rotationENUFromBody(rotationSceneFromBody, sceneYawDegrees: yaw)
    }

    /// Rotation from the axes of a scene that faces north to ENU axes: up is y in the scene and z in ENU.
    private static let rotationENUFromSceneAxes = Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)

    /// Writes a Basic-YPR: `position{lat,lon,h}` and `angles{yaw,pitch,roll}` in degrees. The angles are right-handed
    /// rotations about z, then the new y, then the new x.
    public static func writeYawPitchRoll(
        _ position: GeodeticPosition, _ rotationENUFromBody: Rotation3, into json: inout JSONWriter
    ) {
        let angles = yawPitchRoll(rotationENUFromBody)
        json.object { json in
            writePosition(position, into: &json)
            json.object("angles") { json in
                json.member("yaw", angles.yaw * 180 / .pi, .fixed(6))
                json.member("pitch", angles.pitch * 180 / .pi, .fixed(6))
                json.member("roll", angles.roll * 180 / .pi, .fixed(6))
            }
        }
    }

    /// Angles with `R = Rz(yaw) · Ry(pitch) · Rx(roll)`; if yaw and roll have the same axis, roll is 0. Unit: radians.
    public static func yawPitchRoll(_ rotation: Rotation3) -> (yaw: Double, pitch: Double, roll: Double) {
        // The columns of the matrix are the images of the axes.
        let x = rotation * Vector3(1, 0, 0)
        let y = rotation * Vector3(0, 1, 0)
        let z = rotation * Vector3(0, 0, 1)
        let level = (x.x * x.x + x.y * x.y).squareRoot()
        let pitch = atan2(-x.z, level)
        guard level > 1e-9 else { return (atan2(-y.x, y.y), pitch, 0) }
        return (atan2(x.y, x.x), pitch, atan2(y.z, z.z))
    }

    /// Writes the member `position{lat,lon,h}`.
    public static func writePosition(_ position: GeodeticPosition, into json: inout JSONWriter) {
        json.object("position") { json in
            json.member("lat", position.latitudeDegrees, .fixed(9))
            json.member("lon", position.longitudeDegrees, .fixed(9))
            json.member("h", position.ellipsoidalHeight, .fixed(6))
        }
    }
}
