import Geometry
import Measurements

/// Positions and velocities of a receiver.
extension ErrorStateKalmanFilter {
    /// Applies a fix at the present state, which must be that of its epoch.
    package mutating func apply(_ measured: LocalFix) {
        var fix = measured
        fix.positionDeviation.x *= gnss.positionScale.value
        fix.positionDeviation.y *= gnss.positionScale.value
        fix.positionDeviation.z *= gnss.heightScale.value
        propagateCovariance()
        influence.cause = .gnssPosition
        settle(at: fix.site)
        guard !isWeak(fix) else {
            applyWeak(fix)
            return noteLasting(fix)
        }
        leaveUnaidedMode()
        gnss.errorDeviation = fix.positionDeviation * settings.gnss.correlatedShare
        if !gnss.hasPosition {
            beginPosition(fix.position, antennaInBody: fix.antennaInBody)
            if let velocity = fix.velocity { beginVelocity(velocity) }
        }
        if let velocity = fix.velocity {
            influence.cause = .gnssVelocity
            modes.observe(speed: velocity.levelNorm, deviation: fix.velocityDeviation)
            gnss.lastSpeed = velocity.levelNorm
            learnVehicleMount(velocity)
            apply(velocity: velocity, fix)
        }
        influence.cause = .gnssPosition
        apply(position: fix.position, fix)
        gnss.note(fix, settings: settings.gnss)
        noteLasting(fix)
        gnss.lastAiding = fix.time
    }

    private mutating func noteLasting(_ fix: LocalFix) {
        let p = ErrorState.position
        let variance = (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2
        gnss.noteLasting(fix, variance: variance, settings: settings.gnss)
    }

    /// What the place tells: gravity at once, true north by the declination once.
    private mutating func settle(at place: Site) {
        let isFirst = site?.field == nil && place.field != nil
        let assumed = site?.isAssumed == true ? site?.field : nil
        site = place
        if let assumed, let field = place.field, heading.reference == .trueNorth {
            turnFrame(by: assumed.declination - field.declination)
        }
        guard isFirst, heading.reference == .magneticNorth, let field = place.field else { return }
        turnFrame(by: -field.declination)
        heading.reference = .trueNorth
    }

    /// The first position is taken as it is, its error as the state of that name.
    mutating func beginPosition(_ position: Vector3, antennaInBody: Vector3) {
        isolate(ErrorState.position, count: 3, variance: 1e6)
        isolate(ErrorState.gnssError, count: 3, variance: 0)
        let error = gnss.errorDeviation
        for (i, deviation) in [error.x, error.y, error.z].enumerated() {
            covariance[ErrorState.gnssError + i, ErrorState.gnssError + i] = deviation * deviation
        }
        state.gnssError = .zero
        let before = state.position
        state.position = position - state.rotationENUFromBody * antennaInBody
        influence.add(shift: state.position - before, yaw: 0)
        gnss.hasPosition = true
        forgetPressureOffset()
    }

    /// The first velocity: what was assumed without satellites counts no more.
    private mutating func beginVelocity(_ velocity: Vector3) {
        let spread = max(settings.unaided.returnVelocityDeviation, 0.5 * velocity.norm)
        isolate(ErrorState.velocity, count: 3, variance: spread * spread)
        if !heading.isKnown { state.velocity = velocity }
    }

    /// With an unknown heading a fix must not turn the body: the yaw is only considered.
    @inline(__always)
    package var aidedMask: GainMask {
        // A body at rest says nothing of north.
        let isMoving = modes.probabilities[0] < Self.certainRest
        return heading.isKnown && isMoving ? .all : GainMask.all.subtracting([.yaw, .magneticOffset])
    }

    /// Probability of rest beyond which fixes only consider the yaw: their own wandering would turn it.
    private static let certainRest = 0.95

    private mutating func apply(position: Vector3, _ fix: LocalFix) {
        let innovation = position - positionModel(antennaInBody: fix.antennaInBody).prediction
        judgeFigures(innovation, fix)
        let outcome = correct(by: position, fix)
        gnss.notePosition(outcome, error: state.gnssError, at: fix.time, settings: settings.gnss)
        let isElsewhere = gnss.hasLeapt && (innovation.norm > Self.farthestLeap || !gnss.wasSteady)
        if gnss.mustReset || isElsewhere {
            gnss.forgetOutliers()
            beginPosition(position, antennaInBody: fix.antennaInBody)
            correct(by: position, fix)
        } else if gnss.hasLeapt {
            // Out of a steady stream a leap is a reflection, for a velocity known to 0.1 m/s keeps the position: it is
            // laid to the receiver's error, which fades. After a gap it is the position that was wrong.
            gnss.hasLeapt = false
            state.gnssError += Vector3(innovation.x, innovation.y, 0)
            // No velocity keeps a height so well, and the pressure may have taken it away.
            if fix.hasHeight {
                covariance[ErrorState.position + 2, ErrorState.position + 2] += innovation.z * innovation.z
            }
        }
    }

    /// The normalised square of one axis of the innovation.
    @inline(__always)
    private func square(_ part: Double, axis: Int, deviation: Double) -> Double {
        let (p, e) = (ErrorState.position + axis, ErrorState.gnssError + axis)
        let white = deviation * settings.gnss.whiteShare
        return part * part / (covariance[p, p] + covariance[e, e] + 2 * covariance[p, e] + white * white)
    }

    /// Compares the receiver's figures with its innovations; height and the horizontal each by themselves.
    private mutating func judgeFigures(_ innovation: Vector3, _ fix: LocalFix) {
        propagateCovariance()
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let (seconds, largest) = (settings.gnss.positionScaleSeconds, settings.gnss.largestPositionScale)
        let horizontal =
            square(innovation.x, axis: 0, deviation: fix.positionDeviation.x)
            + square(innovation.y, axis: 1, deviation: fix.positionDeviation.y)
        let growth = gnss.positionScale.note(
            normalizedSquare: horizontal, degreesOfFreedom: 2, interval: interval, over: seconds, largest: largest)
        if growth > 1 { loosenPosition(by: growth) }
        guard fix.hasHeight else { return }
        gnss.heightScale.note(
            normalizedSquare: square(innovation.z, axis: 2, deviation: fix.positionDeviation.z), degreesOfFreedom: 1,
            interval: interval, over: seconds, largest: largest)
    }

    /// What the fixes told of the position so far was told with the same poor figures.
    private mutating func loosenPosition(by factor: Double) {
        for i in 0..<2 {
            covariance.scaleRow(ErrorState.position + i, by: factor)
            covariance.scaleColumn(ErrorState.position + i, by: factor)
            covariance.scaleRow(ErrorState.gnssError + i, by: factor)
            covariance.scaleColumn(ErrorState.gnssError + i, by: factor)
        }
    }

    @discardableResult
    mutating func correct(by position: Vector3, _ fix: LocalFix, mask: GainMask? = nil) -> CorrectionOutcome {
        let model = positionModel(antennaInBody: fix.antennaInBody)
        let innovation = position - model.prediction
        let deviation = fix.positionDeviation * settings.gnss.whiteShare
        let gate = InnovationGate(limit: settings.gnss.positionGate, rule: .soften)
        var noise = Matrix<3, 3>()
        noise[0, 0] = deviation.x * deviation.x
        noise[1, 1] = deviation.y * deviation.y
        // A height that is not known has no weight.
        noise[2, 2] = fix.hasHeight ? deviation.z * deviation.z : 1e8
        var r = Matrix<3, 1>()
        r[0, 0] = innovation.x
        r[1, 0] = innovation.y
        r[2, 0] = fix.hasHeight ? innovation.z : 0
        let outcome = correct(
            innovation: r, jacobian: model.jacobian, noise: noise, mask: mask ?? aidedMask, gate: gate)
        if mask == nil { heading.note(outcome) }
        return outcome
    }

    /// No reflection reaches farther. Unit: metres.
    private static let farthestLeap = 1000.0

    /// `z = p + R·l + e`, with the lever arm l and the GNSS error e.
    ///
    /// Equation: docs/filter.md (26).
    @inline(__always)
    package func positionModel(antennaInBody: Vector3) -> (prediction: Vector3, jacobian: Jacobian<3>) {
        let arm = state.rotationENUFromBody * antennaInBody
        var h = Jacobian<3>()
        h.setBlock(0, ErrorState.attitude, -1 * Matrix<3, 3>.skew(arm))
        h.setBlock(0, ErrorState.position, .identity)
        h.setBlock(0, ErrorState.gnssError, .identity)
        return (state.position + arm + state.gnssError, h)
    }

    private mutating func apply(velocity: Vector3, _ fix: LocalFix) {
        describeVelocityError(fix)
        let model = velocityModel(antennaInBody: fix.antennaInBody)
        let innovation = velocity - model.prediction
        compareMotion(innovation + state.velocity + state.gnssVelocityError, fix)
        let deviation = fix.velocityDeviation * settings.gnss.velocityWhiteShare
        let variance = deviation * deviation
        let factor = settings.gnss.verticalVelocityFactor
        let gate = InnovationGate(limit: settings.gnss.velocityGate, rule: .soften)
        var noise = Matrix<3, 3>()
        noise[0, 0] = variance
        noise[1, 1] = variance
        noise[2, 2] = fix.hasVerticalVelocity ? variance * factor * factor : 1e6
        var r = Matrix<3, 1>()
        r[0, 0] = innovation.x
        r[1, 0] = innovation.y
        r[2, 0] = fix.hasVerticalVelocity ? innovation.z : 0
        noteVelocityConsistency(innovation, noise: noise, hasVertical: fix.hasVerticalVelocity, at: fix.time)
        let outcome = correct(innovation: r, jacobian: model.jacobian, noise: noise, mask: aidedMask, gate: gate)
        heading.note(velocity: outcome)
        gnss.velocitySquare = outcome.normalizedSquare
    }

    /// The slowly varying part of the velocity error, as the receiver's own figure has it.
    private mutating func describeVelocityError(_ fix: LocalFix) {
        let receiver = settings.gnss
        let share = modes.isRiding ? receiver.ridingVelocityShare : receiver.velocityCorrelatedShare
        let deviation = fix.velocityDeviation * share
        gnss.velocityErrorDeviation = Vector3(1, 1, settings.gnss.verticalVelocityFactor) * deviation
        guard gnss.lastVelocity == nil else { return }
        isolate(ErrorState.gnssVelocityError, count: 3, variance: deviation * deviation)
    }

    /// `z = v + R·(ω × l) − a·δ + u`: the velocity of the antenna the delay δ ago, with the mean acceleration a since
    /// then and the receiver's velocity error u.
    ///
    /// Equation: docs/filter.md (28).
    @inline(__always)
    package func velocityModel(antennaInBody arm: Vector3) -> (prediction: Vector3, jacobian: Jacobian<3>) {
        let swing = state.rotationENUFromBody * (inertial.rate - state.gyroBias).cross(arm)
        var h = Jacobian<3>()
        h.setBlock(0, ErrorState.velocity, .identity)
        h.setBlock(0, ErrorState.gnssVelocityError, .identity)
        h.setBlock(0, ErrorState.attitude, -1 * Matrix<3, 3>.skew(swing))
        // ω = ω_measured − b, so ∂(ω × l)/∂b = [l]×.
        h.setBlock(0, ErrorState.gyroBias, state.rotationENUFromBody.matrix * Matrix<3, 3>.skew(arm))
        let lately = accelerationMean.value
        h[0, ErrorState.velocityDelay] = -lately.x
        h[1, ErrorState.velocityDelay] = -lately.y
        h[2, ErrorState.velocityDelay] = -lately.z
        return (state.velocity + swing - lately * state.velocityDelay + state.gnssVelocityError, h)
    }
}
