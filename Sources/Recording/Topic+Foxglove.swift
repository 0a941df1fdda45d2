/// JSON Schemas of messages that others' tools know: titles and members as published at docs.foxglove.dev.
extension Topic {
    static let mapSchema = object("foxglove.GeoJSON", required: "geojson", text("geojson"))

    static let locationSchema = object(
        "foxglove.LocationFix",
        required: "timestamp frame_id latitude longitude altitude position_covariance position_covariance_type",
        [
            time("timestamp"), text("frame_id"), number("latitude longitude altitude"),
            "\"position_covariance\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":9,\"maxItems\":9}",
            integer("position_covariance_type"), number("heading"), vector("velocity"),
        ].joined(separator: ","))

    static let transformSchema = object(
        "foxglove.FrameTransform", required: "timestamp parent_frame_id child_frame_id translation rotation",
        [time("timestamp"), text("parent_frame_id child_frame_id"), vector("translation"), quaternion("rotation")]
            .joined(separator: ","))

    static let poseInFrameSchema = object(
        "foxglove.PoseInFrame", required: "timestamp frame_id pose",
        [
            time("timestamp"), text("frame_id"),
            each(
                "pose",
                object(required: "position orientation", vector("position") + "," + quaternion("orientation"))),
        ].joined(separator: ","))

    static let logSchema = object(
        "foxglove.Log", required: "timestamp level message name file line",
        [time("timestamp"), integer("level line"), text("message name file")].joined(separator: ","))

    /// Quaternions of these names.
    package static func quaternion(_ names: String) -> String {
        each(names, object(required: "x y z w", number("x y z w")))
    }
}
