import Geodesy
import Geometry
import JSON

#if canImport(Glibc)
    import Glibc
#endif

/// A pose in the forms of the OGC GeoPose 1.0 data exchange standard.
///
/// The standard's outer frame is ENU at the position. It leaves the axes of the body open; ours are x right, y up,
/// z towards the wearer, so an upright wearer who looks north has yaw 0°, pitch 0°, roll 90°.
public enum GeoPose {
    /// Basic-Quaternion: `position{lat,lon,h}` and `quaternion{x,y,z,w}`, ENU from body.
    public static func writeQuaternion(
        _ position: GeodeticPosition, _ rotationENUFromBody: Rotation3, into json: inout JSONWriter
    ) {
        json.beginObject()
        writePosition(position, &json)
        json.key("quaternion")
        json.beginObject()
        json.member("x", rotationENUFromBody.x, .fixed(9))
        json.member("y", rotationENUFromBody.y, .fixed(9))
        json.member("z", rotationENUFromBody.z, .fixed(9))
        json.member("w", rotationENUFromBody.w, .fixed(9))
        json.endObject()
        json.endObject()
    }

    /// Basic-YPR: `position{lat,lon,h}` and `angles{yaw,pitch,roll}` in degrees: rotations about z, then the new y,
    /// then the new x, right-handed.
    public static func writeYawPitchRoll(
        _ position: GeodeticPosition, _ rotationENUFromBody: Rotation3, into json: inout JSONWriter
    ) {
        let angles = yawPitchRoll(rotationENUFromBody)
        json.beginObject()
        writePosition(position, &json)
        json.key("angles")
        json.beginObject()
        json.member("yaw", angles.yaw * 180 / .pi, .fixed(6))
        json.member("pitch", angles.pitch * 180 / .pi, .fixed(6))
        json.member("roll", angles.roll * 180 / .pi, .fixed(6))
        json.endObject()
        json.endObject()
    }

    /// Angles with `R = Rz(yaw) · Ry(pitch) · Rx(roll)`; where yaw and roll have the same axis, roll is 0. Radians.
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

    private static func writePosition(_ position: GeodeticPosition, _ json: inout JSONWriter) {
        json.key("position")
        json.beginObject()
        json.member("lat", position.latitudeDegrees, .fixed(9))
        json.member("lon", position.longitudeDegrees, .fixed(9))
        json.member("h", position.ellipsoidalHeight, .fixed(6))
        json.endObject()
    }
}
