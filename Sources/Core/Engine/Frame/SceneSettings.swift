extension PublicationSettings {
    /// Settings of the published alignment of the scene frame.
    public struct Scene: Hashable, Sendable {
        /// Time constant with which the published alignment follows its target. Raise it to keep content quieter but
        /// misplaced for longer. Unit: seconds. Origin: simulated walks, in which a longer time was no quieter.
        public var settlingSeconds = 8.0
        /// Largest rate of turn of small corrections. Raise it to follow them sooner, more visibly. Unit: rad/s.
        /// Origin: 0.02 °/s, a tenth of the error of the odometry.
        public var settlingRate = 4e-4
        /// Largest speed of small corrections vertically or across the line of sight. Raise it to follow them sooner,
        /// more visibly. Unit: m/s. Origin: 0.1 °/s at a distance of 10 m.
        public var settlingSpeed = 0.02
        /// Difference, in standard deviations of the target, at which the rate of (54) is twice its usual value. Raise
        /// it to follow only larger differences sooner. Origin: simulated walks; smaller corrections are within the
        /// uncertainty.
        public var settlingStandardDeviations = 1.7
        /// Turn at which the rate of (54) is twice its usual value, however uncertain the target is. Raise it to follow
        /// only larger differences sooner. Unit: radians. Origin: 2.3°, two metres at a distance of 50 m.
        public var settlingTurn = 0.04
        /// Shift at which the rate of (54) is twice its usual value, however uncertain the target is. Raise it to
        /// follow only larger differences sooner. Unit: metres. Origin: the distance to another door.
        public var settlingShift = 5.0
        /// Share of a vertical difference that is compared with `settlingShift` and the standard deviation. It is below
        /// 1 because a wrong height does not mislead, but its correction moves all content. Raise it to follow heights
        /// sooner, more visibly. Origin: the height accumulated at the beginning of a walk made content climb by 0.15
        /// m/s.
        public var settlingRiseShare = 0.5
        /// Factor by which the rates of small corrections are scaled while the wearer stands. Raise it to follow them
        /// sooner, more visibly.
        public var standingShare = 0.1
        /// Speed from which a wearer does not notice small corrections, so that they have their full rate. Raise it to
        /// follow them sooner only for faster wearers. Unit: m/s. Origin: a stroll.
        public var hidingPace = 0.75
        /// Number of standard deviations of the target beyond which a correction is large, so that it starts
        /// immediately and is reported. Raise it to let larger corrections settle unnoticed.
        public var largeStandardDeviations = 3.0
        /// Turn below which a correction is not large. Raise it to let larger corrections settle unnoticed. Unit:
        /// radians. Origin: 4°; a smaller turn needs no announcement.
        public var largeTurn = 0.07
        /// Horizontal shift below which a correction is not large. Raise it to let larger corrections settle unnoticed.
        /// Unit: metres. Origin: the width of a pavement.
        public var largeShift = 3.0
        /// Time constant with which a large correction ends. Raise it to end it more gently. Unit: seconds.
        public var correctionSeconds = 1.0
        /// Largest rate of turn of the published alignment. Raise it to bring content to its place sooner, more
        /// visibly. Unit: rad/s. Origin: 5 °/s; faster turns are hard to bear.
        public var slewRate = 0.087
        /// Share of the head's own rate of turn that is added to `slewRate`. Raise it to correct more while the head
        /// turns. Origin: a turning head hides a correction of this size.
        public var slewShareOfTurning = 0.15
        /// Largest speed of the shift of the published alignment. Raise it to bring content to its place sooner, more
        /// visibly. Unit: m/s. Origin: 15 m in 8 s.
        public var slewSpeed = 2.0
        /// Share of the wearer's own speed that is added to `slewSpeed`. Raise it to correct more while the wearer
        /// moves.
        public var slewShareOfSpeed = 0.5
        /// Distance of content at which turn and shift together must not appear faster than the largest turn. Raise it
        /// to let nearby content settle sooner, more visibly. Unit: metres.
        public var slewNearDistance = 25.0
        /// Travel time for a fast wearer, who soon passes the content ahead. The distance covered in this time replaces
        /// `slewNearDistance` if it is larger. Raise it to correct faster in vehicles. Unit: seconds.
        public var slewNearSeconds = 10.0
        /// Largest rate with which the scene's axes follow north before a position is known. Raise it to point the
        /// track north sooner, more visibly. Unit: rad/s. Origin: as `tiltRate`.
        public var northRate = 0.035
        /// Factor by which the rates of small corrections are scaled while a camera tracks, because its accurate
        /// odometry does not hide corrections. Raise it to follow them sooner, more visibly.
        public var trackedShare = 0.2
        /// Largest rate of turn while a camera tracks, except for large corrections. Raise it to follow corrections
        /// sooner, more visibly. Unit: rad/s. Origin: 0.06 °/s, a quarter of the error of the odometry.
        public var trackedRate = 1e-3
        /// Largest speed of the shift while a camera tracks, except for large corrections. Raise it to follow
        /// corrections sooner, more visibly. Unit: m/s. Origin: 0.1 °/s at a distance of 10 m.
        public var trackedSpeed = 0.02
        /// Time constant with which the scene's tilt follows the tilt of the filter. Raise it to follow the filter's
        /// vertical more slowly. Unit: seconds.
        public var tiltSeconds = 0.5
        /// Largest rate with which the scene's tilt follows the tilt of the filter. Raise it to correct the vertical
        /// sooner, more visibly. Unit: rad/s. Origin: 2 °/s, too slow to be seen.
        public var tiltRate = 0.035
        /// Shortest time between two announcements of a correction. Raise it to announce less often. Unit: seconds.
        /// Origin: one to six frames of a client.
        public var announceSeconds = 0.1
        /// Turn beyond which a correction is announced. Raise it to announce less often. Unit: radians. Origin: 0.02°;
        /// a smaller turn is not visible.
        public var announceYaw = 3e-4
        /// Shift beyond which a correction is announced. Raise it to announce less often. Unit: metres. Origin: 5 mm; a
        /// smaller shift is not visible.
        public var announceShift = 0.005
        /// Distance from the wearer beyond which the ENU origin is moved. Over this distance the vertical, and at
        /// middle latitudes also north, changes by 0.009°. Raise it to move the origin less often. Unit: metres.
        public var originRange = 1000.0
        package init() {}
    }
}
