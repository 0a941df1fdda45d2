import Documents
import Geodesy
import Geometry
import JSON
import WaymarkClient

/// A pose of the daemon as OGC GeoPose.
enum GeoPoseText {
    /// Scene axes to ENU axes of a scene that faces north: up is y there and z here.
    private static let rotationENUFromSceneAxes = Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)

    /// Basic-Quaternion on one line; nil while position or true heading are not known.
    static func line(_ pose: Waymark.Pose, _ frame: Waymark.Frame) -> String? {
        guard pose.headingReference == .trueNorth, let geo = pose.geo,
            let position = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: geo.height),
            let rotationSceneFromBody = Rotation3(
                w: pose.orientation.w, x: pose.orientation.x, y: pose.orientation.y, z: pose.orientation.z)
        else { return nil }
        // The target is the filter's estimate; the published alignment may still be converging to it.
        let turn = Rotation3.about(Vector3(0, 0, 1), by: frame.target.yaw * .pi / 180)
        var json = JSONWriter()
        GeoPose.writeQuaternion(position, turn * rotationENUFromSceneAxes * rotationSceneFromBody, into: &json)
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
