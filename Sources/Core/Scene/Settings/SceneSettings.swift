/// Settings of the scene, by section. The defaults are those of the configuration.
///
/// Angles are in degrees, as in the configuration, and their names say so.
public struct SceneSettings: Hashable, Sendable {
    package var frame = Frame()
    package var route = Route()
    package var places = Places()
    package var placements = Placements()
    package var labels = Labels()
    package var announcements = Announcements()
    package var anchors = Anchors()

    /// Default settings.
    public init() {}
}

extension SceneSettings {
    /// Settings of the scene frame: position estimates, correction of the axes and readiness.
    public struct Frame: Hashable, Sendable {
        /// Distance from the origin of the ENU plane beyond which the origin is moved to the wearer. Unit: metres.
        public var reanchorMetres = 1000.0
        /// Distance from the wearer beyond which an estimate can no longer be the best estimate. Unit: metres.
        public var estimateRangeMetres = 100.0
        /// Longest interval between two selections of the best estimate. Each fix also triggers a selection. Unit:
        /// seconds.
        public var estimateSeconds = 3.0
        /// Resolution at which accuracies of estimates are compared. If estimates are equally accurate, the newest is
        /// the best. Unit: metres.
        public var estimateBucketMetres = 1.0
        /// Growth of the position's standard deviation, as a fraction of the distance that was walked since the
        /// estimate.
        public var travelErrorShare = 0.05
        /// Number of estimates that are kept. When asked for, the yaw error of the axes is evaluated anew if this
        /// number of estimates has arrived since the last evaluation.
        public var estimateCount = 100
        /// Interval after which the axes are evaluated anew even if fewer estimates are new. It limits the delay when
        /// fixes are rare. Unit: seconds.
        public var correctionSeconds = 10.0
        /// Largest horizontal accuracy radius of an estimate that is used for the axes. Unit: metres.
        public var worstAccuracyMetres = 20.0
        /// Largest worst-case direction error, asin((r1 + r2)/d), of a pair of estimates that is used for the axes.
        /// Unit: degrees.
        public var worstPairDegrees = 30.0
        /// Largest horizontal accuracy radius with which the frame becomes ready for placements. Unit: metres.
        public var readyAccuracyMetres = 10.0
        /// Largest yaw accuracy with which the frame becomes ready for placements. Unit: degrees.
        public var readyYawDegrees = 15.0
        /// Hysteresis of the horizontal accuracy. The frame stays ready up to `readyAccuracyMetres` plus this value.
        /// Unit: metres.
        public var lostMarginMetres = 10.0
        /// Hysteresis of the yaw accuracy. The frame stays ready up to `readyYawDegrees` plus this value. Unit:
        /// degrees.
        public var lostMarginDegrees = 10.0
        /// Time without readiness after which the frame is reported as stuck. Unit: seconds.
        public var patienceSeconds = 180.0

        package init() {}
    }
}

extension SceneSettings {
    /// Settings of routes: the part that is shown, and the conditions under which a route is left or completed.
    public struct Route: Hashable, Sendable {
        /// Length of the stretch of the route ahead that is shown. Unit: metres.
        public var windowMetres = 100.0
        /// Spacing of arrows, on a grid that is fixed to the route. Unit: metres.
        public var arrowSpacingMetres = 3.0
        /// Time in which an arrow advances by one spacing. Unit: seconds.
        public var arrowPeriodSeconds = 2.0
        /// Spacing of the coarse nodes between turns. Unit: metres.
        public var nodeSpacingMetres = 20.0
        /// Least distance from the route at which a position is off the route. Unit: metres.
        public var offRouteMetres = 30.0
        /// Least distance from the route at which a position is off the route, as a multiple of the position's
        /// horizontal accuracy. Both limits must be exceeded.
        public var offRouteAccuracies = 1.5
        /// Number of consecutive off-route fixes after which the route counts as left.
        public var offRouteFixes = 4
        /// Distance from the route at which a position is off the route if the walked path shows with certainty that
        /// the wearer is beside it. Unit: metres.
        public var besideMetres = 8.0
        /// Distance from the destination within which the wearer has arrived. Unit: metres.
        public var arrivalMetres = 10.0
        /// Walking speed from which the remaining time is computed until the wearer's own pace is known. Unit: m/s.
        public var walkingSpeed = 1.3

        package init() {}
    }
}

extension SceneSettings {
    /// Settings of places: selection, distance bands, clusters and proximity events.
    public struct Places: Hashable, Sendable {
        /// Default radius around the wearer within which places are shown. Unit: metres.
        public var radiusMetres = 500.0
        /// Least radius that a filter may have. Unit: metres.
        public var minimumRadiusMetres = 200.0
        /// Greatest radius that a filter may have. Unit: metres.
        public var maximumRadiusMetres = 1000.0
        /// Maximum number of kinds in one filter.
        public var maximumFilterCount = 3
        /// Maximum number of places shown.
        public var maximumShownCount = 60
        /// Hysteresis of the limits on radius and count, as a fraction of the limit. A place that is shown stays until
        /// it exceeds the limit by this fraction.
        public var capHysteresis = 0.1
        /// Distance at which the near band ends. Unit: metres.
        public var nearMetres = 200.0
        /// Distance at which the middle band ends. Unit: metres.
        public var middleMetres = 500.0
        /// Hysteresis of the bands: distance beyond the end of a band at which a place leaves it. Unit: metres.
        public var bandMarginMetres = 5.0
        /// Distance within which a place counts as reached. Unit: metres.
        public var proximityMetres = 40.0
        /// Probability of being within the proximity distance above which a place counts as reached.
        public var proximityEnter = 0.7
        /// Probability of being within the proximity distance below which a reached place counts as left.
        public var proximityLeave = 0.3
        /// Time after leaving a place during which it cannot be reached again. Unit: seconds.
        public var proximityCooldownSeconds = 60.0
        /// Separation within which two places form a cluster, as a fraction of the distance to the nearer place.
        public var clusterShare = 0.5
        /// Hysteresis of clusters, as a fraction of `clusterShare` by which clustered places may exceed it and stay
        /// together.
        public var clusterHysteresis = 0.2

        package init() {}
    }
}

extension SceneSettings {
    /// Settings of the size, drawing distance and screen position of placements.
    public struct Placements: Hashable, Sendable {
        /// Distance up to which a fading placement has its full apparent size. Unit: metres.
        public var sizeNearMetres = 50.0
        /// Distance at which a fading placement reaches its least apparent size. Unit: metres.
        public var sizeFarMetres = 2000.0
        /// Apparent size beyond the far distance, as a fraction of the full apparent size.
        public var minimumSize = 0.3
        /// Visual angle of a mark of full size. Unit: degrees.
        public var markDegrees = 3.0
        /// Constant part of the distance at which a far place is drawn. Unit: metres.
        public var displayBaseMetres = 10.0
        /// Fraction of the true distance that is added to the distance at which a far place is drawn.
        public var displayShare = 0.001
        /// Period of the pulse. Unit: seconds.
        public var pulseSeconds = 1.0
        /// Opacity of a pulsing mark at the extreme of the pulse.
        public var pulseOpacity = 0.1
        /// Scale of a pulsing mark at the extreme of the pulse.
        public var pulseScale = 1.2
        /// Inset of hints from the border of the display, as a fraction of the display's height.
        public var hintInset = 0.08
        /// Maximum number of hints on a display that does not specify its own.
        public var maximumHintCount = 3
        /// Least spacing of two hints along the border, as a fraction of the display's height.
        public var hintSpacing = 0.15
        /// Half-angle of the cone straight behind the wearer in which a hint is held at the bottom of the display.
        /// Unit: degrees.
        public var behindEnterDegrees = 10.0
        /// Half-angle of the cone that a placement must leave before its hint is released from the bottom. Unit:
        /// degrees.
        public var behindLeaveDegrees = 20.0
        /// Distance ahead of the eye at which head-locked placements are drawn. Unit: metres.
        public var headLockedMetres = 1.0
        /// Range of the radar display. Unit: metres.
        public var radarMetres = 500.0
        /// Angular tolerance of picking, added to the apparent radius of a placement. Unit: degrees.
        public var pickDegrees = 2.0
        /// Height of the wearer's eyes above the ground, for heights given relative to the ground. Unit: metres.
        public var eyeHeightMetres = 1.6
        /// Maximum number of placements in one scene.
        public var maximumPlacementCount = 256

        package init() {}
    }

    /// Settings of labels, which are stacked in height so that no label covers another label or its own mark.
    public struct Labels: Hashable, Sendable {
        /// Visual angle of a label's width. Unit: degrees.
        public var widthDegrees = 8.0
        /// Visual angle of a label's height. Unit: degrees.
        public var heightDegrees = 2.0
        /// Elevation of the lowest slot, which is above marks at eye height. Unit: degrees.
        public var lowestDegrees = 3.2
        /// Difference of elevation between neighbouring slots. Unit: degrees.
        public var slotDegrees = 2.2
        /// Number of slots in which a label is placed if its own mark covers none of them.
        public var slots = 8
        /// Time for which a better slot must have been free before a label moves to it. Unit: seconds.
        public var patienceSeconds = 2.0

        package init() {}
    }

    /// Settings of spoken announcements.
    public struct Announcements: Hashable, Sendable {
        /// Distances from a turn or the destination at which it is announced, farthest first. Unit: metres.
        public var distancesMetres = [100.0, 40.0, 12.0]
        /// Least interval between two announcements about different subjects. Unit: seconds.
        public var minimumIntervalSeconds = 4.0
        /// Yaw standard deviation up to which left and right are announced. Unit: degrees.
        public var sideYawDegrees = 20.0

        package init() {}
    }
}

extension SceneSettings {
    /// Settings of anchors, which are placements made by clients.
    public struct Anchors: Hashable, Sendable {
        /// Maximum number of anchors of one client.
        public var maximumCountPerClient = 64
        /// Maximum number of anchors of all clients together.
        public var maximumCount = 256
        /// Distance between a held anchor and where the map puts it, beyond which the anchor is moved. Unit: standard
        /// deviations.
        public var holdSigmas = 3.0

        package init() {}
    }
}
