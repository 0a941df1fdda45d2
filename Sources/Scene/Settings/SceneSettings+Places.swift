extension SceneSettings {
    /// Settings of places: selection, distance bands, clusters and proximity events.
    public struct Places: Hashable, Sendable {
        /// Default radius around the wearer within which places are shown. Unit: metres.
        public var radiusMetres = 500.0
        /// Least radius that a filter may have. Unit: metres.
        public var leastRadiusMetres = 200.0
        /// Greatest radius that a filter may have. Unit: metres.
        public var mostRadiusMetres = 1000.0
        /// Maximum number of kinds in one filter.
        public var mostFilters = 3
        /// Maximum number of places shown.
        public var mostShown = 60
        /// Hysteresis of limits on radius and count, as a share of the limit: a place that is shown stays until it
        /// exceeds the limit by this share.
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
        /// Separation within which two places form a cluster, as a share of the distance to the nearer one.
        public var clusterShare = 0.5
        /// Hysteresis of clusters, as a share of `clusterShare`: clustered places stay together up to this much beyond
        /// it.
        public var clusterHysteresis = 0.2

        /// Default settings.
        public init() {}
    }
}
