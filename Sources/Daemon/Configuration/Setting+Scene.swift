import Scene

extension Setting {
    /// Contents of the scene: frame, routes, places, placements, labels, announcements and anchors.
    ///
    /// `SceneSettings` holds the defaults; a test requires a line here for each of its fields.
    static let scene: [Setting] = frame + route + places + placements + labels + announcements + anchors

    /// The estimator shares these settings, so changes apply only at a start: a recording of the whole run replays to
    /// the same poses.
    private static let frame: [Setting] = [
        Setting(
            .frame, "reanchor_m", .number(\.scene.frame.reanchorMetres, 100...10_000), unit: "m",
            requiresRestart: true,
            "Distance from the origin of the east-north-up frame beyond which the origin is moved to the wearer."),
        Setting(
            .frame, "estimate_range_m", .number(\.scene.frame.estimateRangeMetres, 10...10_000), unit: "m",
            requiresRestart: true,
            "Maximum distance of the best position estimate from the wearer."),
        Setting(
            .frame, "estimate_seconds", .number(\.scene.frame.estimateSeconds, 0.1...60), unit: "s",
            requiresRestart: true,
            "Maximum interval between selections of the best estimate, which is also selected on every fix."),
        Setting(
            .frame, "estimate_bucket_m", .number(\.scene.frame.estimateBucketMetres, 0.01...100), unit: "m",
            requiresRestart: true,
            "Accuracy difference below which estimates are equivalent, so that the newest is the best."),
        Setting(
            .frame, "travel_error_share", .number(\.scene.frame.travelErrorShare, 0...1), requiresRestart: true,
            "Growth of the position uncertainty since the estimate, relative to the distance travelled."),
        Setting(
            .frame, "estimate_count", .whole(\.scene.frame.estimateCount, 4...1000), requiresRestart: true,
            "Number of stored estimates; the axes are checked after this many new ones."),
        Setting(
            .frame, "correction_seconds", .number(\.scene.frame.correctionSeconds, 1...600), unit: "s",
            requiresRestart: true,
            "Maximum interval between checks of the axes, also with few fixes."),
        Setting(
            .frame, "worst_accuracy_m", .number(\.scene.frame.worstAccuracyMetres, 0.1...1000), unit: "m",
            requiresRestart: true,
            "Worst accuracy of an estimate that is used to correct the axes."),
        Setting(
            .frame, "worst_pair_degrees", .number(\.scene.frame.worstPairDegrees, 1...90), unit: "°",
            requiresRestart: true,
            "Maximum error of the direction between two estimates that are used as a pair: two accuracies "
                + "of 5 m give 90° at 10 m and 20° at 29 m."),
        Setting(
            .frame, "ready_accuracy_m", .number(\.scene.frame.readyAccuracyMetres, 0.1...1000), unit: "m",
            requiresRestart: true,
            "Horizontal accuracy at which the frame is ready for placements and poses are localized."),
        Setting(
            .frame, "ready_yaw_degrees", .number(\.scene.frame.readyYawDegrees, 0.1...180), unit: "°",
            requiresRestart: true,
            "Accuracy required for the same, of a heading that motion has confirmed."),
        Setting(
            .frame, "lost_margin_m", .number(\.scene.frame.lostMarginMetres, 0...1000), unit: "m",
            requiresRestart: true,
            "The frame is lost when its horizontal accuracy exceeds frame.ready_accuracy_m by more than this."),
        Setting(
            .frame, "lost_margin_degrees", .number(\.scene.frame.lostMarginDegrees, 0...180), unit: "°",
            requiresRestart: true,
            "The frame is lost when its heading accuracy exceeds frame.ready_yaw_degrees by more than this."),
        Setting(
            .frame, "patience_seconds", .number(\.scene.frame.patienceSeconds, 1...3600), unit: "s",
            requiresRestart: true,
            "Time after which a frame that is not ready is reported as stuck."),
    ]

    private static let route: [Setting] = [
        Setting(
            .route, "window_m", .number(\.scene.route.windowMetres, 10...1000), unit: "m", requiresRestart: false,
            "Length of the route shown ahead."),
        Setting(
            .route, "arrow_spacing_m", .number(\.scene.route.arrowSpacingMetres, 0.5...100), unit: "m",
            requiresRestart: false,
            "Spacing of the arrows on the route."),
        Setting(
            .route, "arrow_period_seconds", .number(\.scene.route.arrowPeriodSeconds, 0.1...60), unit: "s",
            requiresRestart: false,
            "Time in which an arrow moves by one spacing."),
        Setting(
            .route, "node_spacing_m", .number(\.scene.route.nodeSpacingMetres, 1...1000), unit: "m",
            requiresRestart: false,
            "Spacing of the nodes on the route; turns have nodes in addition."),
        Setting(
            .route, "off_route_m", .number(\.scene.route.offRouteMetres, 1...1000), unit: "m",
            requiresRestart: false,
            "Distance beyond which the wearer is off the route, unless route.off_route_accuracies gives more; on it again "
                + "within half of that."),
        Setting(
            .route, "off_route_accuracies", .number(\.scene.route.offRouteAccuracies, 0...10),
            requiresRestart: false,
            "The same as a multiple of the horizontal accuracy; the larger of the two applies."),
        Setting(
            .route, "off_route_fixes", .whole(\.scene.route.offRouteFixes, 1...100), requiresRestart: false,
            "Number of consecutive fixes off the route before it is reported as left."),
        Setting(
            .route, "beside_m", .number(\.scene.route.besideMetres, 1...1000), unit: "m", requiresRestart: false,
            "Distance beyond which the wearer is off the route where the way that was walked leaves no doubt of it."),
        Setting(
            .route, "arrival_m", .number(\.scene.route.arrivalMetres, 1...1000), unit: "m", requiresRestart: false,
            "Distance from the destination within which the wearer has arrived."),
        Setting(
            .route, "walking_speed", .number(\.scene.route.walkingSpeed, 0.1...10), unit: "m/s",
            requiresRestart: false,
            "Walking speed for the remaining time, until the wearer's own speed is known."),
    ]

    private static let places: [Setting] = [
        Setting(
            .places, "radius_m", .number(\.scene.places.radiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Radius around the wearer in which places are shown, unless set by the client."),
        Setting(
            .places, "least_radius_m", .number(\.scene.places.minimumRadiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Minimum radius that a client may set."),
        Setting(
            .places, "most_radius_m", .number(\.scene.places.maximumRadiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Maximum radius that a client may set."),
        Setting(
            .places, "most_filters", .whole(\.scene.places.maximumFilterCount, 1...16), requiresRestart: false,
            "Maximum number of kinds in a filter."),
        Setting(
            .places, "most_shown", .whole(\.scene.places.maximumShownCount, 1...1000), requiresRestart: false,
            "Maximum number of places shown at once."),
        Setting(
            .places, "cap_hysteresis", .number(\.scene.places.capHysteresis, 0...1), requiresRestart: false,
            "Hysteresis of radius and count: a shown place stays until it exceeds them by this fraction."),
        Setting(
            .places, "near_m", .number(\.scene.places.nearMetres, 1...100_000), unit: "m", requiresRestart: false,
            "Outer limit of the near band."),
        Setting(
            .places, "middle_m", .number(\.scene.places.middleMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Outer limit of the middle band; places beyond are in the far band."),
        Setting(
            .places, "band_margin_m", .number(\.scene.places.bandMarginMetres, 0...1000), unit: "m",
            requiresRestart: false,
            "Hysteresis of the band limits."),
        Setting(
            .places, "proximity_m", .number(\.scene.places.proximityMetres, 1...10_000), unit: "m",
            requiresRestart: false,
            "Distance within which a place is reached."),
        Setting(
            .places, "proximity_enter", .number(\.scene.places.proximityEnter, 0.01...0.99), requiresRestart: false,
            "Probability of being within that distance above which the place is reported as reached."),
        Setting(
            .places, "proximity_leave", .number(\.scene.places.proximityLeave, 0.01...0.99), requiresRestart: false,
            "Probability below which the place is reported as left."),
        Setting(
            .places, "proximity_cooldown_seconds", .number(\.scene.places.proximityCooldownSeconds, 0...86_400),
            unit: "s", requiresRestart: false,
            "Minimum time before the same place is reported as reached again."),
        Setting(
            .places, "cluster_share", .number(\.scene.places.clusterShare, 0...1), requiresRestart: false,
            "Places are clustered when they are closer together than this fraction of the distance to the nearer "
                + "one; 0: never."),
        Setting(
            .places, "cluster_hysteresis", .number(\.scene.places.clusterHysteresis, 0...1), requiresRestart: false,
            "Hysteresis of clusters, as a fraction of that limit."),
    ]
}
