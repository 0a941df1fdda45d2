import Recording

/// JSON Schemas of the channels whose messages are Waymark's own and do not occur in recordings.
enum FoxgloveSchemas {
    /// Schema of the status. Messages have all members of the interface, but the schema has only those that other
    /// programs plot.
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

    /// Schema of the sources of measurements that other programs send, with the estimator's assessment.
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

    private static func array(_ names: String, _ items: String) -> String {
        Topic.each(names, "{\"type\":\"array\",\"items\":\(items)}")
    }
}

extension Topic {
    fileprivate static func object(required: String, _ properties: [String]) -> String {
        object(required: required, properties.joined(separator: ","))
    }
}
