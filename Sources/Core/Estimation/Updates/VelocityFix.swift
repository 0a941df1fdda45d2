import Geometry
import Model

/// Update with the velocity of a fix.
extension ErrorStateKalmanFilter {
    /// Sets the velocity to that of a fix, because the pseudo-measurements without satellites are no longer valid.
    mutating func beginVelocity(_ velocity: Vector3) {
        let spread = max(settings.unaided.returnVelocityStandardDeviation, 0.5 * velocity.norm)
        resetCovariance(ErrorState.velocity, count: 3, standardDeviation: spread)
        if !rules.hasYaw { state.velocity = velocity }
    }

    /// Corrects the state with the velocity of a fix.
    mutating func apply(velocity: Vector3, _ fix: LocalFix) -> UpdateOutcome {
        describeVelocityError(fix)
        let model = velocityModel(antennaInBody: fix.antennaInBody)
        let innovation = velocity - model.prediction
        compareMotion(innovation + state.velocity + state.gnssVelocityError, fix)
        let standardDeviation =
            fix.velocityStandardDeviation * gnss.velocityNoise.share(usual: settings.gnss.velocityWhiteShare)
        let variance = standardDeviation * standardDeviation
        let factor = settings.gnss.verticalVelocityFactor
        let gate = InnovationGate(rule: .soften)
        var noise = Matrix<3, 3>()
        noise[0, 0] = variance
        noise[1, 1] = variance
        noise[2, 2] = fix.hasVerticalVelocity ? variance * factor * factor : 1e6
        var r = Matrix<3, 1>()
        r[0, 0] = innovation.x
        r[1, 0] = innovation.y
        r[2, 0] = fix.hasVerticalVelocity ? innovation.z : 0
        noteVelocityConsistency(innovation, noise: noise, hasVertical: fix.hasVerticalVelocity, at: fix.time)
        learnVelocityNoise(innovation, reported: fix.velocityStandardDeviation)
        let outcome = apply(
            Update(
                innovation: r, jacobian: model.jacobian, noise: noise, mask: fixMask, gate: gate,
                cause: .gnssVelocity))
        heading.note(velocity: outcome)
        gnss.velocitySquare = outcome.normalizedInnovationSquared
        return UpdateOutcome(outcome, degreesOfFreedom: fix.hasVerticalVelocity ? 3 : 2)
    }

    /// Sets the standard deviation of the slowly varying velocity error to a share of the reported accuracy, or to a
    /// larger share if the positions contradict the velocities.
    ///
    /// Equation: docs/filter.md (94).
    private mutating func describeVelocityError(_ fix: LocalFix) {
        let receiver = settings.gnss
        let usual = rules.isVehicle ? receiver.ridingVelocityShare : receiver.velocityCorrelatedShare
        let share = usual + gnss.wandering * (receiver.wanderingShare - usual)
        let standardDeviation = fix.velocityStandardDeviation * share
        gnss.velocityErrorStandardDeviation = Vector3(1, 1, settings.gnss.verticalVelocityFactor) * standardDeviation
        guard gnss.lastVelocity == nil else { return }
        resetCovariance(ErrorState.gnssVelocityError, count: 3, standardDeviation: standardDeviation)
    }

    /// Learns the white noise from an innovation before it is applied. It learns nothing while the heading is searched,
    /// because a wrong hypothesis would attribute the evidence against it to noise.
    ///
    /// Frame: ENU. Unit: m/s.
    private mutating func learnVelocityNoise(_ innovation: Vector3, reported: Double) {
        guard !rules.searchesYaw, settings.parts.contains(.velocityNoise) else { return }
        gnss.velocityNoise.note(
            square: (innovation.x * innovation.x + innovation.y * innovation.y) / 2,
            predicted: (predictedVelocityVariance(0) + predictedVelocityVariance(1)) / 2,
            reported: reported, usual: settings.gnss.velocityWhiteShare)
    }

    /// Correlation time of the receiver's velocity errors. Unit: seconds.
    ///
    /// Equation: docs/filter.md (94).
    @inline(__always)
    var velocityErrorSeconds: Double {
        let receiver = settings.gnss
        let usual = rules.isVehicle ? receiver.ridingVelocitySeconds : receiver.velocityCorrelationSeconds
        return usual + gnss.wandering * (receiver.wanderingSeconds - usual)
    }

    /// Measurement model `z = v + R·(ω × l) − a·δ + u`: velocity of the antenna with the lever arm l, the latency δ,
    /// the mean acceleration a over that latency, and the receiver's velocity error u.
    ///
    /// Equation: docs/filter.md (28).
    @inline(__always)
    package func velocityModel(antennaInBody arm: Vector3) -> (prediction: Vector3, jacobian: Jacobian<3>) {
        let swing = state.rotationENUFromBody * state.rate(inertial.rate).cross(arm)
        var h = Jacobian<3>()
        h.setBlock(0, ErrorState.velocity, .identity)
        h.setBlock(0, ErrorState.gnssVelocityError, .identity)
        h.setBlock(0, ErrorState.attitude, -1 * Matrix<3, 3>.skew(swing))
        // ω = (1 − diag(s))·(ω_measured − b), so ∂(ω × l)/∂ω = −[l]× and ∂ω/∂b = −(1 − diag(s)).
        let lever = state.rotationENUFromBody.matrix * Matrix<3, 3>.skew(arm)
        h.setBlock(0, ErrorState.gyroBias, lever.scalingColumns(by: Vector3(1, 1, 1) - state.gyroScale))
        h.setBlock(0, ErrorState.gyroScale, lever.scalingColumns(by: inertial.rate - state.gyroBias))
        let lately = accelerationMean.value
        h[0, ErrorState.velocityDelay] = -lately.x
        h[1, ErrorState.velocityDelay] = -lately.y
        h[2, ErrorState.velocityDelay] = -lately.z
        return (state.velocity + swing - lately * state.velocityDelay + state.gnssVelocityError, h)
    }
}

/// Recent mean acceleration. It is the amount by which a GNSS velocity lags, per second of latency.
///
/// The mean fades over `memorySeconds`, because a single sample contains more vibration than motion.
package struct AccelerationMean: Hashable, Sendable, Codable {
    /// Mean acceleration. Frame: ENU. Unit: m/s².
    package private(set) var value = Vector3.zero

    package init(_ value: Vector3 = .zero) { self.value = value }

    /// Time constant of the mean. It makes the mean age of the samples half a usual latency of 0.1 s, like that of the
    /// accelerations within the latency. Unit: seconds.
    static let memorySeconds = 0.05

    /// Weight of an interval in the mean. Unit: seconds.
    static func share(of duration: Double) -> Double { duration / (memorySeconds + duration) }

    /// Adds a velocity change over an interval. Frame: ENU. Units: m/s, seconds.
    mutating func add(_ change: Vector3, over duration: Double) {
        value += (change / duration - value) * Self.share(of: duration)
    }

    /// Multiplies the mean by a share, and adds a later mean. Frame: ENU. Unit: m/s².
    mutating func add(mean: Vector3, keeping share: Double) { value = value * share + mean }

    mutating func turn(by turn: Rotation3) { value = turn * value }
}
