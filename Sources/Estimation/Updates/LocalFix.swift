import Geometry
import Measurements

/// Fix in the local frame.
package struct LocalFix: Hashable, Sendable {
    /// Epoch of the fix.
    package var time: BootTime
    /// Position of the antenna. Frame: ENU at the origin. Unit: metres. The height counts only with `hasHeight`.
    package var position: Vector3
    /// Reported standard deviation of the position, per axis. Frame: ENU. Unit: metres.
    package var positionDeviation: Vector3
    /// Velocity of the antenna; nil where the receiver reports no horizontal vector. Frame: ENU. Unit: m/s.
    package var velocity: Vector3?
    /// Whether the receiver reports a vertical velocity.
    package var hasVerticalVelocity: Bool
    /// Whether the height counts. Stored next to the other flag: before a vector it would take eight bytes in each of
    /// the thousand waiting measurements.
    package var hasHeight: Bool
    /// Reported standard deviation of the velocity, per horizontal axis. Unit: m/s.
    package var velocityDeviation: Double
    /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
    package var antennaInBody: Vector3
    /// Properties of the place of the fix.
    package var site: Site

    package init(
        time: BootTime, position: Vector3, hasHeight: Bool, positionDeviation: Vector3, velocity: Vector3?,
        hasVerticalVelocity: Bool, velocityDeviation: Double, antennaInBody: Vector3, site: Site
    ) {
        self.time = time
        self.position = position
        self.hasHeight = hasHeight
        self.positionDeviation = positionDeviation
        self.velocity = velocity
        self.hasVerticalVelocity = hasVerticalVelocity
        self.velocityDeviation = velocityDeviation
        self.antennaInBody = antennaInBody
        self.site = site
    }
}

/// Update by a fix: by its position and, where it has one, its velocity.
extension ErrorStateKalmanFilter {
    /// Applies a fix. The state must be at its epoch.
    package mutating func apply(_ measured: LocalFix) { apply(measured, checkVelocities(measured)) }

    /// Compares the receiver's velocities with its positions. The result does not depend on the heading: hypotheses
    /// take the primary filter's verdict.
    mutating func checkVelocities(_ fix: LocalFix) -> VelocityErrorMonitor.Verdict {
        velocityErrors.note(fix, delay: state.velocityDelay, settings: settings.gnss)
    }

    mutating func apply(_ measured: LocalFix, _ verdict: VelocityErrorMonitor.Verdict) {
        var fix = measured
        fix.positionDeviation.x *= gnss.positionScale.value
        fix.positionDeviation.y *= gnss.positionScale.value
        fix.positionDeviation.z *= gnss.heightScale.value
        propagateCovariance()
        take(verdict)
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
            modes.observe(speed: velocity.horizontalNorm, deviation: fix.velocityDeviation)
            gnss.lastSpeed = velocity.horizontalNorm
            learnVehicleMount(velocity)
            apply(velocity: velocity, fix)
        }
        influence.cause = .gnssPosition
        apply(position: fix.position, fix)
        gnss.note(fix, settings: settings.gnss)
        noteLasting(fix)
        gnss.lastAiding = fix.time
    }

    private mutating func take(_ verdict: VelocityErrorMonitor.Verdict) {
        gnss.wandering = verdict.weight
        for i in ErrorState.position..<(ErrorState.position + 2) { covariance[i, i] += verdict.positionVariance }
    }

    private mutating func noteLasting(_ fix: LocalFix) {
        let p = ErrorState.position
        let variance = (covariance.rows[p][p] + covariance.rows[p + 1][p + 1]) / 2
        gnss.noteLasting(fix, variance: variance, settings: settings.gnss)
    }

    /// Takes over gravity and earth rotation of the place, and once the declination, by which a magnetic heading
    /// becomes true.
    private mutating func settle(at place: Site) {
        let isFirst = site?.field == nil && place.field != nil
        let assumed = site?.isAssumed == true ? site?.field : nil
        site = place
        if let assumed, let field = place.field, heading.north == .geographic {
            rotateYaw(by: assumed.declination - field.declination)
        }
        guard isFirst, heading.north == .magnetic, let field = place.field else { return }
        rotateYaw(by: -field.declination)
        heading.countFromGeographicNorth()
    }

    /// States that a fix may correct: with an unknown heading, or at rest, the yaw is a consider state.
    @inline(__always)
    package var aidedMask: GainMask {
        // At rest the yaw is unobservable.
        let isMoving = modes.probabilities[0] < Self.certainRest
        return heading.isKnown && isMoving ? .all : GainMask.all.subtracting([.yaw, .magneticOffset])
    }

    /// Probability of rest beyond which the yaw is a consider state: the receiver's slow errors would turn it.
    static let certainRest = 0.95
}
