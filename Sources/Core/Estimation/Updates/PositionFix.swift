import Geometry
import Model

/// Update by the position of a fix.
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

    /// Corrects the state by a position, and handles jumps.
    ///
    /// - Returns: the result of the update, even if the position was reset because of it.
    mutating func apply(position: Vector3, _ fix: LocalFix) -> UpdateOutcome {
        let innovation = position - positionModel(antennaInBody: fix.antennaInBody).prediction
        updateAccuracyScales(innovation, fix)
        let outcome = correct(by: positionUpdate(position, fix))
        let verdict = gnss.notePosition(
            outcome, distance: innovation.norm, error: state.gnssError, at: fix.time, settings: settings.gnss)
        switch settings.parts.contains(.positionJumps) ? verdict : .usual {
        case .usual: break
        case .reset:
            // The estimated position was wrong, and the jump was a part of this error. So the jump is no longer
            // subtracted.
            let reported = position + gnss.jumpOffset
            positionJumps = PositionJumps()
            gnss.jumpOffset = .zero
            beginPosition(reported, antennaInBody: fix.antennaInBody)
            correct(by: positionUpdate(reported, fix))
        case .jump:
            // After a steady stream, dead reckoning is good to 0.1 m/s: the jump is multipath. It is assigned to the
            // GNSS position-error state, which decays.
            state.gnssError += Vector3(innovation.x, innovation.y, 0)
            // For the height, dead reckoning is less accurate, and the barometer may already have corrected the error
            // state for the jump. So the height only becomes uncertain.
            if fix.hasHeight {
                widen(ErrorState.position + 2, count: 1, by: innovation.z * innovation.z)
            }
        }
        return UpdateOutcome(outcome, degreesOfFreedom: fix.hasHeight ? 3 : 2)
    }

    /// Normalised innovation squared of one component.
    @inline(__always)
    private func square(_ part: Double, axis: Int, standardDeviation: Double) -> Double {
        let (p, e) = (ErrorState.position + axis, ErrorState.gnssError + axis)
        let white = standardDeviation * settings.gnss.whiteShare
        return part * part / (covariance[p, p] + covariance[e, e] + 2 * covariance[p, e] + white * white)
    }

    /// Rescales the reported accuracy by the normalised innovation squared (NIS), horizontally and vertically
    /// separately.
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

    /// Inflates the covariance of position and GNSS error: earlier fixes used the same over-optimistic accuracy.
    private mutating func inflatePositionCovariance(by factor: Double) {
        for i in 0..<2 {
            scale(ErrorState.position + i, by: factor)
            scale(ErrorState.gnssError + i, by: factor)
        }
    }

    /// Corrects the state by a position, which is evidence for or against the heading.
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
        // An unknown height gets no weight.
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

/// Update by a weak fix, such as a fix from a mobile network: inaccurate, rare and without a velocity. It determines
/// the position, but neither motion nor attitude.
extension ErrorStateKalmanFilter {
    /// Whether a fix may correct only the position. A single fix is no evidence of lasting motion, however accurate it
    /// is: the next fix within the interval starts a stream.
    @inline(__always)
    func isWeak(_ fix: LocalFix) -> Bool {
        guard settings.parts.contains(.weakFixes) else { return false }
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? .infinity
        // Fixes with a velocity form a stream even at intervals longer than `weakInterval`. Such a fix is weak only
        // after the time without aiding, and while fixes do not measure the motion.
        guard fix.velocity == nil else { return !rules.measuresMotion && interval > settings.unaided.afterSeconds }
        let standardDeviation = fix.horizontalStandardDeviation
        return standardDeviation > settings.gnss.weakStandardDeviation || interval > settings.gnss.weakInterval
    }

    /// Corrects the position alone, and moves the held place.
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

    /// Inflates the position covariance, because it was only an assumption that the wearer stayed since the last fix.
    private mutating func inflatePosition(at fix: LocalFix) {
        let interval = gnss.lastPosition.map { fix.time.seconds(since: $0) } ?? 0
        let away = settings.unaided.unnoticedSpeed * interval
        restorePlaceVariance()
        widen(ErrorState.position, count: 3, by: away * away)
    }
}
