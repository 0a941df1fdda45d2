import Recording

/// JSON Schemas of the channels that recordings do not have. Those of Foxglove: members as published at
/// docs.foxglove.dev, message schemas, without the primitives that are never sent.
enum FoxgloveSchemas {
    /// Members of the status that other programs plot; messages have all members of the interface.
    static let status = Topic.object(
        "The type Status of the Varlink interface org.waymark.Status.",
        required: "version uptime state reasons advice readiness generation poses poseRate devices",
        [
            Topic.text("version source state headingReference readiness"),
            Topic.words("reasons advice sources readinessReasons"),
            Topic.number(
                "uptime horizontalAccuracy verticalAccuracy orientationYawAccuracy slewAngle slewDistance poseRate"),
            Topic.integer("generation poses clients subscriptions missedMessages droppedClients"),
            array("devices", Topic.object(required: "", "")),
        ].joined(separator: ","))

    /// Sources of measurements of other programs, with what the estimator has found of them.
    static let aidSources = Topic.object(
        "The reply of the method List of the Varlink interface org.waymark.Aid.", required: "sources",
        array(
            "sources",
            Topic.object(
                required: "source user kinds state rate accepted refused trust",
                [
                    Topic.text("source state"), Topic.words("kinds"), Topic.number("rate age"),
                    Topic.integer("user accepted"),
                    array(
                        "refused",
                        Topic.object(required: "error number", Topic.text("error") + "," + Topic.integer("number"))),
                    array(
                        "trust",
                        Topic.object(
                            required: "kind state applied refused",
                            [
                                Topic.text("kind state cause"), Topic.number("accuracy accuracyScale"),
                                Topic.integer("applied refused"),
                            ])),
                ])))

    /// Changes of the entities of a 3D view.
    static let sceneUpdate = Topic.object(
        "foxglove.SceneUpdate", required: "deletions entities",
        [
            array(
                "deletions",
                Topic.object(
                    required: "timestamp type id", [Topic.time("timestamp"), Topic.integer("type"), Topic.text("id")])),
            array("entities", entity),
        ].joined(separator: ","))

    private static let entity = Topic.object(
        required: "timestamp frame_id id lifetime frame_locked metadata arrows spheres cylinders texts",
        [
            Topic.time("timestamp lifetime"), Topic.text("frame_id id"), flag("frame_locked"),
            array("metadata", Topic.object(required: "key value", Topic.text("key value"))),
            array(
                "arrows",
                Topic.object(
                    required: "pose shaft_length shaft_diameter head_length head_diameter color",
                    [pose, color, Topic.number("shaft_length shaft_diameter head_length head_diameter")])),
            array("spheres", Topic.object(required: "pose size color", [pose, color, Topic.vector("size")])),
            array(
                "cylinders",
                Topic.object(
                    required: "pose size bottom_scale top_scale color",
                    [pose, color, Topic.vector("size"), Topic.number("bottom_scale top_scale")])),
            array(
                "texts",
                Topic.object(
                    required: "pose billboard font_size scale_invariant color text",
                    [
                        pose, color, flag("billboard scale_invariant"), Topic.number("font_size"), Topic.text("text"),
                    ])),
        ])

    private static let pose = Topic.each(
        "pose",
        Topic.object(required: "position orientation", [Topic.vector("position"), Topic.quaternion("orientation")]))
    private static let color = Topic.each("color", Topic.object(required: "r g b a", Topic.number("r g b a")))

    private static func flag(_ names: String) -> String { Topic.each(names, "{\"type\":\"boolean\"}") }

    private static func array(_ names: String, _ items: String) -> String {
        Topic.each(names, "{\"type\":\"array\",\"items\":\(items)}")
    }
}

extension Topic {
    fileprivate static func object(required: String, _ properties: [String]) -> String {
        object(required: required, properties.joined(separator: ","))
    }
}
