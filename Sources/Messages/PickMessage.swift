import Geometry
import JSON
import Scene

/// The reply to `org.waymark.Scene.Pick`.
public enum PickMessage {
    /// An object without members where nothing was hit.
    public static func encode(_ picked: PickedPlacement?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if let picked {
            json.key("placement")
            PlacementMessage.write(picked.viewed, into: &json)
            json.member("angle", Angle.degrees(radians: picked.offAxis), .fixed(3))
            json.member("distance", picked.distance, .fixed(2))
        }
        json.endObject()
        return json.bytes
    }
}
