/// Constants of the mount calibration, with their origins. Units: SI and radians.
enum MountSettings {
    private static let degree = Double.pi / 180

    // MARK: Standing and walking

    /// Duration of a block in which standing is detected: half a step.
    static let blockSeconds = 0.5
    /// Largest standard deviation of the force in a block of standing. Sway causes 0.05 m/s², tremor several times as
    /// much, and walking 2 m/s² or more.
    static let stillForceStandardDeviation = 0.35
    /// Largest standard deviation of the rate in a block of standing. Sway causes 1 °/s, walking 20 °/s or more.
    static let stillRateStandardDeviation = 0.1
    /// Largest mean rate in a still block, including the bias of an uncalibrated gyroscope.
    static let stillRate = 0.2
    /// Largest difference of the mean rate in a still block from the bias, once the first stand has determined the
    /// bias.
    static let stillRateOverBias = 0.06
    /// Largest angle between gravity in the blocks of a stand. A standing body sways by 1° at most, while a body that
    /// straightens up slowly keeps turning.
    static let maximumSway = 3 * degree
    /// Duration of the first stand. It is long enough to average a body's sway.
    static let standSeconds = 3.0
    /// Duration of the stands between and after walks. They give the vertical at the end of a walk.
    static let stopSeconds = 2.5
    /// Number of blocks at each edge of a stand that may contain movement.
    static let edgeBlocks = 2
    /// Number of blocks that determine the vertical. In a long stand they are the newest ones.
    static let standBlocks = 10
    /// Longest walk. Walking 10 m takes less time, and integration over a longer time is inaccurate.
    static let maximumWalkSeconds = 40.0
    /// Gap between two samples that interrupts a stand or a walk.
    static let gapSeconds = 0.3

    // MARK: Plausible samples

    /// Largest relative difference of |f| at rest from gravity. For uncalibrated accelerometers it is 2 % at most, so
    /// that a larger one means a wrong scale or unit.
    static let gravityTolerance = 0.05
    /// Largest specific force that the motion of a person causes.
    static let maximumForce = 1e3
    /// Largest angular rate that the motion of a person causes.
    static let maximumRate = 1e2

    /// Lowest sampling rate that resolves a step, which then has ten samples. Unit: Hz.
    static let minimumRate = 20.0

    // MARK: A straight walk

    /// Distance that the user is asked to walk.
    static let askedDistance = 10.0
    /// Shortest accepted walk.
    static let minimumDistance = 5.0
    /// Largest rotation of the body during a walk. A walk round a corner turns the body further.
    static let maximumTurn = 30 * degree
    /// Smallest ratio of displacement to path length. A straight walk has a ratio of 0.98 or more, even with sway.
    static let minimumStraightness = 0.9
    /// Constant part of the largest velocity that the integration may give at the stop. If the velocity is larger, the
    /// board fell, was shaken or has a wrong scale.
    static let maximumMisclosure = 0.4
    /// Part of the largest velocity at the stop that is added for each second of the walk. A tilt error of 0.3° adds
    /// 0.05 m/s each second.
    static let maximumMisclosurePerSecond = 0.07
    /// Largest angle after a walk between the vertical from the gyroscope and the vertical from gravity.
    static let maximumTiltMisclosure = 10 * degree
    /// Largest tilt during a walk. A board that is picked up or slips tilts further.
    static let maximumTilt = 30 * degree
    /// Largest angle between gravity before and after a walk, including changes of posture.
    static let maximumSlip = 10 * degree
    /// Duration over which a walk without a stand at its end is integrated.
    static let openSeconds = 4.0
    /// Smallest distance that a walk without a stand at its end covers in `openSeconds`.
    static let openDistance = 2.0

    // MARK: Remaining uncertainty (standard deviations)

    /// Angle between facing and walking direction, independent for each walk, for a board worn on head or trunk. A
    /// board held in the hand has no fixed mount. On recorded walks its direction differs by 12° from leg to leg.
    static let facing = 2 * degree
    /// Correlation time of the facing direction while the wearer looks about.
    static let lookingSeconds = 2.0
    /// How much the yaw of a standing body changes while the gyroscope's bias is estimated.
    static let standingYaw = 0.3 * degree
    /// Lower bound of the tilt error of a stand. Breath and heartbeat move the board by 0.005 m/s².
    static let minimumTilt = 0.03 * degree
    /// Tilt error of a stand that is too short for the error to be estimated.
    static let unknownTilt = 0.3 * degree
    /// Tilt of an upright person, averaged over the stands.
    static let standingTilt = 0.12 * degree
    /// Error of the horizontal acceleration in a walk that did not end in a stand. It corresponds to 0.2° of tilt.
    static let openAcceleration = 0.035
    /// Bias of an uncalibrated accelerometer, for each axis. Origin: zero-g offsets of data sheets, ±20 mg.
    static let accelerometerBias = 0.15
    /// Skew of an uncalibrated accelerometer, for each pair of axes. Origin: cross-axis sensitivity of data sheets, 1
    /// %.
    static let accelerometerSkew = 0.5 * degree
    /// Bias of a calibrated accelerometer, per axis.
    static let calibratedBias = 0.01
    /// Skew of a calibrated accelerometer, per pair of axes.
    static let calibratedSkew = 0.05 * degree

    // MARK: Verdict

    /// Largest accepted heading error.
    static let maximumHeadingError = 10 * degree
    /// Heading error at which the session completes.
    static let goodHeadingError = 3 * degree
    /// Step length, used for the progress only. Origin: 0.41 of the body height (Fitzgerald), for 1.7 m.
    static let stepLength = 0.7
    /// Deviation of the specific force from gravity that every step exceeds.
    static let stepForce = 0.8
}
