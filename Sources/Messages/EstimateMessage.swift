import Geometry
import JSON
import Model
import Scene

/// A client's fix beside the pose of its moment, as the type `Estimate` of the Varlink interface `org.waymark.Scene`.
public enum EstimateMessage {
    /// Appends the estimate as one JSON object.
    public static func write(_ estimate: PairedEstimate, _ pose: PoseEstimate, into json: inout JSONWriter) {
        let precision = MessagePrecision.rounded
        let difference = estimate.difference
        json.beginObject()
        json.member("time", pose.time)
        json.member("generation", Int64(pose.generation))
        json.member("position", estimate.pointInScene, precision)
        json.member("geo", estimate.position, precision)
        json.member("horizontalAccuracy", estimate.horizontalAccuracy, precision.accuracy)
        json.member("verticalAccuracy", estimate.verticalAccuracy, precision.accuracy)
        json.member("fixPosition", estimate.fixInScene, precision)
        json.member("east", difference.x, precision.length)
        json.member("north", difference.y, precision.length)
        json.member("up", estimate.hasHeight ? difference.z : nil, precision.length)
        json.member("distance", Vector3(difference.x, difference.y, 0).norm, precision.length)
        json.member("deviations", estimate.deviations, precision.accuracy)
        json.endObject()
    }
}
