extension SceneSettings {
    /// How large, how far and where on the display things are shown.
    public struct Placements: Hashable, Sendable {
        /// The apparent size is full up to the near distance, then falls linearly to its least at the far one. Unit: metres.
        public var sizeNearMetres = 50.0
        public var sizeFarMetres = 2000.0
        /// Share of the full size that is left beyond the far distance.
        public var leastSize = 0.3
        /// Angle under which a mark of full size is seen. Unit: degrees.
        public var markDegrees = 3.0
        /// A far place is drawn at this distance and a share of its true one. Unit: metres, 1.
        public var displayBaseMetres = 10.0
        public var displayShare = 0.001
        /// Of the pulse: period (seconds), the opacity and the scale to which it goes.
        public var pulseSeconds = 1.0
        public var pulseOpacity = 0.1
        public var pulseScale = 1.2
        /// What is kept free along the border of the display for hints: share of its height.
        public var hintInset = 0.08
        /// The most hints of a display that does not say itself how many it has.
        public var mostHints = 3
        /// Between two hints along the border at least: share of the display's height.
        public var hintSpacing = 0.15
        /// Straight behind within this the hint stays at the bottom, and leaves it beyond the other. Unit: degrees.
        public var behindEnterDegrees = 10.0
        public var behindLeaveDegrees = 20.0
        /// Where head-locked things are drawn, ahead. Unit: metres.
        public var headLockedMetres = 1.0
        /// Range of the radar. Unit: metres.
        public var radarMetres = 500.0
        /// A ray hits within this of a placement's own size. Unit: degrees.
        public var pickDegrees = 2.0
        /// Of the wearer above the ground, for heights over it. Unit: metres.
        public var eyeHeightMetres = 1.6
        /// The most placements of one scene.
        public var mostPlacements = 256

        public init() {}
    }

    /// Labels: stacked in height so that none covers another or its own mark.
    public struct Labels: Hashable, Sendable {
        /// Of one label, as the wearer sees it. Unit: degrees.
        public var widthDegrees = 8.0
        public var heightDegrees = 2.0
        /// Elevation of the lowest slot, which is above marks at the level of the eyes, and from one to the next. Unit: degrees.
        public var lowestDegrees = 3.2
        public var slotDegrees = 2.2
        public var slots = 8
        /// A label changes its slot only when the better one has been free for so long. Unit: seconds.
        public var patienceSeconds = 2.0

        public init() {}
    }

    /// What is said to the wearer, and when.
    public struct Announcements: Hashable, Sendable {
        /// Distances before a turn and before the destination at which it is told, the farthest first. Unit: metres.
        public var distancesMetres = [100.0, 40.0, 12.0]
        /// Between two announcements, but for one that says more of the same. Unit: seconds.
        public var leastIntervalSeconds = 4.0
        /// Left and right are told only while the yaw is known to this. Unit: degrees.
        public var sideYawDegrees = 20.0

        public init() {}
    }
}
