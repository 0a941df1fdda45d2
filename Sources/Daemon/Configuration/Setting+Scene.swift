import Scene

extension Setting {
    /// Contents of the scene: frame, routes, places, placements, labels, announcements and anchors.
    ///
    /// `SceneSettings` holds the defaults; a test requires a setting here for each of its fields.
    static let scene: [Setting] = frame + route + places + placements + labels + announcements + language + anchors

    /// The estimator also uses these settings. A change takes effect only at the next start, so that a recording of a
    /// whole run replays to the same poses.
    private static let frame: [Setting] = section(.frame, \.scene.frame, requiresRestart: true) {
        [
            $0.number(
                "reanchor_m", \.reanchorMetres, 100...10_000,
                "Distance from the origin of the east-north-up frame beyond which the origin is moved to the wearer."),
            $0.number(
                "estimate_range_m", \.estimateRangeMetres, 10...10_000,
                "Maximum distance of the best position estimate from the wearer."),
            $0.number(
                "estimate_seconds", \.estimateSeconds, 0.1...60,
                "Maximum interval between selections of the best estimate, which is also selected on every fix."),
            $0.number(
                "estimate_bucket_m", \.estimateBucketMetres, 0.01...100,
                "Accuracy difference below which estimates are equivalent, so that the newest is the best."),
            $0.number(
                "travel_error_share", \.travelErrorShare, 0...1,
                "Growth of the position uncertainty since the estimate, relative to the distance travelled."),
            $0.whole(
                "estimate_count", \.estimateCount, 4...1000,
                "Number of stored estimates. The axes are checked when the status is asked for, if this many are new."),
            $0.number(
                "correction_seconds", \.correctionSeconds, 1...600,
                "Interval after which the axes are checked even if fewer estimates are new."),
            $0.number(
                "worst_accuracy_m", \.worstAccuracyMetres, 0.1...1000,
                "Worst accuracy of an estimate that is used to correct the axes."),
            $0.number(
                "worst_pair_degrees", \.worstPairDegrees, 1...90,
                "Maximum error of the direction between two estimates that are used as a pair: two accuracies of 5 m "
                    + "give 90° at 10 m and 20° at 29 m."),
            $0.number(
                "ready_accuracy_m", \.readyAccuracyMetres, 0.1...1000,
                "Horizontal accuracy at which the frame is ready for placements and poses are localized."),
            $0.number(
                "ready_yaw_degrees", \.readyYawDegrees, 0.1...180,
                "Accuracy required for the same, of a heading that motion has confirmed."),
            $0.number(
                "lost_margin_m", \.lostMarginMetres, 0...1000,
                "The frame is lost when its horizontal accuracy exceeds frame.ready_accuracy_m by more than this."),
            $0.number(
                "lost_margin_degrees", \.lostMarginDegrees, 0...180,
                "The frame is lost when its heading accuracy exceeds frame.ready_yaw_degrees by more than this."),
            $0.number(
                "patience_seconds", \.patienceSeconds, 1...3600,
                "Time after which a frame that is not ready is reported as stuck."),
        ]
    }

    private static let route: [Setting] = section(.route, \.scene.route, requiresRestart: false) {
        [
            $0.number("window_m", \.windowMetres, 10...1000, "Length of the route shown ahead."),
            $0.number("arrow_spacing_m", \.arrowSpacingMetres, 0.5...100, "Spacing of the arrows on the route."),
            $0.number(
                "arrow_period_seconds", \.arrowPeriodSeconds, 0.1...60, "Time in which an arrow moves by one spacing."),
            $0.number(
                "node_spacing_m", \.nodeSpacingMetres, 1...1000,
                "Spacing of the nodes on the route; turns have nodes in addition."),
            $0.number(
                "off_route_m", \.offRouteMetres, 1...1000,
                "Distance beyond which the wearer is off the route, unless route.off_route_accuracies gives more; on "
                    + "it again within half of that."),
            $0.number(
                "off_route_accuracies", \.offRouteAccuracies, 0...10,
                "The same as a multiple of the horizontal accuracy; the larger of the two applies."),
            $0.whole(
                "off_route_fixes", \.offRouteFixes, 1...100,
                "Number of consecutive fixes off the route before it is reported as left."),
            $0.number(
                "beside_m", \.besideMetres, 1...1000,
                "Distance beyond which the wearer is off the route where the way that was walked leaves no doubt of "
                    + "it."),
            $0.number(
                "arrival_m", \.arrivalMetres, 1...1000,
                "Distance from the destination within which the wearer has arrived."),
            $0.number(
                "walking_speed", \.walkingSpeed, 0.1...10,
                "Walking speed for the remaining time, until the wearer's own speed is known."),
        ]
    }

    private static let places: [Setting] = section(.places, \.scene.places, requiresRestart: false) {
        [
            $0.number(
                "radius_m", \.radiusMetres, 1...100_000,
                "Radius around the wearer in which places are shown, unless set by the client."),
            $0.number("least_radius_m", \.minimumRadiusMetres, 1...100_000, "Minimum radius that a client may set."),
            $0.number("most_radius_m", \.maximumRadiusMetres, 1...100_000, "Maximum radius that a client may set."),
            $0.whole("most_filters", \.maximumFilterCount, 1...16, "Maximum number of kinds in a filter."),
            $0.whole("most_shown", \.maximumShownCount, 1...1000, "Maximum number of places shown at once."),
            $0.number(
                "cap_hysteresis", \.capHysteresis, 0...1,
                "Hysteresis of radius and count: a shown place stays until it exceeds them by this fraction."),
            $0.number("near_m", \.nearMetres, 1...100_000, "Outer limit of the near band."),
            $0.number(
                "middle_m", \.middleMetres, 1...100_000,
                "Outer limit of the middle band; places beyond are in the far band."),
            $0.number("band_margin_m", \.bandMarginMetres, 0...1000, "Hysteresis of the band limits."),
            $0.number("proximity_m", \.proximityMetres, 1...10_000, "Distance within which a place is reached."),
            $0.number(
                "proximity_enter", \.proximityEnter, 0.01...0.99,
                "Probability of being within that distance above which the place is reported as reached."),
            $0.number(
                "proximity_leave", \.proximityLeave, 0.01...0.99,
                "Probability below which the place is reported as left."),
            $0.number(
                "proximity_cooldown_seconds", \.proximityCooldownSeconds, 0...86_400,
                "Minimum time before the same place is reported as reached again."),
            $0.number(
                "cluster_share", \.clusterShare, 0...1,
                "Places are clustered when they are closer together than this fraction of the distance to the nearer "
                    + "one; 0: never."),
            $0.number(
                "cluster_hysteresis", \.clusterHysteresis, 0...1,
                "Hysteresis of clusters, as a fraction of that limit."),
        ]
    }
}
