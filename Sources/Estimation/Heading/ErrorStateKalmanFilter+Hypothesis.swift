import Geometry
import Model

/// What makes a filter a hypothesis of another north.
extension ErrorStateKalmanFilter {
    /// Another answer to where north is.
    ///
    /// What the magnetometer says was tried already: this filter is there in case it is wrong.
    mutating func suppose(yaw: Double, deviation: Double) {
        influence.cause = .headingSearch
        turnBody(by: yaw)
        isolate(ErrorState.yaw, count: 1, variance: deviation * deviation)
        heading.status = .unconfirmed(.geographic)
        heading.field.refute()
    }

    /// Widens the yaw where the hypotheses that agree with this one are spread more than it says.
    mutating func widenYaw(atLeast variance: Double) {
        propagateCovariance()
        let present = covariance[ErrorState.yaw, ErrorState.yaw]
        covariance[ErrorState.yaw, ErrorState.yaw] = max(present, variance)
    }

    /// Takes the answer of the monitor for its own, and gives every other another chance.
    ///
    /// - Returns: whether the two still differ; the reading is some seconds old.
    mutating func doubtHeading(_ reading: HeadingReading) -> Bool {
        guard heading.isKnown, reading.contradicts(heading.motion.yaw) else { return false }
        influence.cause = .headingMonitor
        let turn = Angle.wrapped(reading.yaw - heading.motion.yaw)
        turnBody(by: turn)
        turnMount(by: turn)
        // The way alone may mislead: the yaw so far stays within a deviation.
        let least = reading.isByPositionsAlone ? max(Self.leastDoubt, turn.magnitude) : Self.leastDoubt
        let deviation = max(least, 2 * reading.deviation)
        isolate(ErrorState.yaw, count: 1, variance: deviation * deviation)
        heading.status = .unconfirmed(.geographic)
        // Whatever drew the yaw away has drawn the bias along.
        let bias = settings.initial.gyroBiasDeviation
        isolate(ErrorState.gyroBias, count: 3, variance: bias * bias)
        heading.field.refute()
        return true
    }

    /// The direction of walking was seen against a board that looked elsewhere.
    private mutating func turnMount(by yaw: Double) {
        guard gait.mount.isKnown else { return }
        let azimuth = Angle.wrapped(gait.mount.azimuth + state.walkingDirection + yaw)
        let deviation = settings.steps.directionDeviation
        gait.mount =
            azimuth.magnitude < BoardMount.leastAzimuth && gait.mount.source == .design
            ? BoardMount() : BoardMount(azimuth: azimuth, source: .satellites)
        state.walkingDirection = gait.mount.source == .design ? azimuth : 0
        isolate(ErrorState.walkingDirection, count: 1, variance: deviation * deviation)
    }

    /// Standard deviation of a yaw that the monitor gave: 5°. Unit: radians.
    private static let leastDoubt = 0.087

    /// Gives up the yaw, and with it what was bent to fit it: tilt and biases.
    mutating func loseHeading() {
        propagateCovariance()
        let felt = state.rotationENUFromBody * rest.meanForce
        state.rotationENUFromBody = Levelling.rotation(force: felt) * state.rotationENUFromBody
        state.gyroBias = .zero
        state.accelerometerBias = .zero
        let start = settings.initial
        let deviations = [
            (ErrorState.attitude, 2, Self.walkingTilt), (ErrorState.yaw, 1, start.unknownYawDeviation),
            (ErrorState.gyroBias, 3, start.gyroBiasDeviation),
            (ErrorState.accelerometerBias, 3, start.accelerometerBiasDeviation),
        ]
        for (offset, count, deviation) in deviations {
            isolate(offset, count: count, variance: deviation * deviation)
        }
        heading = HeadingKnowledge(afterLevelFrame: heading.motion.number)
        gait.walked.restart()
        heading.field.refute()
    }

    /// Of a level taken from the mean force of half a second of walking. Unit: radians.
    private static let walkingTilt = 0.1

    /// The inertial sensor's velocity as the receiver has it, for the monitor. Frame: ENU. Unit: m/s.
    mutating func compareMotion(_ velocity: Vector3, _ fix: LocalFix) {
        heading.motion.compare(
            velocity: velocity, deviation: fix.velocityDeviation, drift: levelDrift, isHeadingKnown: heading.isKnown,
            at: fix.time)
    }

    /// Standard deviation of the rate at which the level frame turns by itself: the gyroscope's bias about up. Unit: rad/s.
    @inline(__always)
    var levelDrift: Double {
        let up = state.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        let axes: InlineArray<3, Double> = [up.x, up.y, up.z]
        var variance = 0.0
        for i in 0..<3 {
            for j in 0..<3 {
                variance += axes[i] * axes[j] * covariance.rows[ErrorState.gyroBias + i][ErrorState.gyroBias + j]
            }
        }
        return min(Self.fastestDrift, max(0, variance).squareRoot())
    }

    /// Unit: rad/s.
    private static let fastestDrift = 0.01

    /// Turns the body about up, counter-clockwise; where it is and how fast it moves is what the fixes said.
    mutating func turnBody(by yaw: Double) {
        let velocity = state.velocity
        turnFrame(by: yaw)
        state.velocity = velocity
        let spread = max(deviation(ErrorState.velocity), deviation(ErrorState.velocity + 1))
        isolate(ErrorState.velocity, count: 2, variance: spread * spread)
    }
}
