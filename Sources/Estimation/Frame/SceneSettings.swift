extension EstimatorSettings {
    /// The continuous frame under which content is laid out.
    public struct Scene: Hashable, Sendable {
        /// Largest turn of the published alignment, and its share of the head's own turning. Units: rad/s, 1.
        public var slewRate = 0.087
        public var slewShareOfTurning = 0.15
        /// Largest shift of the published alignment. Unit: m/s.
        public var slewSpeed = 1.0
        public var slewShareOfSpeed = 0.5
        /// What is so near sees the turn and the shift together no faster than the turn alone may be: a distance, and for
        /// one who is fast the way of so long, for what lies on it passes anyway. Units: metres, seconds.
        public var slewNearDistance = 20.0
        public var slewNearSeconds = 10.0
        /// Largest rate with which the scene's axes follow north before a position is known. Unit: rad/s.
        public var northRate = 0.035
        /// Time constant and largest rate with which the scene's tilt follows. Units: seconds, rad/s.
        public var tiltSeconds = 0.5
        public var tiltRate = 0.035
        /// A correction is announced at most so often, beyond these changes. Units: seconds, radians, metres.
        public var announceSeconds = 0.1
        public var announceYaw = 3e-4
        public var announceShift = 0.005
        /// The origin of east, north and up comes along beyond so far from it: the vertical turns by 0.009° over it, and at
        /// middle latitudes so does north. Unit: metres.
        public var originRange = 1000.0
        public init() {}
    }
}
