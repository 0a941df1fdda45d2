import Geometry
import Measurements

/// A fix brought into the local frame.
package struct LocalFix: Hashable, Sendable {
    package var time: BootTime
    /// Frame: ENU at the origin. Unit: metres. The height counts only with `hasHeight`.
    package var position: Vector3
    /// Per axis. Unit: metres.
    package var positionDeviation: Vector3
    /// Frame: ENU. Unit: m/s; nil where the receiver gives no horizontal vector.
    package var velocity: Vector3?
    package var hasVerticalVelocity: Bool
    /// Next to the other flag: before a vector it would take eight bytes of each of the thousand aids that can wait.
    package var hasHeight: Bool
    /// Unit: m/s.
    package var velocityDeviation: Double
    /// The lever arm from the inertial sensor. Frame: body. Unit: metres.
    package var antennaInBody: Vector3
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

/// A fix corrects by its position and, where it has one, by its velocity.
extension ErrorStateKalmanFilter {
    /// Applies a fix at the present state, which must be that of its epoch.
    package mutating func apply(_ measured: LocalFix) { apply(measured, judgeVelocities(measured)) }

    /// Compares the receiver's velocities with its positions. That depends on no north: hypotheses take the carrier's
    /// verdict.
    mutating func judgeVelocities(_ fix: LocalFix) -> VelocityErrorMonitor.Verdict {
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

    /// What the place tells: gravity at once, true north by the declination once.
    private mutating func settle(at place: Site) {
        let isFirst = site?.field == nil && place.field != nil
        let assumed = site?.isAssumed == true ? site?.field : nil
        site = place
        if let assumed, let field = place.field, heading.north == .geographic {
            turnFrame(by: assumed.declination - field.declination)
        }
        guard isFirst, heading.north == .magnetic, let field = place.field else { return }
        turnFrame(by: -field.declination)
        heading.countFromGeographicNorth()
    }

    /// With an unknown heading a fix must not turn the body: the yaw is only considered.
    @inline(__always)
    package var aidedMask: GainMask {
        // A body at rest says nothing of north.
        let isMoving = modes.probabilities[0] < Self.certainRest
        return heading.isKnown && isMoving ? .all : GainMask.all.subtracting([.yaw, .magneticOffset])
    }

    /// Probability of rest beyond which fixes only consider the yaw: their own wandering would turn it.
    static let certainRest = 0.95
}
