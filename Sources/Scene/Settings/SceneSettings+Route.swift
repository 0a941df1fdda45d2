extension SceneSettings {
    /// Settings of routes: what is shown, and when a route counts as left or completed.
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
        /// Least distance from the route at which a position is off the route, in multiples of its horizontal accuracy;
        /// both limits must be exceeded.
        public var offRouteAccuracies = 1.5
        /// Number of consecutive off-route fixes after which the route counts as left.
        public var offRouteFixes = 4
        /// Distance from the destination within which the wearer has arrived. Unit: metres.
        public var arrivalMetres = 10.0
        /// Walking speed for the remaining time until the wearer's own pace is known. Unit: m/s.
        public var walkingSpeed = 1.3

        /// Default settings.
        public init() {}
    }
}
