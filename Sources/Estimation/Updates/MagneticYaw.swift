import Geodesy
import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// The magnetometer corrects the yaw, and where a model tells the whole field, the hard iron. It never tilts.
extension ErrorStateKalmanFilter {
    /// Applies a sample at the present state, which is at or after its stamp.
    package mutating func apply(_ sample: MagneticSample) {
        influence.cause = .magnetometer
        if magnetics.lastSample == nil, !knowsHardIron { scaleHardIron(to: sample.field.norm) }
        let rotation = state.rotationENUFromBody
        let rate = inertial.rate - state.gyroBias
        let age = state.time.seconds(since: sample.time) + (magnetics.calibrator?.delay ?? 0)
        let turned = Rotation3.exp(rate * -age) * sample.field
        magnetics.mean.add(field: rotation * (turned - state.hardIron), rate: rotation * rate, at: sample.time)
        let meant = settings.magnetic.meanSeconds
        let interval = magnetics.lastUse.map { sample.time.seconds(since: $0) } ?? meant
        guard interval >= meant - Self.stampJitter else { return }
        magnetics.lastUse = sample.time
        let mean = magnetics.mean.take()
        let measured = rotation.inverse * mean.field + state.hardIron
        noteReading(measured)
        // A slow or interrupted sensor does not gain weight by its silence.
        let span = min(0.1, interval)
        calibrate(measured, rate: rotation.inverse * mean.rate, span: span)
        correctYaw(measured, span: span, at: sample.time)
        learnLikeness()
    }

    /// Unit: seconds.
    private static let stampJitter = 0.001

    /// Keeps the field for the slow search for hard iron, which has no influence here.
    private mutating func noteReading(_ measured: Vector3) {
        let tilt = max(deviation(ErrorState.attitude), deviation(ErrorState.attitude + 1))
        let isRiding = !unaided.isActive && state.velocity.levelNorm > settings.hardIron.largestSpeed
        let model = confirmedField.flatMap { magnetics.isInMicrotesla($0) ? $0 : nil }
        fieldReading = FieldReading(
            time: state.time, field: measured, rotationENUFromBody: state.rotationENUFromBody,
            levelYaw: heading.motion.yaw,
            isUsable: gait.isWalking(at: state.time, settings: settings.steps) && !isRiding
                && tilt < settings.hardIron.tiltDeviation,
            walked: gait.walked.position, track: gait.walked.number,
            expected: model.map {
                FieldReading.Intensities(
                    horizontal: $0.horizontalIntensity / 1000,
                    upward: -$0.totalIntensity * sin($0.inclination) / 1000)
            })
    }

    /// A field within 3° of the vertical tells no north.
    private static let leastHorizontalShare = 0.05

    private mutating func scaleHardIron(to norm: Double) {
        let deviation = settings.initial.hardIronFraction * norm
        isolate(ErrorState.hardIron, count: 3, variance: deviation * deviation)
    }

    private mutating func correctYaw(_ measured: Vector3, span: Double, at time: BootTime) {
        let field = state.rotationENUFromBody * (measured - state.hardIron)
        let horizontal = (field.x * field.x + field.y * field.y).squareRoot()
        guard horizontal > Self.leastHorizontalShare * field.norm else { return }
        let verdict = magnetics.assess(
            MagneticMonitor.Shape(norm: field.norm, inclination: atan2(-field.z, horizontal)), model: confirmedField,
            allowance: 2 * deviation(ErrorState.hardIron) / max(1e-9, field.norm), isUnaided: unaided.isActive,
            at: time, settings: settings.magnetic)
        doubtDirection(horizontal / field.norm)
        if !heading.isKnown {
            beginHeading(measured, verdict)
        } else if verdict != .refused, magnetics.renewsYaw {
            renewHeading(measured)
        } else if verdict != .refused, unaided.isActive || !isHardIronUnknown {
            correctYaw(measured, verdict: verdict, interval: span)
        }
    }

    /// A field that contradicts the World Magnetic Model in strength or dip does so in direction, too: the offset's
    /// deviation grows, and with it that of a yaw that comes from the field. Motion that has told the yaw is not touched.
    ///
    /// Equation: docs/filter.md (82).
    private mutating func doubtDirection(_ horizontalShare: Double) {
        guard confirmedField != nil, heading.isKnown, !heading.isSettled, !isHardIronUnknown else { return }
        propagateCovariance()
        let (yaw, offset) = (ErrorState.yaw, ErrorState.magneticOffset)
        let factor = settings.magnetic.contradictionFactor / horizontalShare
        let variance = min(Self.largestOffset, factor * factor * magnetics.disturbanceVariance)
        let growth = variance - covariance.rows[offset][offset]
        guard growth > 0 else { return }
        // The part of the yaw's error that is the offset's: all of it where the field alone has told north.
        let part = max(0, min(1, -covariance.rows[yaw][offset] / covariance.rows[offset][offset]))
        covariance.rows[offset][offset] += growth
        covariance.rows[yaw][yaw] += part * part * growth
        covariance.rows[yaw][offset] -= part * growth
        covariance.rows[offset][yaw] -= part * growth
    }

    /// Unit: rad².
    private static let largestOffset = 1.0

    /// North for the first time. What it owes to the tilt and to the hard iron moves with them when they are known better.
    private mutating func beginHeading(_ measured: Vector3, _ verdict: MagneticMonitor.Verdict) {
        guard verdict != .refused || confirmedField == nil else { return }
        let offset = fieldOffsetDeviation
        isolate(ErrorState.magneticOffset, count: 1, variance: offset * offset)
        turnFrame(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
        heading.reference = site?.field == nil ? .magneticNorth : .trueNorth
    }

    /// North anew, once the magnetometer is put right by which alone it was known; what fixes have said of the motion stays.
    private mutating func renewHeading(_ measured: Vector3) {
        magnetics.renewsYaw = false
        guard !heading.isSettled else { return }
        influence.cause = .calibration
        turnBody(by: magneticYawModel(measured).innovation)
        takeYaw(measured)
    }

    private mutating func takeYaw(_ measured: Vector3) {
        let unknown = settings.initial.unknownYawDeviation
        isolate(ErrorState.yaw, count: 1, variance: unknown * unknown)
        let model = magneticYawModel(measured)
        let deviation = settings.initial.magneticYawDeviation
        correct(
            innovation: column(model.innovation), jacobian: model.jacobian, noise: column(deviation * deviation),
            mask: .yaw, gate: nil)
    }

    private mutating func correctYaw(_ measured: Vector3, verdict: MagneticMonitor.Verdict, interval: Double) {
        let model = magneticYawModel(measured)
        let isAllowed = heading.field.allows(
            innovation: model.innovation, deviation: deviation(ErrorState.yaw), at: state.time)
        guard isAllowed else { return }
        let weak = verdict == .weak ? settings.magnetic.weakFactor : 1
        let isUnaided = unaided.isActive
        let since = magnetics.contradictedSince
        let isOld = since.map { state.time.seconds(since: $0) >= settings.magnetic.weakAfterSeconds } ?? false
        let gate = InnovationGate(limit: settings.magnetic.yawGate, rule: isUnaided || isOld ? .soften : .reject)
        let mask: GainMask =
            isUnaided ? [.yaw, .gyroBias, .magneticOffset] : [.yaw, .gyroBias, .hardIron, .magneticOffset]
        let outcome = correct(
            innovation: column(model.innovation), jacobian: model.jacobian,
            noise: column(yawDensity(model.horizontalShare) / interval * weak), mask: mask, gate: gate)
        magnetics.yawSquare = outcome.normalizedSquare
        magnetics.contradictedSince = outcome.isOutlier ? since ?? state.time : nil
        if outcome.isAccepted { magnetics.lastCorrection = state.time }
        guard outcome.isAccepted, !outcome.isOutlier, verdict == .good, !isUnaided, let field = site?.field,
            magnetics.isInMicrotesla(field)
        else { return }
        correctHardIron(measured, field, interval)
    }

    func column(_ value: Double) -> Matrix<1, 1> { value * .diagonalOnes }

    /// Power density of the yaw's noise. A disturbance lasts for seconds, in which many samples tell no more than one.
    ///
    /// Unit: rad²·s.
    ///
    /// Equation: docs/filter.md (33).
    @inline(__always)
    private func yawDensity(_ horizontalShare: Double) -> Double {
        let magnetic = settings.magnetic
        guard !unaided.isActive else { return magnetic.unaidedYawNoise * magnetic.unaidedYawNoise }
        let disturbed = magnetics.disturbanceVariance * magnetic.disturbanceSeconds
        return magnetic.yawNoise * magnetic.yawNoise + disturbed / (horizontalShare * horizontalShare)
    }

    /// Without satellites nothing tells the field's direction but the field itself: one that stays alike while a hand
    /// moves the board about has no iron nearby.
    private mutating func learnLikeness() {
        let way = magnetics.handWay
        magnetics.handWay = 0
        guard unaided.isActive, way > 0, magnetics.verdict == .good,
            !gait.isWalking(at: state.time, settings: settings.steps), let field = magnetics.calibrator
        else { return }
        let share = max(Self.leastShare, field.horizontal / field.strength)
        let likeness = settings.magnetic.likenessDeviation
        let variance = likeness * likeness + Self.unlikeShare * magnetics.disturbanceVariance / (share * share)
        var h = Jacobian<1>()
        h[0, ErrorState.magneticOffset] = 1
        correct(
            innovation: column(-state.magneticOffset), jacobian: h, noise: column(variance / way),
            mask: [.yaw, .magneticOffset], gate: nil)
    }

    private static let leastShare = 0.1
    /// Of the differences in strength and dip, that soft iron does not explain.
    private static let unlikeShare = 0.3

    /// The azimuth of the measured field against declination and offset, `α − D − o = δψ + …`.
    ///
    /// With M = R·(m − h), a small error moves M by `d = δθ×M − R·δh` and the azimuth by `(Mn·de − Me·dn)/Mh²`. For M the
    /// Jacobian has the field as predicted: the measured one has the innovation's own noise in it, and the mean of their
    /// product would pull at tilt and biases without end.
    ///
    /// Equations: docs/filter.md (29) to (31).
    @inline(__always)
    package func magneticYawModel(
        _ measured: Vector3
    ) -> (innovation: Double, jacobian: Jacobian<1>, horizontalShare: Double) {
        let rotation = state.rotationENUFromBody.matrix
        let field = rotation * (measured - state.hardIron)
        let expected = (site?.field?.declination ?? 0) + state.magneticOffset
        let innovation = Angle.wrapped(atan2(field.x, field.y) - expected)
        let (horizontal, up) = predictedIntensities(field)
        let (east, north) = (sin(expected), cos(expected))
        var h = Jacobian<1>()
        h[0, 0] = -up / horizontal * east
        h[0, 1] = -up / horizontal * north
        h[0, 2] = 1
        for k in 0..<3 {
            h[0, ErrorState.hardIron + k] = (north * rotation[0, k] - east * rotation[1, k]) / horizontal
        }
        h[0, ErrorState.magneticOffset] = 1
        let share = (field.x * field.x + field.y * field.y).squareRoot() / max(1e-9, field.norm)
        return (innovation, h, share)
    }

    /// Of the model where the place is known, else as it was learned. Unit: that of the magnetometer.
    @inline(__always)
    private func predictedIntensities(_ measured: Vector3) -> (horizontal: Double, up: Double) {
        if let field = site?.field, magnetics.isInMicrotesla(field) {
            return (field.horizontalIntensity / 1000, -field.totalIntensity * sin(field.inclination) / 1000)
        }
        if let learned = magnetics.calibrator {
            return (max(Self.leastHorizontalShare * learned.strength, learned.horizontal), learned.upward)
        }
        return (max(1e-6, (measured.x * measured.x + measured.y * measured.y).squareRoot()), measured.z)
    }

    /// The strength of the horizontal and of the vertical field tell the hard iron, and nothing else.
    private mutating func correctHardIron(_ measured: Vector3, _ field: GeomagneticField, _ interval: Double) {
        let deviation = settings.magnetic.componentNoise * field.totalIntensity / 1000
        var noise = Matrix<2, 2>()
        noise[0, 0] = deviation * deviation / interval
        noise[1, 1] = noise[0, 0]
        let model = magneticStrengthModel(measured, field)
        let gate = InnovationGate(limit: settings.magnetic.yawGate, rule: .soften)
        correct(innovation: model.innovation, jacobian: model.jacobian, noise: noise, mask: .hardIron, gate: gate)
    }

    /// Horizontal and vertical intensity of the model against `M = R·(m − h)`.
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
        // Of the field as predicted, whose noise is not the innovation's. ∂along/∂o then lies across it.
        let predicted = along * (field.horizontalIntensity / 1000) + up * (found.z + r[1, 0])
        var h = Jacobian<2>()
        setRow(&h, 0, direction: along, found: predicted, rotation: rotation)
        setRow(&h, 1, direction: up, found: predicted, rotation: rotation)
        return (r, h)
    }

    private func setRow(
        _ h: inout Jacobian<2>, _ row: Int, direction: Vector3, found: Vector3, rotation: Matrix<3, 3>
    ) {
        // (δθ×M)·u = δθ·(M×u), with the sign of a model less a measurement.
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
