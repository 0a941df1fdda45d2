extension SceneSettings {
    /// The scene frame against the earth: estimates, correction of its axes, readiness.
    public struct Frame: Hashable, Sendable {
        /// Beyond so far from the origin of east, north and up, the origin comes along. Unit: metres.
        public var reanchorMetres = 1000.0
        /// An estimate farther than this from the wearer is no longer the best. Unit: metres.
        public var estimateRangeMetres = 100.0
        /// The best estimate is chosen anew on every fix, and at least so often. Unit: seconds.
        public var estimateSeconds = 3.0
        /// Accuracies that differ by less are equal: then the newest is the best. Unit: metres.
        public var estimateBucketMetres = 1.0
        /// How the position's deviation grows with the way since the estimate: its share of that way.
        public var travelErrorShare = 0.05
        /// So many estimates are kept; the axes are looked at when as many new ones have come.
        public var estimateCount = 100
        /// The axes are looked at no less often, so that they are also without many fixes. Unit: seconds.
        public var correctionSeconds = 10.0
        /// Estimates worse than this do not correct the axes. Unit: metres.
        public var worstAccuracyMetres = 20.0
        /// A pair whose worst error of direction, asin((r1 + r2)/d), is larger does not count. Unit: degrees.
        public var worstPairDegrees = 30.0
        /// The frame is ready for placements within these.
        public var readyAccuracyMetres = 10.0
        public var readyYawDegrees = 15.0
        /// And no longer ready when they are exceeded by so much.
        public var lostMarginMetres = 10.0
        public var lostMarginDegrees = 10.0
        /// One that is not ready after so long is said to be stuck. Unit: seconds.
        public var patienceSeconds = 180.0

        public init() {}
    }
}
