import Scene

extension Setting {
    /// What wearers see: the scene frame, routes, places, placements, labels, announcements and anchors.
    ///
    /// `SceneSettings` holds the defaults; a field of it without a line here is an error that a test finds.
    static let scene: [Setting] = frame + route + places + placements + labels + announcements + anchors

    /// The estimator shares them, so they change at a start only: a recording of the whole run replays to the same poses.
    private static let frame: [Setting] = [
        Setting(
            .frame, "reanchor_m", .number(\.scene.frame.reanchorMetres, 100...10_000), unit: "m",
            requiresRestart: true,
            "Beyond so far from the origin of east, north and up, the origin comes along."),
        Setting(
            .frame, "estimate_range_m", .number(\.scene.frame.estimateRangeMetres, 10...10_000), unit: "m",
            requiresRestart: true,
            "An estimate of the position farther than this from the wearer is no longer the best."),
        Setting(
            .frame, "estimate_seconds", .number(\.scene.frame.estimateSeconds, 0.1...60), unit: "s",
            requiresRestart: true,
            "The best estimate is chosen anew on every fix, and at least so often."),
        Setting(
            .frame, "estimate_bucket_m", .number(\.scene.frame.estimateBucketMetres, 0.01...100), unit: "m",
            requiresRestart: true,
            "Accuracies that differ by less are equal: then the newest estimate is the best."),
        Setting(
            .frame, "travel_error_share", .number(\.scene.frame.travelErrorShare, 0...1), requiresRestart: true,
            "How the uncertainty of the position grows with the way since the estimate: its share of that way."),
        Setting(
            .frame, "estimate_count", .whole(\.scene.frame.estimateCount, 4...1000), requiresRestart: true,
            "So many estimates are kept; the axes are looked at when as many new ones have come."),
        Setting(
            .frame, "correction_seconds", .number(\.scene.frame.correctionSeconds, 1...600), unit: "s",
            requiresRestart: true,
            "The axes are looked at no less often, also when few fixes come."),
        Setting(
            .frame, "worst_accuracy_m", .number(\.scene.frame.worstAccuracyMetres, 0.1...1000), unit: "m",
            requiresRestart: true,
            "Estimates of a worse accuracy do not correct the axes."),
        Setting(
            .frame, "worst_pair_degrees", .number(\.scene.frame.worstPairDegrees, 1...90), unit: "°",
            requiresRestart: true,
            "Two estimates do not count when the error of the direction between them can be larger: two accuracies "
                + "of 5 m make 90° at 10 m and 20° at 29 m."),
        Setting(
            .frame, "ready_accuracy_m", .number(\.scene.frame.readyAccuracyMetres, 0.1...1000), unit: "m",
            requiresRestart: true,
            "The frame is ready for placements at this horizontal accuracy, and poses are called localized."),
        Setting(
            .frame, "ready_yaw_degrees", .number(\.scene.frame.readyYawDegrees, 0.1...180), unit: "°",
            requiresRestart: true,
            "And at this accuracy of the heading."),
        Setting(
            .frame, "lost_margin_m", .number(\.scene.frame.lostMarginMetres, 0...1000), unit: "m",
            requiresRestart: true,
            "It is lost when its horizontal accuracy is worse than frame.ready_accuracy_m by more than this."),
        Setting(
            .frame, "lost_margin_degrees", .number(\.scene.frame.lostMarginDegrees, 0...180), unit: "°",
            requiresRestart: true,
            "It is lost when its heading is worse than frame.ready_yaw_degrees by more than this."),
        Setting(
            .frame, "patience_seconds", .number(\.scene.frame.patienceSeconds, 1...3600), unit: "s",
            requiresRestart: true,
            "A frame that is not ready after so long is said to be stuck."),
    ]

    private static let route: [Setting] = [
        Setting(
            .route, "window_m", .number(\.scene.route.windowMetres, 10...1000), unit: "m", requiresRestart: false,
            "How much of the route ahead is shown, along it."),
        Setting(
            .route, "arrow_spacing_m", .number(\.scene.route.arrowSpacingMetres, 0.5...100), unit: "m",
            requiresRestart: false,
            "From one arrow on the route to the next."),
        Setting(
            .route, "arrow_period_seconds", .number(\.scene.route.arrowPeriodSeconds, 0.1...60), unit: "s",
            requiresRestart: false,
            "An arrow moves on by one spacing in this time."),
        Setting(
            .route, "node_spacing_m", .number(\.scene.route.nodeSpacingMetres, 1...1000), unit: "m",
            requiresRestart: false,
            "From one node on the route to the next; turns are kept besides."),
        Setting(
            .route, "off_route_m", .number(\.scene.route.offRouteMetres, 1...1000), unit: "m",
            requiresRestart: false,
            "The wearer is off the route when farther from it than this, and than route.off_route_accuracies."),
        Setting(
            .route, "off_route_accuracies", .number(\.scene.route.offRouteAccuracies, 0...10),
            requiresRestart: false,
            "The same as a multiple of the horizontal accuracy; what is more of the two counts."),
        Setting(
            .route, "off_route_fixes", .whole(\.scene.route.offRouteFixes, 1...100), requiresRestart: false,
            "So many fixes in a row have to say that the route was left."),
        Setting(
            .route, "arrival_m", .number(\.scene.route.arrivalMetres, 1...1000), unit: "m", requiresRestart: false,
            "The wearer has arrived when nearer to the destination than this."),
        Setting(
            .route, "walking_speed", .number(\.scene.route.walkingSpeed, 0.1...10), unit: "m/s",
            requiresRestart: false,
            "For the time that is left, until the wearer's own pace is known."),
    ]

    private static let places: [Setting] = [
        Setting(
            .places, "radius_m", .number(\.scene.places.radiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Places are shown up to so far from the wearer, unless a client sets another radius."),
        Setting(
            .places, "least_radius_m", .number(\.scene.places.leastRadiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "The least radius that a client may set."),
        Setting(
            .places, "most_radius_m", .number(\.scene.places.mostRadiusMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "The greatest radius that a client may set."),
        Setting(
            .places, "most_filters", .whole(\.scene.places.mostFilters, 1...16), requiresRestart: false,
            "So many kinds of places can be chosen at one time."),
        Setting(
            .places, "most_shown", .whole(\.scene.places.mostShown, 1...1000), requiresRestart: false,
            "The most places that are shown at once."),
        Setting(
            .places, "cap_hysteresis", .number(\.scene.places.capHysteresis, 0...1), requiresRestart: false,
            "A place that is shown stays until it is beyond the radius or the count by this share of it."),
        Setting(
            .places, "near_m", .number(\.scene.places.nearMetres, 1...100_000), unit: "m", requiresRestart: false,
            "Places nearer than this are in the near band."),
        Setting(
            .places, "middle_m", .number(\.scene.places.middleMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Places nearer than this are in the middle band, all others in the far one."),
        Setting(
            .places, "band_margin_m", .number(\.scene.places.bandMarginMetres, 0...1000), unit: "m",
            requiresRestart: false,
            "A place changes its band when it is beyond the border by so much."),
        Setting(
            .places, "proximity_m", .number(\.scene.places.proximityMetres, 1...10_000), unit: "m",
            requiresRestart: false,
            "A place nearer than this is reached."),
        Setting(
            .places, "proximity_enter", .number(\.scene.places.proximityEnter, 0.01...0.99), requiresRestart: false,
            "It is told as reached when that is likelier than this."),
        Setting(
            .places, "proximity_leave", .number(\.scene.places.proximityLeave, 0.01...0.99), requiresRestart: false,
            "It is told as left when having reached it is less likely than this."),
        Setting(
            .places, "proximity_cooldown_seconds", .number(\.scene.places.proximityCooldownSeconds, 0...86_400),
            unit: "s", requiresRestart: false,
            "The same place is not told as reached again before."),
        Setting(
            .places, "cluster_share", .number(\.scene.places.clusterShare, 0...1), requiresRestart: false,
            "Places are shown as one when they are closer together than this share of the distance to the nearer "
                + "one; 0 never."),
        Setting(
            .places, "cluster_hysteresis", .number(\.scene.places.clusterHysteresis, 0...1), requiresRestart: false,
            "They stay together until they are beyond that by this share of it."),
    ]
}
