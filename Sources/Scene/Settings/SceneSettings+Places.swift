extension SceneSettings {
    /// Places: which are shown, in which bands, clusters and events.
    public struct Places: Hashable, Sendable {
        /// Around the wearer. Unit: metres; the slider goes from the least to the most.
        public var radiusMetres = 500.0
        public var leastRadiusMetres = 200.0
        public var mostRadiusMetres = 1000.0
        /// Filters by kind at one time.
        public var mostFilters = 3
        /// The most places shown.
        public var mostShown = 60
        /// One that is shown stays until it is beyond a cap by this share of it.
        public var capHysteresis = 0.1
        /// Ends of the near and the middle band, and how far beyond one it takes to change. Unit: metres.
        public var nearMetres = 200.0
        public var middleMetres = 500.0
        public var bandMarginMetres = 5.0
        /// A place nearer than this is reached. Unit: metres.
        public var proximityMetres = 40.0
        /// Probabilities with which it is reached, and with which it is left again.
        public var proximityEnter = 0.7
        public var proximityLeave = 0.3
        /// The same place is not reached again before. Unit: seconds.
        public var proximityCooldownSeconds = 60.0
        /// Places belong together within this share of the distance to the nearer one.
        public var clusterShare = 0.5
        /// And stay together until they are beyond it by this share of it.
        public var clusterHysteresis = 0.2

        public init() {}
    }
}
