import WaymarkInterface

extension WaymarkMetrics {
    static func daemon(_ status: Status) -> [MetricFamily] {
        var build = MetricFamily("waymark_build", .info, help: "Version of the daemon, and what it is run on.")
        let isDemonstration = status.demonstration == true ? "true" : "false"
        build.add(
            1,
            [
                Label("version", status.version), Label("source", status.source.description),
                Label("demonstration", isDemonstration),
            ])
        return [
            build,
            gauge("waymark_uptime_seconds", "seconds", "Time since the daemon started.", status.uptime),
        ]
    }

    static func localization(_ status: Status) -> [MetricFamily] {
        [
            states("waymark_state", "State of localization.", status.state),
            states("waymark_reason", "Why the state is not better.", status.reasons),
            states("waymark_readiness", "Whether content can be placed in the scene frame.", status.readiness),
            states("waymark_readiness_reason", "Why the scene frame is not ready.", status.readinessReasons),
            states("waymark_pose_source", "Measurements that the newest pose rests on.", status.sources),
            states("waymark_heading_reference", "What headings count from.", status.headingReference),
            states("waymark_motion_mode", "Most probable mode of movement.", status.motion?.mode),
            gauge(
                "waymark_motion_probability_ratio", "ratio", "Probability of that mode.", status.motion?.probability),
        ] + accuracies(status) + [
            gauge("waymark_frame_generation", "", "Number of the scene frame.", Double(status.generation)),
            gauge(
                "waymark_frame_slew_radians", "radians",
                "Rotation that the published alignment has still to make to the filter's own.",
                radians(status.slewAngle)),
            gauge(
                "waymark_frame_slew_meters", "meters", "The same over ground at the wearer.", status.slewDistance),
        ]
    }

    private static func accuracies(_ status: Status) -> [MetricFamily] {
        [
            gauge(
                "waymark_horizontal_accuracy_meters", "meters", "Radius of 68 % over ground.",
                status.horizontalAccuracy),
            gauge(
                "waymark_vertical_accuracy_meters", "meters", "Half-width of 68 % of the height.",
                status.verticalAccuracy),
            gauge(
                "waymark_yaw_accuracy_radians", "radians", "Half-width of 68 % of the heading.",
                radians(status.orientationYawAccuracy)),
            gauge(
                "waymark_receiver_horizontal_accuracy_meters", "meters",
                "Radius of 68 % of the position by the receiver alone.", status.bestEstimate?.horizontalAccuracy),
            gauge(
                "waymark_receiver_fix_age_seconds", "seconds", "Time since the fix of that position.",
                status.bestEstimate?.age),
        ]
    }

    /// The yaw integrity monitors, by the label `monitor`.
    static func headingMonitors(_ status: Status) -> [MetricFamily] {
        var correction = MetricFamily(
            "waymark_heading_monitor_correction_radians", unit: "radians",
            help: "Correction that a yaw integrity monitor would add to the heading, clockwise.")
        var deviation = MetricFamily(
            "waymark_heading_monitor_standard_deviation_radians", unit: "radians",
            help: "Standard deviation of the monitor's result.")
        var pairs = MetricFamily("waymark_heading_monitor_comparisons", help: "Comparisons that the result rests on.")
        var age = MetricFamily(
            "waymark_heading_monitor_age_seconds", unit: "seconds", help: "Time since the newest comparison.")
        for (name, monitor) in [("satellites", status.headingMonitor), ("steps", status.axisCorrection)] {
            let labels = [Label("monitor", name)]
            correction.add(radians(monitor?.correction), labels)
            deviation.add(radians(monitor?.deviation), labels)
            pairs.add(monitor?.pairs, labels)
            age.add(monitor?.age, labels)
        }
        return [correction, deviation, pairs, age]
    }
}
