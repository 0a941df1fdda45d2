/// A position that a client has found by itself, beside the pose of that moment.
public struct Estimate: Codable, Equatable, Sendable {
    /// Time of the position, on CLOCK_BOOTTIME.
    public var time: Time
    public var generation: Int
    /// Position of the subject in the scene, by the pose of that time.
    public var position: Vector
    /// The same on the earth, by the frame as it is published now.
    public var geo: Geo
    /// How well `geo` is known, metres; nil where it is not.
    public var horizontalAccuracy: Double?
    public var verticalAccuracy: Double?
    /// Where the frame that is published now puts the client's position.
    public var fixPosition: Vector
    /// From `geo` to the client's position, metres; `up` where both heights are above the ellipsoid.
    public var east: Double
    public var north: Double
    public var up: Double?
    /// The same over ground.
    public var distance: Double
    /// The same over ground in standard deviations of one axis, both accuracies together; nil where one is not known.
    public var deviations: Double?
}
