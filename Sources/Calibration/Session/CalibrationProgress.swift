import Geometry

/// State of a running calibration, to be shown to the user.
public struct CalibrationProgress: Hashable, Sendable {
    /// Next action of the user; the raw values are those of the wire.
    public enum Instruction: String, Hashable, Sendable, CaseIterable {
        /// No sample of a required sensor has arrived, or it has stopped.
        case waitForSamples
        /// Keep the board at rest.
        case holdStill
        /// The board moves while it should be at rest.
        case movesTooMuch
        /// A pose is being recorded: keep it.
        case keepPose
        /// The pose is recorded: turn the board to another one.
        case turnToNextPose
        /// Turn the board through the directions not covered yet.
        case turnThroughDirections
        /// The board turns too fast for the sampling rate.
        case turnSlower
        /// A magnet or iron disturbs the field: move away from it.
        case leaveDisturbance
        /// Walk straight ahead.
        case walkStraight
        /// The session is complete.
        case done
    }

    /// Action the user should take now.
    public var instruction: Instruction
    /// Progress towards completion, from 0 to 1.
    public var fraction: Double
    /// Time covered by the samples so far. Unit: seconds.
    public var seconds: Double
    /// Predicted heading error of a fit to the samples so far; nil while there is no fit. Unit: radians.
    public var predictedHeadingError: Double?
    /// Predicted tilt error of a fit to the samples so far; nil while there is no fit. Unit: radians.
    public var predictedTiltError: Double?
    /// Covered directions, for kinds that need the whole sphere.
    public var coverage: SphereCoverage?
    /// Up direction of each still pose so far. Frame: the board's axes.
    public var poses: [Vector3]
    /// Current direction of the measured vector (up, or the magnetic field). Frame: the board's axes.
    public var direction: Vector3?
    /// Direction farthest from all covered ones, to turn to next. Frame: the board's axes.
    public var missing: Vector3?

    /// Progress without figures of a fit; the other properties are set afterwards.
    public init(instruction: Instruction, fraction: Double = 0, seconds: Double = 0) {
        self.instruction = instruction
        self.fraction = fraction
        self.seconds = seconds
        poses = []
    }
}
