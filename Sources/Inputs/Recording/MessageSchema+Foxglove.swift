/// Foxglove's schemas, reduced to the written fields. Names and numbers are those of the message schemas at
/// docs.foxglove.dev, and of the descriptors in the PyPI package foxglove-schemas-protobuf.
extension MessageSchema {
    package static let locationFix = MessageSchema(
        "foxglove.LocationFix",
        [
            Field(6, "timestamp", .message(timestamp)), Field(7, "frame_id", .text), Field(1, "latitude", .number),
            Field(2, "longitude", .number), Field(3, "altitude", .number),
            Field(4, "position_covariance", .number, .exactly(9)),
            Field(
                5, "position_covariance_type",
                .choice("PositionCovarianceType", of: ["UNKNOWN", "APPROXIMATED", "DIAGONAL_KNOWN", "KNOWN"])),
            Field(10, "heading", .number, .optional), Field(11, "velocity", .message(vector3), .optional),
        ])

    package static let frameTransform = MessageSchema(
        "foxglove.FrameTransform",
        [
            Field(1, "timestamp", .message(timestamp)), Field(2, "parent_frame_id", .text),
            Field(3, "child_frame_id", .text), Field(4, "translation", .message(vector3)),
            Field(5, "rotation", .message(quaternion)),
        ])

    package static let poseInFrame = MessageSchema(
        "foxglove.PoseInFrame",
        [Field(1, "timestamp", .message(timestamp)), Field(2, "frame_id", .text), Field(3, "pose", .message(pose))])

    package static let geoJSON = MessageSchema("foxglove.GeoJSON", [Field(1, "geojson", .text)])

    package static let log = MessageSchema(
        "foxglove.Log",
        [
            Field(1, "timestamp", .message(timestamp)),
            Field(2, "level", .choice("Level", of: ["UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL"])),
            Field(3, "message", .text), Field(4, "name", .text), Field(5, "file", .text),
            Field(6, "line", .integer(.fixed32)),
        ])

    /// The schema omits the primitives that are never sent.
    package static let sceneUpdate = MessageSchema(
        "foxglove.SceneUpdate",
        [
            Field(
                1, "deletions",
                .message(
                    MessageSchema(
                        "foxglove.SceneEntityDeletion",
                        [
                            Field(1, "timestamp", .message(timestamp)),
                            Field(2, "type", .choice("Type", of: ["MATCHING_ID", "ALL"])), Field(3, "id", .text),
                        ])), .list),
            Field(2, "entities", .message(sceneEntity), .list),
        ])

    private static let sceneEntity = MessageSchema(
        "foxglove.SceneEntity",
        [
            Field(1, "timestamp", .message(timestamp)), Field(2, "frame_id", .text), Field(3, "id", .text),
            Field(4, "lifetime", .message(duration)), Field(5, "frame_locked", .flag),
            Field(
                6, "metadata",
                .message(MessageSchema("foxglove.KeyValuePair", [Field(1, "key", .text), Field(2, "value", .text)])),
                .list),
            Field(7, "arrows", .message(arrow), .list), Field(9, "spheres", .message(sphere), .list),
            Field(10, "cylinders", .message(cylinder), .list), Field(13, "texts", .message(label), .list),
        ])

    private static let arrow = MessageSchema(
        "foxglove.ArrowPrimitive",
        [
            Field(1, "pose", .message(pose)), Field(2, "shaft_length", .number), Field(3, "shaft_diameter", .number),
            Field(4, "head_length", .number), Field(5, "head_diameter", .number), Field(6, "color", .message(color)),
        ])

    private static let sphere = MessageSchema(
        "foxglove.SpherePrimitive",
        [Field(1, "pose", .message(pose)), Field(2, "size", .message(vector3)), Field(3, "color", .message(color))])

    private static let cylinder = MessageSchema(
        "foxglove.CylinderPrimitive",
        [
            Field(1, "pose", .message(pose)), Field(2, "size", .message(vector3)), Field(3, "bottom_scale", .number),
            Field(4, "top_scale", .number), Field(5, "color", .message(color)),
        ])

    private static let label = MessageSchema(
        "foxglove.TextPrimitive",
        [
            Field(1, "pose", .message(pose)), Field(2, "billboard", .flag), Field(3, "font_size", .number),
            Field(4, "scale_invariant", .flag), Field(5, "color", .message(color)), Field(6, "text", .text),
        ])

    // MARK: parts

    private static let pose = MessageSchema(
        "foxglove.Pose", [Field(1, "position", .message(vector3)), Field(2, "orientation", .message(quaternion))])

    private static let vector3 = MessageSchema(
        "foxglove.Vector3", [Field(1, "x", .number), Field(2, "y", .number), Field(3, "z", .number)])

    private static let quaternion = MessageSchema(
        "foxglove.Quaternion",
        [Field(1, "x", .number), Field(2, "y", .number), Field(3, "z", .number), Field(4, "w", .number)])

    private static let color = MessageSchema(
        "foxglove.Color",
        [Field(1, "r", .number), Field(2, "g", .number), Field(3, "b", .number), Field(4, "a", .number)])

    private static let timestamp = MessageSchema(
        "google.protobuf.Timestamp", [Field(1, "seconds", .integer(.int64)), Field(2, "nanos", .integer(.int32))])

    private static let duration = MessageSchema(
        "google.protobuf.Duration", [Field(1, "seconds", .integer(.int64)), Field(2, "nanos", .integer(.int32))])
}
