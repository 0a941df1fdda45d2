import Geometry
import Glibc
import Model

/// Update of the yaw with the azimuth of the magnetic field. It never corrects the tilt.
extension ErrorStateKalmanFilter {
    /// Corrects or sets the yaw with the mean of several samples.
    ///
    /// - Parameter measured: field, hard iron included. Frame: body.
    /// - Returns: the result; nil if the field is not used.
    mutating func correctYaw(_ measured: Vector3, span: Double, at time: BootTime) -> UpdateOutcome? {
        let field = state.rotationENUFromBody * (measured - state.hardIron)
        let horizontal = field.horizontalNorm
        guard horizontal > Self.minimumHorizontalShare * field.norm else { return nil }
        let shape = MagneticMonitor.Shape(norm: field.norm, inclination: atan2(-field.z, horizontal))
        let assessed = magnetics.assess(
            shape, model: confirmedField, iron: standardDeviation(ErrorState.hardIron) / max(1e-9, field.norm),
            tilt: tiltStandardDeviation, rules: rules.field, at: time, settings: settings.magnetic)
        let verdict = settings.parts.contains(.fieldMonitor) ? assessed : .good
        doubtDirection(horizontal / field.norm)
        noteConfirmation(field, verdict)
        checkConfirmation(shape)
        switch use(of: verdict) {
        case .none: return verdict == .refused ? .refused : nil
        case .beginning: beginHeading(measured)
        case .renewal: renewHeading(measured)
        case .correction: return correctYaw(measured, verdict: verdict, interval: span)
        }
        return .applied
    }

    /// Records the time if the field agrees with a heading that motion under satellites has confirmed.
    ///
    /// - Parameter field: field without hard iron. Frame: ENU.
    private mutating func noteConfirmation(_ field: Vector3, _ verdict: MagneticMonitor.Verdict) {
        guard heading.isSettled, !heading.field.isRefuted, verdict == .good, let model = modelField,
            magnetics.contradictedSince == nil, state.magneticOffset.magnitude < HeadingSearch.bend,
            Angle.wrapped(atan2(field.x, field.y) - model.declination).magnitude < HeadingSearch.bend
        else { return }
        heading.noteConfirmation(at: state.time)
    }

    /// Discards an earlier run's confirmation if the field disagrees with the model at the position.
    private mutating func checkConfirmation(_ shape: MagneticMonitor.Shape) {
        guard heading.isCompassAlone, heading.compassConfirmation != nil else { return }
        guard let field = site?.field, magnetics.isInMicrotesla(field),
            shape.lies(near: MagneticMonitor.Shape(field), norm: Self.sameNorm, inclination: Self.sameInclination)
        else { return heading.dropConfirmation() }
    }

    /// Difference from the model strength beyond which a field disagrees with the model, as a fraction of the model
    /// strength.
    private static let sameNorm = 0.1
    /// Difference from the inclination of the model beyond which a field disagrees with the model: 6°. Unit: radians.
    private static let sameInclination = 0.105

    /// Field of the model; nil if the learned field is expected instead.
    private var modelField: GeomagneticField? { rules.field.expectsModel ? confirmedField : nil }

    private enum FieldUse {
        case none
        /// Sets the heading for the first time.
        case beginning
        /// Sets the heading again, because the hard iron on which it is based has changed.
        case renewal
        case correction
    }

    private mutating func use(of verdict: MagneticMonitor.Verdict) -> FieldUse {
        let isRefused = verdict == .refused
        guard rules.hasYaw else { return isRefused && modelField != nil ? .none : .beginning }
        if isRefused { return .none }
        if heading.isOutdated { return .renewal }
        return rules.field.learnsHardIron && isHardIronUnknown ? .none : .correction
    }

    /// Smallest horizontal share with which a field determines the heading: that of a field 3° from the vertical.
    private static let minimumHorizontalShare = 0.05

    /// Enlarges the variance of the local direction if the strength or dip of the field contradicts the World Magnetic
    /// Model. A yaw that depends on the field also becomes less certain; a yaw that motion has confirmed does not.
    ///
    /// Equation: docs/filter.md (82).
    private mutating func doubtDirection(_ horizontalShare: Double) {
        guard modelField != nil, rules.hasYaw, rules.searchesYaw, !isHardIronUnknown,
            settings.parts.contains(.directionDoubt)
        else { return }
        let factor = settings.magnetic.contradictionFactor / horizontalShare
        doubtLocalDirection(atLeast: min(Self.maximumOffset, factor * factor * magnetics.disturbanceVariance))
    }

    /// Enlarges the variance of the local direction of the field, and the variance of the yaw as far as the yaw depends
    /// on it.
    mutating func doubtLocalDirection(atLeast variance: Double) {
        propagateCovariance()
        let (yaw, offset) = (ErrorState.yaw, ErrorState.magneticOffset)
        let growth = variance - covariance.rows[offset][offset]
        guard growth > 0 else { return }
        // Share of the offset error that the yaw error contains: 1 if only the field has determined the yaw.
        let part = max(0, min(1, -covariance.rows[yaw][offset] / covariance.rows[offset][offset]))
        widen(offset, by: growth, with: yaw, share: -part)
    }

    /// Variance of a yaw from a field that contradicts the model, without satellites. Only published accuracies and
    /// plans use it, because inside buildings every field contradicts the model, and a filter that follows the field
    /// nevertheless has the better yaw. Unit: rad².
    @inline(__always)
    var contradictionVariance: Double {
        guard !rules.field.expectsModel, rules.searchesYaw, confirmedField != nil, let field = magnetics.calibrator
        else { return 0 }
        let factor =
            settings.magnetic.buildingFactor * field.strength
            / max(MagneticCalibrator.minimumHorizontal * field.strength, field.horizontal)
        return min(Self.maximumOffset, factor * factor * magnetics.lastingVariance)
    }

    /// Upper limit of the variances that are added because a field contradicts the model. Unit: rad².
    private static let maximumOffset = 1.0

    private mutating func correctYaw(
        _ measured: Vector3, verdict: MagneticMonitor.Verdict, interval: Double
    ) -> UpdateOutcome {
        let model = magneticYawModel(measured)
        let isAllowed = heading.field.allows(
            innovation: model.innovation, standardDeviation: standardDeviation(ErrorState.yaw), at: state.time)
        guard isAllowed || !settings.parts.contains(.fieldTrust) else { return .refused }
        let weak = verdict == .weak ? settings.magnetic.weakFactor : 1
        let since = magnetics.contradictedSince
        let isOld = since.map { state.time.seconds(since: $0) >= settings.magnetic.weakAfterSeconds } ?? false
        let gate = InnovationGate(
            rule: rules.field.boundsOutliers || isOld ? .soften : .reject)
        let outcome = apply(
            Self.scalarUpdate(
                model.innovation, model.jacobian, variance: yawDensity / interval * weak,
                mask: rules.field.mask, gate: gate, cause: .magnetometer))
        magnetics.yawSquare = outcome.normalizedInnovationSquared
        magnetics.contradictedSince = outcome.isOutlier ? since ?? state.time : nil
        if outcome.isAccepted { magnetics.lastCorrection = state.time }
        let result = UpdateOutcome(outcome)
        guard outcome.isAccepted, !outcome.isOutlier, verdict == .good, rules.field.learnsHardIron,
            let field = site?.field,
            magnetics.isInMicrotesla(field)
        else { return result }
        correctHardIron(measured, field, interval)
        return result
    }

    /// Noise density of the yaw that the field measures. A disturbance lasts for seconds, so its samples count as one.
    ///
    /// Unit: rad²·s.
    @inline(__always)
    private var yawDensity: Double {
        let noise = rules.field.usesDisturbed ? settings.magnetic.unaidedYawNoise : settings.magnetic.yawNoise
        // Over time, a series of offered places determines the course better than the field in a building.
        let isBesidePlaces = !rules.measuresMotion && offers.showCourse(at: state.time)
        return noise * noise * (isBesidePlaces ? Self.besidePlaces : 1)
    }

    /// Factor that multiplies the noise variance while places are offered: ten times the standard deviation.
    private static let besidePlaces = 100.0

    /// Measurement model: azimuth of the measured field relative to declination and offset, `α − D − o = δψ + …`.
    ///
    /// With M = R·(m − h), a small error moves M by `d = δθ×M − R·δh` and the azimuth by `(Mn·de − Me·dn)/Mh²`. The
    /// Jacobian is taken at the predicted field, because the innovation contains the noise of the measured field. With
    /// a Jacobian at the measured field, the product of Jacobian and innovation would have a non-zero mean, and would
    /// bias the estimates of tilt and sensor biases.
    ///
    /// Equations: docs/filter.md (29) to (31).
    @inline(__always)
    package func magneticYawModel(
        _ measured: Vector3
    ) -> (innovation: Double, jacobian: Jacobian<1>) {
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
        return (innovation, h)
    }

    /// Horizontal and upward intensity of the model if it is the expected field, otherwise of the learned field. Unit:
    /// that of the magnetometer.
    @inline(__always)
    private func predictedIntensities(_ measured: Vector3) -> (horizontal: Double, up: Double) {
        if rules.field.expectsModel, let field = site?.field, magnetics.isInMicrotesla(field) {
            return (field.horizontalIntensity / 1000, -field.totalIntensity * sin(field.inclination) / 1000)
        }
        if let learned = magnetics.calibrator {
            return (max(Self.minimumHorizontalShare * learned.strength, learned.horizontal), learned.upward)
        }
        return (max(1e-6, measured.horizontalNorm), measured.z)
    }
}

/// Update of the local direction of a field that stays uniform along the motion of a hand.
extension ErrorStateKalmanFilter {
    /// Corrects the local direction. Without satellites it can only be checked against the field itself: if strength
    /// and dip stay constant while the hand moves, no nearby iron deflects the field.
    mutating func learnLikeness() {
        let distance = magnetics.takeHandDistance()
        guard rules.field.learnsUniformity, distance > 0, magnetics.verdict == .good,
            settings.parts.contains(.likeness),
            let field = magnetics.calibrator
        else { return }
        let share = max(MagneticCalibrator.minimumHorizontal, field.horizontal / field.strength)
        let likeness = settings.magnetic.likenessStandardDeviation
        let variance = likeness * likeness + Self.unlikeShare * magnetics.disturbanceVariance / (share * share)
        var h = Jacobian<1>()
        h[0, ErrorState.magneticOffset] = 1
        apply(
            Self.scalarUpdate(
                -state.magneticOffset, h, variance: variance / distance, mask: [.yaw, .magneticOffset], gate: nil,
                cause: .magnetometer))
    }

    /// Share of the squared differences in strength and dip that is attributed to nearby iron; the rest is attributed
    /// to soft iron.
    private static let unlikeShare = 0.3
}
