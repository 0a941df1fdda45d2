extension SceneSettings {
    /// Routes: what of them is shown, and when they are left or walked to the end.
    public struct Route: Hashable, Sendable {
        /// Of the route ahead, along it. Unit: metres.
        public var windowMetres = 100.0
        /// Between arrows, on a grid that the route carries. Unit: metres.
        public var arrowSpacingMetres = 3.0
        /// In which an arrow moves on by one spacing. Unit: seconds.
        public var arrowPeriodSeconds = 2.0
        /// Between coarse nodes; turns are kept besides. Unit: metres.
        public var nodeSpacingMetres = 20.0
        /// Off the route is farther from it than this, and than so many times the horizontal accuracy. Unit: metres, 1.
        public var offRouteMetres = 30.0
        public var offRouteAccuracies = 1.5
        /// Fixes in a row.
        public var offRouteFixes = 4
        /// From the destination. Unit: metres.
        public var arrivalMetres = 10.0
        /// For the time that is left, until the wearer's own pace is known. Unit: m/s.
        public var walkingSpeed = 1.3

        public init() {}
    }
}
