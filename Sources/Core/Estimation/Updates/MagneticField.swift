import Geometry
import Glibc
import Model

/// Update with the magnetic field. It corrects the yaw and, if a model provides the whole field, the hard iron. It
/// never corrects the tilt.
extension ErrorStateKalmanFilter {
    /// Applies a sample. The state must be at the time stamp of the sample or shortly after.
    ///
    /// - Returns: the result of correcting the yaw with the mean that the sample completes; nil if the mean is
    ///   incomplete or was not used for the yaw.
    @discardableResult
    package mutating func apply(_ sample: MagneticSample) -> UpdateOutcome? {
        influence.cause = .magnetometer
        if magnetics.lastSample == nil, !knowsHardIron { scaleHardIron(to: sample.field.norm) }
        let rotation = state.rotationENUFromBody
        let rate = state.rate(inertial.rate)
        let age = state.time.seconds(since: sample.time) + (magnetics.calibrator?.delay ?? 0)
        let turned = Rotation3.exp(rate * -age) * sample.field
        magnetics.mean.add(field: rotation * (turned - state.hardIron), rate: rotation * rate, at: sample.time)
        let meant = rules.field.meanCount * settings.magnetic.meanSeconds
        let interval = magnetics.lastUse.map { sample.time.seconds(since: $0) } ?? meant
        guard interval >= meant - Self.stampJitter else { return nil }
        magnetics.lastUse = sample.time
        let mean = magnetics.mean.take()
        let measured = rotation.inverse * mean.field + state.hardIron
        noteReading(measured)
        // A slow or interrupted sensor must not gain weight from its gaps.
        let maximumSpan = mean.count > 1 ? max(Self.singleSpan, meant + Self.sampleInterval) : Self.singleSpan
        let span = min(maximumSpan, interval)
        calibrate(measured, rate: rotation.inverse * mean.rate, span: span)
        let outcome = correctYaw(measured, span: span, at: sample.time)
        learnLikeness()
        return outcome
    }

    /// Longest duration that a single sample represents. Unit: seconds.
    private static let singleSpan = 0.1
    /// Duration by which a mean may be too long: one interval between samples. Unit: seconds.
    private static let sampleInterval = 0.005
    /// Tolerated jitter of time stamps. Unit: seconds.
    private static let stampJitter = 0.001

    /// Records the field for the slow hard-iron search. The search does not affect this filter.
    private mutating func noteReading(_ measured: Vector3) {
        let model = confirmedField.flatMap { magnetics.isInMicrotesla($0) ? $0 : nil }
        fieldReading = FieldReading(
            time: state.time, field: measured, rotationENUFromBody: state.rotationENUFromBody,
            levelYaw: heading.motion.yaw, isWalk: rules.isWalk,
            speed: rules.measuresMotion ? state.velocity.horizontalNorm : nil,
            tiltStandardDeviation: tiltStandardDeviation, walked: gait.walked.position, track: gait.walked.number,
            expected: model.map {
                FieldReading.Intensities(
                    horizontal: $0.horizontalIntensity / 1000,
                    upward: -$0.totalIntensity * sin($0.inclination) / 1000)
            })
    }

    private mutating func scaleHardIron(to norm: Double) {
        let standardDeviation = settings.magneticCalibration.hardIronStandardDeviation * norm
        resetCovariance(ErrorState.hardIron, count: 3, standardDeviation: standardDeviation)
    }
}

/// Mean of magnetic samples in the ENU frame, where an undisturbed field is constant however the body rotates.
package struct MagneticMean: Sendable, Codable {
    private var field = Vector3.zero
    private var rate = Vector3.zero
    private var count = 0.0
    private var last: BootTime?

    /// Adds a field, without hard iron, and an angular rate. Frame: ENU. Units: that of the magnetometer, rad/s.
    mutating func add(field: Vector3, rate: Vector3, at time: BootTime) {
        // Over a gap the integrated rotation may be wrong.
        if let last, time.seconds(since: last) > Self.maximumBreak { self = MagneticMean() }
        self.field += field
        self.rate += rate
        count += 1
        last = time
    }

    /// Returns the means of field and angular rate with their number of samples, and restarts the means.
    mutating func take() -> (field: Vector3, rate: Vector3, count: Double) {
        let share = 1 / max(1, count)
        let result = (field * share, rate * share, count)
        self = MagneticMean()
        return result
    }

    /// Longest interval between two samples of the same mean. Unit: seconds.
    private static let maximumBreak = 0.2
}

/// Update of the hard iron with the horizontal and vertical intensities of the magnetic field.
extension ErrorStateKalmanFilter {
    /// Corrects only the hard iron, with the horizontal and vertical intensities of the field.
    mutating func correctHardIron(_ measured: Vector3, _ field: GeomagneticField, _ interval: Double) {
        let standardDeviation = settings.magnetic.componentNoise * field.totalIntensity / 1000
        var noise = Matrix<2, 2>()
        noise[0, 0] = standardDeviation * standardDeviation / interval
        noise[1, 1] = noise[0, 0]
        let model = magneticStrengthModel(measured, field)
        let gate = InnovationGate(rule: .soften)
        apply(
            Update(
                innovation: model.innovation, jacobian: model.jacobian, noise: noise, mask: .hardIron, gate: gate,
                cause: .magnetometer))
    }

    /// Measurement model that compares the horizontal and vertical intensities of `M = R·(m − h)` with the model field.
    ///
    /// Equation: docs/filter.md (32).
    @inline(__always)
    package func magneticStrengthModel(
        _ measured: Vector3, _ field: GeomagneticField
    ) -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>) {
        let rotation = state.rotationENUFromBody.matrix
        let found = rotation * (measured - state.hardIron)
        let azimuth = field.declination + state.magneticOffset
        let along = Vector3(sin(azimuth), cos(azimuth), 0)
        let up = Vector3(0, 0, 1)
        var r = Matrix<2, 1>()
        r[0, 0] = field.horizontalIntensity / 1000 - found.dot(along)
        r[1, 0] = -field.totalIntensity * sin(field.inclination) / 1000 - found.z
        // The Jacobian is taken at the predicted field, because the noise of the measured field is also in the
        // innovation. ∂along/∂o is perpendicular to `along`.
        let predicted = along * (field.horizontalIntensity / 1000) + up * (found.z + r[1, 0])
        var h = Jacobian<2>()
        setRow(&h, 0, direction: along, found: predicted, rotation: rotation)
        setRow(&h, 1, direction: up, found: predicted, rotation: rotation)
        return (r, h)
    }

    private func setRow(
        _ h: inout Jacobian<2>, _ row: Int, direction: Vector3, found: Vector3, rotation: Matrix<3, 3>
    ) {
        // (δθ×M)·u = δθ·(M×u), with the sign of model minus measurement.
        let turn = found.cross(direction)
        h[row, 0] = turn.x
        h[row, 1] = turn.y
        h[row, 2] = turn.z
        for k in 0..<3 {
            h[row, ErrorState.hardIron + k] =
                -(rotation[0, k] * direction.x + rotation[1, k] * direction.y + rotation[2, k] * direction.z)
        }
    }
}

extension EstimatorSettings {
    /// Error model of the magnetometer and of the local field.
    public struct Magnetic: Hashable, Sendable {
        /// Noise density of the yaw that the field measures, while fixes arrive. Raise it to let the gyroscope
        /// determine the yaw for longer. Unit: rad·√s. Origin: simulated streets.
        public var yawNoise = 0.1
        /// Noise density of the yaw that the field measures, without satellites. Raise it to let the gyroscope
        /// determine the yaw for longer. Unit: rad·√s. Origin: recordings with optical ground truth.
        public var unaidedYawNoise = 0.3
        /// Standard deviation of the local direction of the field, if iron adds 3 µT to a horizontal field of 21 µT. It
        /// is scaled up where the field is steeper, and down where it is flatter. Raise it to trust fixes more than the
        /// field. Unit: radians. Origin: streets turn the field by 3 to 6°, mounts by 2 to 10°.
        public var offsetStandardDeviation = 0.16
        /// Distance over which the local direction is correlated. The direction does not change at rest. Raise it to
        /// let a walk average out less of the deflection. Unit: metres. Origin: streets and mounts, as for
        /// `offsetStandardDeviation`.
        public var offsetLength = 120.0
        /// Estimated speed below which distance is not accumulated, because the speed is noise. Raise it to keep the
        /// local direction constant at a higher speed. Unit: m/s. Origin: noise of the estimate.
        public var minimumDistanceSpeed = 0.4
        /// Noise density, over distance, with which a field that stays uniform confirms its own direction while a hand
        /// moves the board without satellites. Raise it to let such motion confirm the yaw more slowly. Unit: rad·√m.
        /// Origin: a field of uniform strength has a uniform direction.
        public var likenessStandardDeviation = 0.03
        /// Speed above which the motion of a hand counts as distance. Raise it to count only quicker motion. Unit: m/s.
        /// Origin: noise of the estimate.
        public var minimumHandSpeed = 0.2
        /// Ratio of the field's error in direction to its errors of strength and dip. Raise it to distrust the yaw more
        /// if the field contradicts the model. Origin: about √2, because the error in direction is as large as the
        /// errors of strength and dip together.
        public var contradictionFactor = 1.7
        /// `contradictionFactor` for the published accuracy without satellites. Raise it to publish a larger
        /// uncertainty in buildings. Origin: recorded walks in buildings.
        public var buildingFactor = 0.45
        /// Time over which the size of a disturbance is averaged. Raise it to notice disturbances later. Unit: seconds.
        /// Origin: a stride or two.
        public var discrepancyMeanSeconds = 1.0
        /// Noise density of the difference between a field component and the model, as a fraction of the total field
        /// strength. Raise it to learn hard iron more slowly. Unit: √s. Origin: a street's iron of 1.2 µT over 25 m of
        /// path.
        public var componentNoise = 0.1
        /// Random walk of the hard iron, as a fraction of the field strength. Raise it to follow a hard iron that
        /// changes. Unit: 1/√s. Origin: 0.1 % in an hour.
        public var hardIronWalk = 2e-5
        /// Relative difference between the norm of the field and that of the model up to which the field is used. Raise
        /// it to use fields that are more disturbed. Origin: in free air the model is right to 1 %.
        public var modelNormGate = 0.04
        /// Difference between the inclination of the field and that of the model up to which the field is used. Raise
        /// it to use fields that are more disturbed. Unit: radians. Origin: 3°; in free air the model is right to 1 %.
        public var modelInclinationGate = 0.052
        /// Relative difference between the norm of the field and the learned norm up to which the field is used if no
        /// model applies. Raise it to use fields that are more disturbed. Origin: indoors the field differs from room
        /// to room.
        public var trackedNormGate = 0.07
        /// Difference between the inclination of the field and the learned inclination up to which the field is used,
        /// beyond the standard deviations of tilt and learned inclination. Raise it to use fields that are more
        /// disturbed. Unit: radians. Origin: 1.7°; on recorded trials, each step from 10° down to this value improved
        /// the result.
        public var trackedInclinationGate = 0.03
        /// Time for which the field must have passed the gates before it is used in full. Raise it to return to the
        /// field later after a disturbance. Unit: seconds. Origin: a changing field may take less time to sweep through
        /// the gates.
        public var settleSeconds = 0.5
        /// Time after which a field that is still rejected is used with less weight. Raise it to let only the gyroscope
        /// determine the yaw for longer. Unit: seconds. Origin: the gyroscope drifts by a degree in a minute.
        public var weakAfterSeconds = 60.0
        /// Factor that multiplies the noise variance of a field used with less weight. Raise it to reduce the weight
        /// further.
        public var weakFactor = 3.0
        /// Interval over which samples are averaged; with fixes it is twice as long. Raise it to save computing time.
        /// Unit: seconds. Origin: 10 and about 5 Hz, to spare computing time.
        public var meanSeconds = 0.095
    }
}
