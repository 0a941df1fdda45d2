import Geometry
import Model

/// Update with the position of a fix.
extension ErrorStateKalmanFilter {
    /// Sets the position from a fix; the error of the fix becomes the GNSS error state.
    mutating func beginPosition(_ position: Vector3, antennaInBody: Vector3) {
        resetCovariance(ErrorState.position, count: 3, variance: 1e6)
        let error = gnss.errorStandardDeviation
        for (i, standardDeviation) in [error.x, error.y, error.z].enumerated() {
            resetCovariance(ErrorState.gnssError + i, standardDeviation: standardDeviation)
        }
        state.gnssError = .zero
        let before = state.position
        state.position = position - state.rotationENUFromBody * antennaInBody
        influence.add(shift: state.position - before, yaw: 0)
        gnss.hasPosition = true
        forgetPressureOffset()
    }

    /// Corrects the state with a position, and handles jumps.
    ///
    /// - Returns: the result of the update, even if this result caused a reset of the position.
    mutating func apply(position: Vector3, _ fix: LocalFix) -> UpdateOutcome {
        let innovation = position - positionModel(antennaInBody: fix.antennaInBody).prediction
        updateAccuracyScales(innovation, fix)
        let outcome = correct(by: positionUpdate(position, fix))
        let verdict = gnss.notePosition(
            outcome, distance: innovation.norm, error: state.gnssError, at: fix.time, settings: settings.gnss)
        switch settings.parts.contains(.positionJumps) ? verdict : .usual {
        case .usual: break
        case .reset:
            // The estimated position was wrong, and the subtracted jump was part of its error. So the jump is no longer
            // subtracted.
            let reported = position + gnss.jumpOffset
            positionJumps = PositionJumps()
            gnss.jumpOffset = .zero
            beginPosition(reported, antennaInBody: fix.antennaInBody)
            correct(by: positionUpdate(reported, fix))
        case .jump:
            // After a steady stream, dead reckoning is accurate to 0.1 m/s, so the jump is multipath. It is assigned to
            // the GNSS position-error state, which decays.
            state.gnssError += Vector3(innovation.x, innovation.y, 0)
            // Dead reckoning is less accurate in height, and the barometer may already have assigned the jump to the
            // error state. So the height only becomes less certain.
            if fix.hasHeight {
                widen(ErrorState.position + 2, count: 1, by: innovation.z * innovation.z)
            }
        }
        return UpdateOutcome(outcome, degreesOfFreedom: fix.hasHeight ? 3 : 2)
    }

    /// Returns the normalised innovation squared of one component.
    @inline(__always)
    private func square(_ part: Double, axis: Int, standardDeviation: Double) -> Double {
        let (p, e) = (ErrorState.position + axis, ErrorState.gnssError + axis)
        let white = standardDeviation * settings.gnss.whiteShare
        return part * part / (covariance[p, p] + covariance[e, e] + 2 * covariance[p, e] + white * white)
    }

    /// Rescales the reported accuracies according to the normalised innovation squared (NIS), separately for horizontal
    /// position and height.
    private mutating func updateAccuracyScales(_ innovation: Vector3, _ fix: LocalFix) {
        guard settings.parts.contains(.accuracyScale) else { return }
        propagateCovariance()
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let (seconds, maximum) = (settings.gnss.positionScaleSeconds, settings.gnss.maximumPositionScale)
        let horizontal =
            square(innovation.x, axis: 0, standardDeviation: fix.positionStandardDeviation.x)
            + square(innovation.y, axis: 1, standardDeviation: fix.positionStandardDeviation.y)
        let growth = gnss.positionScale.note(
            normalizedInnovationSquared: horizontal, degreesOfFreedom: 2, interval: interval, over: seconds,
            maximum: maximum)
        if growth > 1 { inflatePositionCovariance(by: growth) }
        guard fix.hasHeight else { return }
        gnss.heightScale.note(
            normalizedInnovationSquared: square(
                innovation.z, axis: 2, standardDeviation: fix.positionStandardDeviation.z),
            degreesOfFreedom: 1,
            interval: interval, over: seconds, maximum: maximum)
    }

    /// Inflates the covariance of position and GNSS error, because earlier fixes had the same over-optimistic accuracy.
    private mutating func inflatePositionCovariance(by factor: Double) {
        for i in 0..<2 {
            scale(ErrorState.position + i, by: factor)
            scale(ErrorState.gnssError + i, by: factor)
        }
    }

    /// Corrects the state with a position, and records the result as evidence for or against the heading.
    @discardableResult
    private mutating func correct(by update: Update<3>) -> CorrectionOutcome {
        let outcome = apply(update)
        heading.note(outcome)
        return outcome
    }

    @inline(__always)
    private func positionUpdate(_ position: Vector3, _ fix: LocalFix, mask: GainMask? = nil) -> Update<3> {
        let model = positionModel(antennaInBody: fix.antennaInBody)
        let innovation = position - model.prediction
        let standardDeviation = fix.positionStandardDeviation * settings.gnss.whiteShare
        let gate = InnovationGate(limit: InnovationGate.wide, rule: .soften)
        var noise = Matrix<3, 3>()
        noise[0, 0] = standardDeviation.x * standardDeviation.x
        noise[1, 1] = standardDeviation.y * standardDeviation.y
        // If the height is unknown, it gets no weight.
        noise[2, 2] = fix.hasHeight ? standardDeviation.z * standardDeviation.z : 1e8
        var r = Matrix<3, 1>()
        r[0, 0] = innovation.x
        r[1, 0] = innovation.y
        r[2, 0] = fix.hasHeight ? innovation.z : 0
        return Update(
            innovation: r, jacobian: model.jacobian, noise: noise, mask: mask ?? fixMask, gate: gate,
            cause: .gnssPosition)
    }

    /// Measurement model `z = p + R·l + e`, with the lever arm l and the GNSS error e.
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
}

/// Update with a weak fix, such as one from a mobile network, which is inaccurate or rare and has no velocity. It
/// determines the position, but neither motion nor attitude.
extension ErrorStateKalmanFilter {
    /// Whether a fix may correct only the position. A single fix is no evidence of motion, however accurate it is; only
    /// a second fix within the interval starts a stream.
    @inline(__always)
    func isWeak(_ fix: LocalFix) -> Bool {
        guard settings.parts.contains(.weakFixes) else { return false }
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? .infinity
        // Fixes with a velocity form a stream even at intervals longer than `weakInterval`. Such a fix is weak only if
        // no stream measures the motion and the last fix is older than `unaided.afterSeconds`.
        guard fix.velocity == nil else { return !rules.measuresMotion && interval > settings.unaided.afterSeconds }
        let standardDeviation = fix.horizontalStandardDeviation
        return standardDeviation > settings.gnss.weakStandardDeviation || interval > settings.gnss.weakInterval
    }

    /// Corrects only the position, and moves the held place there.
    mutating func applyWeak(_ fix: LocalFix) -> UpdateOutcome {
        gnss.errorStandardDeviation = fix.positionStandardDeviation * settings.gnss.correlatedShare
        let isFirst = !gnss.hasPosition
        if isFirst { beginPosition(fix.position, antennaInBody: fix.antennaInBody) }
        inflatePosition(at: fix)
        let outcome = apply(positionUpdate(fix.position, fix, mask: .place))
        let verdict = gnss.notePosition(
            outcome, distance: nil, error: state.gnssError, at: fix.time, settings: settings.gnss)
        if verdict == .reset {
            beginPosition(fix.position, antennaInBody: fix.antennaInBody)
            apply(positionUpdate(fix.position, fix, mask: .place))
        }
        gnss.motion.note(fix, settings: settings.gnss)
        if !rules.measuresMotion { place.move(to: state.position, at: state.time) }
        return isFirst ? .applied : UpdateOutcome(outcome, degreesOfFreedom: fix.hasHeight ? 3 : 2)
    }

    /// Inflates the position covariance, because it was only assumed that the wearer has stayed in place since the last
    /// fix.
    private mutating func inflatePosition(at fix: LocalFix) {
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let away = settings.unaided.unnoticedSpeed * interval
        restorePlaceVariance()
        widen(ErrorState.position, count: 3, by: away * away)
    }
}
