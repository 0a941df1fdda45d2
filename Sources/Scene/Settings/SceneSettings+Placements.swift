extension SceneSettings {
    /// Settings of the size, drawing distance and screen position of placements.
    public struct Placements: Hashable, Sendable {
        /// Distance up to which a fading placement has its full apparent size. Unit: metres.
        public var sizeNearMetres = 50.0
        /// Distance from which on a fading placement has its least apparent size. Unit: metres.
        public var sizeFarMetres = 2000.0
        /// Share of the full apparent size beyond the far distance.
        public var leastSize = 0.3
        /// Visual angle of a mark of full size. Unit: degrees.
        public var markDegrees = 3.0
        /// Constant part of the distance at which a far place is drawn. Unit: metres.
        public var displayBaseMetres = 10.0
        /// Share of the true distance that is added to the distance at which a far place is drawn.
        public var displayShare = 0.001
        /// Period of the pulse. Unit: seconds.
        public var pulseSeconds = 1.0
        /// Opacity of a pulsing mark at the extreme of the pulse.
        public var pulseOpacity = 0.1
        /// Scale of a pulsing mark at the extreme of the pulse.
        public var pulseScale = 1.2
        /// Inset of hints from the border of the display, as a share of the display's height.
        public var hintInset = 0.08
        /// Maximum number of hints on a display that does not specify its own.
        public var mostHints = 3
        /// Least spacing of two hints along the border, as a share of the display's height.
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
        public var mostPlacements = 256

        /// Default settings.
        public init() {}
    }

    /// Settings of labels, which are stacked in height so that none covers another label or its own mark.
    public struct Labels: Hashable, Sendable {
        /// Visual angle of a label's width. Unit: degrees.
        public var widthDegrees = 8.0
        /// Visual angle of a label's height. Unit: degrees.
        public var heightDegrees = 2.0
        /// Elevation of the lowest slot, which is above marks at eye height. Unit: degrees.
        public var lowestDegrees = 3.2
        /// Difference of elevation between neighbouring slots. Unit: degrees.
        public var slotDegrees = 2.2
        /// Number of slots from which a label without a covering mark is placed.
        public var slots = 8
        /// Time for which a better slot must have been free before a label moves to it. Unit: seconds.
        public var patienceSeconds = 2.0

        /// Default settings.
        public init() {}
    }

    /// Settings of spoken announcements.
    public struct Announcements: Hashable, Sendable {
        /// Distances before a turn or the destination at which it is announced, farthest first. Unit: metres.
        public var distancesMetres = [100.0, 40.0, 12.0]
        /// Least interval between two announcements about different subjects. Unit: seconds.
        public var leastIntervalSeconds = 4.0
        /// Yaw standard deviation up to which left and right are announced. Unit: degrees.
        public var sideYawDegrees = 20.0

        /// Default settings.
        public init() {}
    }
}
