import Geometry
import Model

/// Height at which the standard atmosphere has the measured pressure.
package struct PressureHeight: Hashable, Sendable, Codable {
    package var time: BootTime
    /// Height above the level of 1013.25 hPa. Unit: metres.
    package var height: Double

    package init(time: BootTime, height: Double) {
        self.time = time
        self.height = height
    }
}

/// Update with the height from air pressure. Its changes are accurate over minutes, but it has an unknown offset that
/// drifts with the weather.
extension ErrorStateKalmanFilter {
    /// Applies a sample. The state must be at the time stamp of the sample or shortly after.
    ///
    /// - Returns: the result of the mean that the sample completes, even if this result caused a reset of the offset;
    ///   nil while the mean is incomplete.
    @discardableResult
    package mutating func apply(_ sample: PressureHeight) -> UpdateOutcome? {
        let settings = settings.height
        guard let mean = pressure.add(sample, settings: settings) else { return nil }
        propagateCovariance()
        if self.settings.parts.contains(.climbNoise) {
            widen(ErrorState.pressureOffset, count: 1, by: pressure.climbVariance(mean, settings: settings))
        }
        let isFirst = !pressure.hasOffset
        if isFirst { beginPressureOffset(mean) }
        let outcome = correctHeight(mean, gate: InnovationGate(limit: settings.gate, rule: .reject))
        let result = isFirst ? .applied : UpdateOutcome(outcome)
        let verdict = pressure.note(outcome, at: sample.time, settings: settings)
        guard verdict == .otherAir, self.settings.parts.contains(.pressureMonitor) else { return result }
        forgetPressureOffset()
        beginPressureOffset(mean)
        let begun = correctHeight(mean, gate: nil)
        pressure.note(begun, at: sample.time, settings: settings)
        return result
    }

    /// Discards the offset, so that the next height sets it again.
    package mutating func forgetPressureOffset() { pressure.forgetOffset() }

    /// Moves the position to another origin, and keeps the predicted pressure height unchanged.
    mutating func shiftPosition(by offset: Vector3) {
        let before = heightModel(at: state.time).prediction
        state.position += offset
        state.pressureOffset += before - heightModel(at: state.time).prediction
    }

    /// Sets the offset so that the innovation is zero. The update that follows sets the covariance of the offset.
    private mutating func beginPressureOffset(_ mean: PressureHeight) {
        state.pressureOffset = 0
        state.pressureOffset = mean.height - heightModel(at: mean.time).prediction
        resetCovariance(ErrorState.pressureOffset, standardDeviation: settings.height.offsetStandardDeviation)
        pressure.hasOffset = true
    }

    private mutating func correctHeight(_ mean: PressureHeight, gate: InnovationGate?) -> CorrectionOutcome {
        let model = heightModel(at: mean.time)
        return apply(
            Self.scalarUpdate(
                mean.height - model.prediction, model.jacobian, variance: settings.height.noise * settings.height.noise,
                mask: .heights, gate: gate, cause: .barometer))
    }

    /// Measurement model `z = p_u + (p_e² + p_n²)/2a − v_u·Δ + o`, with the age Δ of the sample and the offset o.
    ///
    /// The second term is the curvature of the earth, with the equatorial radius a: far from the origin, the vertical
    /// direction differs from that at the origin.
    ///
    /// Equation: docs/filter.md (45).
    @inline(__always)
    package func heightModel(at time: BootTime) -> (prediction: Double, jacobian: Jacobian<1>) {
        let age = state.time.seconds(since: time)
        let position = state.position
        let curvature = (position.x * position.x + position.y * position.y) / (2 * Ellipsoid.semiMajorAxis)
        var h = Jacobian<1>()
        h[0, ErrorState.position] = position.x / Ellipsoid.semiMajorAxis
        h[0, ErrorState.position + 1] = position.y / Ellipsoid.semiMajorAxis
        h[0, ErrorState.position + 2] = 1
        h[0, ErrorState.velocity + 2] = -age
        h[0, ErrorState.pressureOffset] = 1
        return (position.z + curvature - state.velocity.z * age + state.pressureOffset, h)
    }
}

extension GainMask {
    /// States that a height may correct. The attitude is not among them, so that a gust does not change the tilt.
    fileprivate static let heights: GainMask = [
        states(ErrorState.velocity + 2, count: 1), states(ErrorState.position + 2, count: 1), accelerometerBias,
        states(ErrorState.gnssError + 2, count: 1), states(ErrorState.gnssVelocityError + 2, count: 1), pressureOffset,
    ]
}

extension EstimatorSettings {
    /// Error model of heights from air pressure.
    public struct Height: Hashable, Sendable {
        /// Initial standard deviation of the difference between pressure height and ellipsoidal height. Raise it to let
        /// fixes set the offset sooner. Unit: metres. Origin: 30 hPa of weather and 100 m of geoid undulation.
        public var offsetStandardDeviation = 250.0
        /// Random walk of the pressure offset, due to the weather. Raise it to let fixes correct the height sooner.
        /// Unit: m/√s. Origin: in an hour the pressure changes by some 0.5 hPa, which is 4 m.
        public var offsetWalk = 0.07
        /// Scale-factor error of height changes, because the air is warmer or colder than the standard atmosphere.
        /// Raise it to trust climbs less. Origin: 12 K of 288 K.
        public var scaleError = 0.04
        /// Correlation time of the scale-factor error. Raise it to trust long climbs less. Unit: seconds. Origin: usual
        /// duration of a climb.
        public var scaleSeconds = 60.0
        /// Standard deviation of a mean over `minimumInterval`. Raise it to smooth the height. Unit: metres. Origin:
        /// noise of the sensor, and wind at its port.
        public var noise = 0.3
        /// Interval over which samples are averaged. Raise it to save computing time. Unit: seconds. Origin: 5 Hz
        /// suffice for all observable motion.
        public var minimumInterval = 0.19
        /// Longest gap within a mean; a longer gap restarts the mean. Raise it to use slower barometers. Unit: seconds.
        public var gapSeconds = 1.0
        /// Number of standard deviations of the innovation beyond which a height is rejected, as after a door, in a
        /// tunnel or for a bad sample. Raise it to let gusts move the height.
        public var gate = 4.0
        /// Time for which all heights must be beyond the gate before the offset is reset. Raise it to wait longer.
        /// Unit: seconds. Origin: the ambient pressure has changed.
        public var resetSeconds = 3.0
    }
}
