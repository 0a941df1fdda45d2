/// How a simulated wearer walks straight ahead. Angles are in radians.
public struct WalkStyle: Hashable, Sendable {
    /// Of a steady pace. Unit: m/s.
    public var speed: Double
    /// From a stand to the steady pace, and back. Unit: seconds.
    public var rampSeconds: Double
    /// Unit: metres.
    public var stepLength: Double
    /// How much the gait differs from the usual one, left from right too; 0 is the same for everybody.
    public var variety: Double
    /// How far the way turns off the straight line and back again, standard deviation.
    public var wander: Double
    /// How far the wearer looks about, standard deviation.
    public var looking: Double
    /// By how much one walk goes off where the wearer faces, standard deviation, drawn walk by walk.
    public var facing: Double
    /// A turn of the way over its length, for walks that are none: counter-clockwise.
    public var turn: Double

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
