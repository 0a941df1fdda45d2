import WaymarkInterface

extension WaymarkMetrics {
    static func service(_ status: Status) -> [MetricFamily] {
        var latency = MetricFamily(
            "waymark_pose_latency_seconds", .histogram, unit: "seconds",
            help: "Time from the stamp of an inertial sample to the publication of its pose.")
        if let measured = status.poseLatency {
            latency.add(bounds: measured.bounds, counts: measured.counts, count: measured.count, sum: measured.sum)
        }
        return [
            latency,
            counter("waymark_missed_messages", "Messages that slow clients were not sent.", status.missedMessages),
            counter(
                "waymark_dropped_clients", "Clients disconnected because they had stopped reading.",
                status.droppedClients),
            counter("waymark_poses", "Poses published.", status.poses),
            gauge("waymark_pose_rate_hertz", "Recent rate of poses.", status.poseRate),
            gauge("waymark_clients", "Connected clients.", Double(status.clients)),
            gauge("waymark_subscriptions", "Subscriptions.", Double(status.subscriptions)),
            gauge(
                "waymark_pose_ring_clients", "Clients that have the pose ring.",
                status.poseRing.map { Double($0.clients) }),
            gauge(
                "waymark_pose_ring_up", "Whether there is the pose ring that the settings want: 1 or 0.",
                status.poseRing.map { $0.problem == nil ? 1 : 0 }),
            gauge(
                "waymark_damaged_places", "Damaged databases of places beside the one in use.",
                Double(status.damagedPlaces?.count ?? 0)),
            gauge(
                "waymark_damaged_plans", "Damaged files of floor plans beside those in use, at most 20.",
                Double(status.damagedPlans?.count ?? 0)),
        ]
    }

    static func power(_ status: Status) -> [MetricFamily] {
        [
            states("waymark_power_mode", "Power mode of the sensors.", status.power?.mode),
            gauge("waymark_power_mode_age_seconds", "Time since the power mode changed.", status.power?.age),
            counter("waymark_power_wakes", "Times that a client woke idle sensors.", status.power?.wakes),
        ]
    }

    static func recording(_ status: Status) -> [MetricFamily] {
        let recording = status.recording
        return [
            gauge("waymark_recording", "Whether a recording is in progress: 1 or 0.", recording == nil ? 0 : 1),
            counter("waymark_recording_messages", "Messages of the recording in progress.", recording?.messages),
            counter("waymark_recording_bytes", "Size of the recording in progress.", recording?.bytes),
            counter(
                "waymark_recording_dropped_messages", "Messages lost because the disk was too slow.",
                recording?.dropped),
        ]
    }

    static func calibration(_ status: Status) -> [MetricFamily] {
        let stored = status.calibration.sensors.map { stored in
            (item: stored, labels: [Label("sensor", stored.sensor.description), Label("device", stored.device)])
        }
        return [
            gauge("waymark_calibration_applied", "Whether a stored calibration is applied: 1 or 0.", stored) {
                $0.inForce ? 1 : 0
            },
            gauge("waymark_calibration_age_seconds", "Time since a calibration was made.", stored) { $0.age },
            gauge(
                "waymark_calibration_heading_error_radians", "Heading error that is predicted for a calibration.",
                stored
            ) { radians($0.predictedHeadingError) },
            gauge(
                "waymark_calibration_tilt_error_radians", "Tilt error that is predicted for a calibration.", stored
            ) { radians($0.predictedTiltError) },
            states(
                "waymark_calibration_running", "Calibration that is in progress.",
                status.calibration.running.map { WordSet([$0]) } ?? []),
        ] + warmStart(status.warmStart)
    }

    private static func warmStart(_ warmStart: StatusInterface.WarmStart) -> [MetricFamily] {
        let dropped = warmStart.dropped.map { part in
            (item: 1.0, labels: [Label("part", part.part.description), Label("reason", part.reason.description)])
        }
        return [
            states("waymark_warm_start_used", "Parts of the warm start that the estimate uses.", warmStart.used),
            gauge(
                "waymark_warm_start_dropped", "Parts of the warm start that were rejected, with the reason: 1.", dropped
            ) { $0 },
            gauge(
                "waymark_warm_start_age_seconds", "Time from the end of the run before to this one's start.",
                warmStart.age),
        ]
    }
}
