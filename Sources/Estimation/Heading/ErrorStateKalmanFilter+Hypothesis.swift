import Geometry

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
        turnBody(by: Angle.wrapped(reading.yaw - heading.motion.yaw))
        let deviation = max(Self.leastDoubt, 2 * reading.deviation)
        isolate(ErrorState.yaw, count: 1, variance: deviation * deviation)
        heading.status = .unconfirmed(.geographic)
        // Whatever drew the yaw away has drawn the bias along.
        let bias = settings.initial.gyroBiasDeviation
        isolate(ErrorState.gyroBias, count: 3, variance: bias * bias)
        heading.field.refute()
        return true
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
        heading = HeadingKnowledge()
        gait.walked.restart()
        heading.field.refute()
    }

    /// Of a level taken from the mean force of half a second of walking. Unit: radians.
    private static let walkingTilt = 0.1

    /// The inertial sensor's velocity as the receiver has it, for the monitor. Frame: ENU. Unit: m/s.
    mutating func compareMotion(_ velocity: Vector3, _ fix: LocalFix) {
        let bias = ErrorState.gyroBias
        let drift = max(deviation(bias), deviation(bias + 1), deviation(bias + 2))
        heading.motion.compare(
            velocity: velocity, deviation: fix.velocityDeviation, drift: min(Self.fastestDrift, drift),
            isHeadingKnown: heading.isKnown, at: fix.time)
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
