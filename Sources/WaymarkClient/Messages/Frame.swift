/// The scene frame against the earth (`org.waymark.Pose`), sent when it is corrected.
public struct Frame: Codable, Hashable, Sendable {
    public var sequence: Int
    public var missed: Int?
    public var time: Time
    public var generation: Int
    /// Of the ENU frame in which the alignments stand; nil until a position is known.
    public var origin: Geo?
    /// What holds now.
    public var published: Alignment
    /// Towards which `published` slews.
    public var target: Alignment
    /// When it will be there; nil when it is.
    public var slewEnd: Time?

    /// A point of the scene in ENU is Rz(yaw)·(x, −z, y) + (east, north, up).
    public struct Alignment: Codable, Hashable, Sendable {
        /// Counter-clockwise about up. Unit: degrees.
        public var yaw: Double
        /// Of the scene's origin. Unit: metres.
        public var east: Double
        public var north: Double
        public var up: Double
    }
}
