/// Random figures of a gait. Angles are in radians.
public struct WalkStyle: Hashable, Sendable {
    /// Steady speed. Unit: m/s.
    public var speed: Double
    /// Duration of the acceleration to the steady speed, and of the deceleration. Unit: seconds.
    public var rampSeconds: Double
    /// Length of a step. Unit: metres.
    public var stepLength: Double
    /// Factor of the random deviations from the average gait, also between left and right; 0 is without.
    public var variety: Double
    /// Standard deviation of the course about the straight line.
    public var wander: Double
    /// Standard deviation of the head's yaw about the course.
    public var looking: Double
    /// Standard deviation of the angle between facing and walking direction, drawn for each walk.
    public var facing: Double
    /// Total turn of the path, for walks that are not straight, counter-clockwise.
    public var turn: Double

    /// The style of an average walk unless given.
    public init(
        speed: Double = 1.3, rampSeconds: Double = 1.6, stepLength: Double = 0.72, variety: Double = 1,
        wander: Double = 0.02, looking: Double = 0.03, facing: Double = 0.035, turn: Double = 0
    ) {
        self.speed = speed
        self.rampSeconds = rampSeconds
        self.stepLength = stepLength
        self.variety = variety
        self.wander = wander
        self.looking = looking
        self.facing = facing
        self.turn = turn
    }
}
