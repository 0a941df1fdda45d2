import Geometry

/// What the one who calibrates should see while it goes on.
public struct CalibrationProgress: Hashable, Sendable {
    /// What to do now.
    public enum Instruction: String, Hashable, Sendable, CaseIterable {
        case waitForSamples
        case holdStill
        /// It moves while it should lie still.
        case movesTooMuch
        /// A pose is being taken: stay.
        case keepPose
        /// The pose is taken: turn the board into another.
        case turnToNextPose
        /// Turn it through the directions that are missing.
        case turnThroughDirections
        case turnSlower
        /// A magnet or iron passes by.
        case leaveDisturbance
        case walkStraight
        case done
    }

    public var instruction: Instruction
    /// Towards the end by itself, 0…1.
    public var fraction: Double
    /// Of samples so far. Unit: seconds.
    public var seconds: Double
    /// Predicted of a fit of what there is so far; nil while there is none. Unit: radians.
    public var predictedHeadingError: Double?
    public var predictedTiltError: Double?
    /// Directions seen, for kinds that need them all.
    public var coverage: SphereCoverage?
    /// Still poses so far: the direction of up in the board's axes.
    public var poses: [Vector3]
    /// The direction of what is measured now (up, or the field), in the board's axes.
    public var direction: Vector3?
    /// Which way to turn next: the direction that is missing most, in the board's axes.
    public var missing: Vector3?

    public init(instruction: Instruction, fraction: Double = 0, seconds: Double = 0) {
        self.instruction = instruction
        self.fraction = fraction
        self.seconds = seconds
        poses = []
    }
}
