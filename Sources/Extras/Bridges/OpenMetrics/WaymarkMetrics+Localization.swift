import WaymarkInterface

extension WaymarkMetrics {
    static func daemon(_ status: Status) -> [MetricFamily] {
        let build = [
            Label("version", status.version), Label("source", status.source.description),
            Label("demonstration", status.demonstration == true ? "true" : "false"),
        ]
        return [
            family("waymark_build", .info, "Version of the daemon, and what it is run on.", [(1, build)]) { $0 },
            gauge("waymark_uptime_seconds", "Time since the daemon started.", status.uptime),
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
            gauge("waymark_motion_probability_ratio", "Probability of that mode.", status.motion?.probability),
            gauge("waymark_horizontal_accuracy_meters", "Radius of 68 % over ground.", status.horizontalAccuracy),
            gauge("waymark_vertical_accuracy_meters", "Half-width of 68 % of the height.", status.verticalAccuracy),
            gauge(
                "waymark_yaw_accuracy_radians", "Half-width of 68 % of the heading.",
                radians(status.orientationYawAccuracy)),
            gauge(
                "waymark_receiver_horizontal_accuracy_meters", "Radius of 68 % of the position by the receiver alone.",
                status.bestEstimate?.horizontalAccuracy),
            gauge("waymark_receiver_fix_age_seconds", "Time since the fix of that position.", status.bestEstimate?.age),
            gauge("waymark_frame_generation", "Number of the scene frame.", Double(status.generation)),
            gauge(
                "waymark_frame_slew_radians",
                "Rotation that the published alignment has still to make to the filter's own.",
                radians(status.slewAngle)),
            gauge("waymark_frame_slew_meters", "The same over ground at the wearer.", status.slewDistance),
        ]
    }

    /// Metrics of the yaw integrity monitors; each sample has the label `monitor`.
    static func headingMonitors(_ status: Status) -> [MetricFamily] {
        let monitors = [("satellites", status.headingMonitor), ("steps", status.axisCorrection)].map { name, monitor in
            (item: monitor, labels: [Label("monitor", name)])
        }
        return [
            gauge(
                "waymark_heading_monitor_correction_radians",
                "Correction that a yaw integrity monitor would add to the heading, clockwise.", monitors
            ) { radians($0?.correction) },
            gauge(
                "waymark_heading_monitor_standard_deviation_radians", "Standard deviation of the monitor's result.",
                monitors
            ) { radians($0?.deviation) },
            gauge("waymark_heading_monitor_comparisons", "Comparisons that the result rests on.", monitors) {
                ($0?.pairs).map(Double.init)
            },
            gauge("waymark_heading_monitor_age_seconds", "Time since the newest comparison.", monitors) { $0?.age },
        ]
    }

    /// Metrics of the filter's updates; each sample has the label `measurement`.
    static func updates(_ status: Status) -> [MetricFamily] {
        let updates = (status.updates ?? []).map { (item: $0, labels: [Label("measurement", $0.kind.description)]) }
        return [
            counter(
                "waymark_updates_applied",
                "Measurements that corrected the estimate, the down-weighted ones included.", updates
            ) { $0.applied },
            counter(
                "waymark_updates_down_weighted", "Measurements that corrected the estimate with less weight.", updates
            ) { $0.downWeighted },
            counter("waymark_updates_refused", "Measurements that did not correct the estimate.", updates) {
                $0.refused
            },
            gauge(
                "waymark_innovation_ratio",
                "Recent mean of the normalised innovation squared per degree of freedom.", updates
            ) { $0.innovationRatio },
        ]
    }
}
