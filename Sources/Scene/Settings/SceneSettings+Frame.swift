extension SceneSettings {
    /// Settings of the scene frame: position estimates, correction of the axes and readiness.
    public struct Frame: Hashable, Sendable {
        /// Distance from the origin of the ENU plane beyond which the origin is moved to the wearer. Unit: metres.
        public var reanchorMetres = 1000.0
        /// Distance from the wearer beyond which an estimate can no longer be the best one. Unit: metres.
        public var estimateRangeMetres = 100.0
        /// Longest interval between two selections of the best estimate, which is also selected on every fix. Unit:
        /// seconds.
        public var estimateSeconds = 3.0
        /// Resolution at which accuracies of estimates are compared; the newest of equally accurate ones is the best.
        /// Unit: metres.
        public var estimateBucketMetres = 1.0
        /// Growth of the position's standard deviation as a share of the distance walked since the estimate.
        public var travelErrorShare = 0.05
        /// Number of estimates that are kept; the axes are evaluated when as many new ones have arrived.
        public var estimateCount = 100
        /// Longest interval between two evaluations of the axes, which limits the delay when fixes are rare. Unit:
        /// seconds.
        public var correctionSeconds = 10.0
        /// Horizontal accuracy beyond which an estimate is not used for the axes. Unit: metres.
        public var worstAccuracyMetres = 20.0
        /// Largest worst-case direction error asin((r1 + r2)/d) of a pair of estimates that is used for the axes. Unit:
        /// degrees.
        public var worstPairDegrees = 30.0
        /// Horizontal accuracy within which the frame is ready for placements. Unit: metres.
        public var readyAccuracyMetres = 10.0
        /// Yaw accuracy within which the frame is ready for placements. Unit: degrees.
        public var readyYawDegrees = 15.0
        /// Hysteresis of the horizontal accuracy: the frame stays ready up to `readyAccuracyMetres` plus this. Unit:
        /// metres.
        public var lostMarginMetres = 10.0
        /// Hysteresis of the yaw accuracy: the frame stays ready up to `readyYawDegrees` plus this. Unit: degrees.
        public var lostMarginDegrees = 10.0
        /// Time without readiness after which the frame is reported as stuck. Unit: seconds.
        public var patienceSeconds = 180.0

        /// Default settings.
        public init() {}
    }
}
