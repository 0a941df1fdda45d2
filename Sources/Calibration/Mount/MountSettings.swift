/// Constants of the calibration of the mount, with their origins. Units: SI and radians.
enum MountSettings {
    private static let degree = Double.pi / 180

    // MARK: Standing and walking

    /// Samples are judged in blocks of this time: half a step.
    static let blockSeconds = 0.5
    /// A block of standing varies less than this: a person sways by 0.05 m/s² and 1 °/s, one who trembles by some times
    /// that; a walking one moves by 2 m/s² and 20 °/s or more.
    static let stillForceDeviation = 0.35
    static let stillRateDeviation = 0.1
    /// Of the mean rate in a still block; the bias of a gyroscope that nobody has calibrated is in it.
    static let stillRate = 0.2
    /// Against the bias, once it is known from the first stand.
    static let stillRateOverBias = 0.06
    /// The first stand: enough that the sway of a body averages out.
    static let standSeconds = 3.0
    /// Between two walks, and after the last: what levels the end of a walk.
    static let stopSeconds = 2.5
    /// At the edges of a stand, the newest or the oldest of it: the first and the last movement may be in them.
    static let edgeBlocks = 2
    /// Of a long stand the newest part that the level is taken from.
    static let standBlocks = 10
    /// Nobody walks 10 m for longer, and the integration is not trusted beyond.
    static let longestWalkSeconds = 40.0
    /// A pause between two samples breaks a stand or a walk.
    static let gapSeconds = 0.3

    // MARK: Plausible samples

    /// Of |f| at rest against gravity: accelerometers as they come differ by 2 % at most; more is a wrong scale or unit.
    static let gravityTolerance = 0.05
    /// Beyond these a sample is no motion of a person.
    static let largestForce = 1e3
    static let largestRate = 1e2

    /// Below it the swing of the steps is not seen as it is: ten samples a step. Unit: Hz.
    static let leastRate = 20.0

    // MARK: A straight walk

    /// What is asked for.
    static let askedDistance = 10.0
    /// A shorter walk does not count.
    static let leastDistance = 5.0
    /// How far the body may turn on the way; a walk round a corner turns by more.
    static let largestTurn = 30 * degree
    /// Of the line against the way: a straight walk has 0.98 or more, also of one who sways.
    static let leastStraightness = 0.9
    /// Velocity that integration finds after a stop, at once and for each second: more is a fall of the board, a shock, or a
    /// wrong scale. 0.3° of tilt are 0.05 m/s in a second.
    static let largestMisclosure = 0.4
    static let largestMisclosurePerSecond = 0.07
    /// By which gyroscope and gravity may disagree about the level after a walk.
    static let largestLevelMisclosure = 10 * degree
    /// A board on a walking body tilts less; one that is taken up, or slips, more.
    static let largestTilt = 30 * degree
    /// Between the stands before and after a walk, posture in it.
    static let largestSlip = 10 * degree
    /// A walk whose end was not seen is integrated so far only.
    static let openSeconds = 4.0
    /// Distance it must reach in that time.
    static let openDistance = 2.0

    // MARK: What stays uncertain. Standard deviations

    /// Where the body faces against where it walks, anew in each walk: gait and attention, of a board worn on head or
    /// trunk. One held in the hand points 12° off, leg by leg, on recorded walks: such a one has no mount.
    static let facing = 2 * degree
    /// Of the direction from second to second, looking about correlates over about this time.
    static let lookingSeconds = 2.0
    /// Of the yaw of a standing body while the gyroscope's bias is taken.
    static let standingYaw = 0.3 * degree
    /// Of the level that a stand tells, at the least: the movements of breath and heart, 0.005 m/s².
    static let leastTilt = 0.03 * degree
    /// And where a stand is too short to tell.
    static let unknownTilt = 0.3 * degree
    /// Of one who stands upright, from stand to stand, the mean that becomes the level.
    static let standingTilt = 0.12 * degree
    /// Error of the horizontal acceleration of a walk whose end was not seen: 0.2° of tilt.
    static let openAcceleration = 0.035
    /// Bias of an accelerometer that nobody has calibrated, per axis. Origin: zero-g offsets of data sheets, ±20 mg.
    static let accelerometerBias = 0.15
    /// Skew of its axes, per pair. Origin: data sheets, cross-axis sensitivity of 1 %.
    static let accelerometerSkew = 0.5 * degree
    /// The same after a calibration.
    static let calibratedBias = 0.01
    static let calibratedSkew = 0.05 * degree

    // MARK: Verdict

    /// Above it the calibration is refused.
    static let largestHeadingError = 10 * degree
    /// At it more walks are not asked for.
    static let goodHeadingError = 3 * degree
    /// Length of a step, for the progress alone. Origin: 0.41 of the height (Fitzgerald), 1.7 m.
    static let stepLength = 0.7
    /// A step rises and falls by more than this about gravity.
    static let stepForce = 0.8
}
