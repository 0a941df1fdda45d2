import Geometry
import Model

/// Fix in the local frame.
package struct LocalFix: Hashable, Sendable, Codable {
    /// Epoch of the fix.
    package var time: BootTime
    /// Position of the antenna. Frame: ENU at the origin. Unit: metres. The height is valid only with `hasHeight`.
    package var position: Vector3
    /// Reported standard deviation of the position, per axis. Frame: ENU. Unit: metres.
    package var positionStandardDeviation: Vector3
    /// Velocity of the antenna; nil if the receiver reports no horizontal vector. Frame: ENU. Unit: m/s.
    package var velocity: Vector3?
    /// Whether the receiver reports a vertical velocity.
    package var hasVerticalVelocity: Bool
    /// Whether the height is valid. It is stored next to the other flags because, before a vector, it would take eight
    /// bytes in each of the thousand waiting measurements.
    package var hasHeight: Bool
    /// Whether the receiver reports the accuracy of its velocity; otherwise a usual accuracy is assumed.
    package var reportsVelocityAccuracy: Bool
    /// Standard deviation of each horizontal component of the velocity. Unit: m/s.
    package var velocityStandardDeviation: Double
    /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
    package var antennaInBody: Vector3
    package var site: Site

    package init(
        time: BootTime, position: Vector3, hasHeight: Bool, positionStandardDeviation: Vector3, velocity: Vector3?,
        hasVerticalVelocity: Bool, velocityStandardDeviation: Double, antennaInBody: Vector3, site: Site,
        reportsVelocityAccuracy: Bool = true
    ) {
        self.time = time
        self.position = position
        self.hasHeight = hasHeight
        self.positionStandardDeviation = positionStandardDeviation
        self.velocity = velocity
        self.hasVerticalVelocity = hasVerticalVelocity
        self.velocityStandardDeviation = velocityStandardDeviation
        self.reportsVelocityAccuracy = reportsVelocityAccuracy
        self.antennaInBody = antennaInBody
        self.site = site
    }
}

extension LocalFix {
    /// Standard deviation of the position along the less accurate horizontal axis. Unit: metres.
    @inline(__always)
    var horizontalStandardDeviation: Double { max(positionStandardDeviation.x, positionStandardDeviation.y) }
}

/// Update with the position of a fix and, if present, its velocity.
extension ErrorStateKalmanFilter {
    /// Applies a fix. The state must be at the epoch of the fix.
    @discardableResult
    package mutating func apply(_ measured: LocalFix) -> FixOutcome { apply(assess(measured)) }

    @discardableResult
    mutating func apply(_ assessed: AssessedFix) -> FixOutcome {
        let fix = scaled(assessed.fix)
        propagateCovariance()
        take(assessed.velocityErrors)
        influence.cause = .gnssPosition
        settle(at: fix.site)
        guard !isWeak(fix) else {
            gnss.jumpOffset = .zero
            let position = applyWeak(fix)
            noteLasting(fix)
            return FixOutcome(position: position, velocity: nil)
        }
        let isFirst = gnss.lastAiding == nil
        gnss.lastAiding = fix.time
        enterSatellites()
        gnss.errorStandardDeviation = fix.positionStandardDeviation * settings.gnss.correlatedShare
        if isFirst {
            // Between single fixes, pseudo-measurements have held the position at a place and made it look more
            // accurate than it is. Therefore the first fix of a stream sets the position again.
            beginPosition(fix.position, antennaInBody: fix.antennaInBody)
            if let velocity = fix.velocity { beginVelocity(velocity) }
        }
        take(assessed.jumps, of: fix)
        var velocityOutcome: UpdateOutcome?
        if let velocity = fix.velocity {
            influence.cause = .gnssVelocity
            if settings.parts.contains(.motionModes) {
                modes.observe(speed: velocity.horizontalNorm, standardDeviation: fix.velocityStandardDeviation)
            }
            updateRegime()
            gnss.lastSpeed = velocity.horizontalNorm
            learnVehicleMount(velocity)
            let outcome = apply(velocity: velocity, fix)
            velocityOutcome = isFirst ? .applied : outcome
        }
        influence.cause = .gnssPosition
        let positionOutcome = apply(position: fix.position, fix)
        gnss.note(fix, settings: settings.gnss)
        noteLasting(fix)
        let jump = assessed.jumps.offset
        let jumped =
            jump == .zero ? nil : UpdateOutcome(jump: jump, standardDeviation: fix.horizontalStandardDeviation)
        // A fix that set the state has no innovation.
        return FixOutcome(position: isFirst ? .applied : jumped ?? positionOutcome, velocity: velocityOutcome)
    }

    private mutating func take(_ verdict: VelocityErrorMonitor.Verdict) {
        gnss.wandering = verdict.weight
        widen(ErrorState.position, count: 2, by: verdict.positionVariance)
    }

    private mutating func take(_ jumps: PositionJumps.Assessment, of fix: LocalFix) {
        gnss.jumpOffset = jumps.offset
        state.gnssError += jumps.remainder
        if jumps.variance > 0 { widen(ErrorState.gnssError, count: 2, by: jumps.variance) }
        if jumps.isReturn { beginPosition(fix.position, antennaInBody: fix.antennaInBody) }
    }

    private mutating func noteLasting(_ fix: LocalFix) {
        guard settings.parts.contains(.lastingError) else { return }
        gnss.noteLasting(fix, variance: meanHorizontalVariance(ErrorState.position), settings: settings.gnss)
    }

    /// Adopts the gravity and the earth rotation of a site. The first site with a model field also gives the
    /// declination, which turns a magnetic heading into a true heading.
    mutating func settle(at place: Site) {
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
}

extension EstimatorSettings {
    /// Error model of satellite fixes and their checks.
    public struct GNSS: Hashable, Sendable {
        /// Share of the reported standard deviation of a position that stays correlated for `correlationSeconds`. Raise
        /// it to give a series of fixes less weight. Origin: recorded and simulated receivers.
        public var correlatedShare = 0.93
        /// Share of the reported standard deviation of a position that is white. Raise it to give a single position
        /// less weight. Origin: recorded and simulated receivers.
        public var whiteShare = 0.35
        /// Correlation time of position errors. Raise it to let the position follow the receiver more slowly.
        /// Unit: seconds. Origin: multipath and atmosphere on a walk past a few houses.
        public var correlationSeconds = 70.0
        /// Share of the reported standard deviation that lasts for many minutes, so that averaging does not reduce it.
        /// Multiplied by the square root of the seconds between fixes, it is added to the published accuracies. Raise
        /// it to publish larger radii. Origin: coverage on simulated walks whose receivers have errors that last for 60
        /// and 300 s.
        public var lastingShare = 0.3
        /// Lower limit of the published standard deviation, as a share of the reported standard deviation. Raise it to
        /// publish larger radii after many fixes have been averaged. Origin: coverage on simulated walks whose
        /// receivers have errors that last for 60 and 300 s.
        public var minimumShare = 0.75
        /// Standard deviation beyond which a fix without a velocity, such as a fix from a mobile network, corrects only
        /// the position. Raise it to let worse fixes correct the whole state. Unit: metres. Origin: network locators of
        /// phones.
        public var weakStandardDeviation = 8.0
        /// Interval beyond which fixes without a velocity correct only the position. Raise it to let rarer fixes
        /// correct the whole state. Unit: seconds. Origin: network locators of phones.
        public var weakInterval = 5.0
        /// Share of the reported standard deviation of a velocity that is white. Raise it to give a single velocity
        /// less weight. Origin: trials on simulated walks and on a recorded walk and drive with known errors.
        public var velocityWhiteShare = 0.6
        /// Share of the reported standard deviation of a velocity that is correlated over `velocityCorrelationSeconds`.
        /// Raise it to give a series of velocities less weight. Origin: trials on simulated walks and on a recorded
        /// walk and drive with known errors.
        public var velocityCorrelatedShare = 0.28
        /// Correlation time of velocity errors. Raise it to let the velocity follow the receiver more slowly. Unit:
        /// seconds. Origin: trials on simulated walks and on a recorded walk and drive with known errors.
        public var velocityCorrelationSeconds = 15.0
        /// `velocityCorrelatedShare` in a vehicle, where multipath changes with the place. Raise it to give a series of
        /// velocities less weight while riding.
        public var ridingVelocityShare = 0.16
        /// `velocityCorrelationSeconds` in a vehicle. Raise it to let the velocity follow the receiver more slowly
        /// while riding. Unit: seconds.
        public var ridingVelocitySeconds = 8.0
        /// `velocityCorrelatedShare` of a receiver whose velocities wander. Raise it to give the velocities of such a
        /// receiver less weight. Origin: simulated walks whose velocities are off for a minute.
        public var wanderingShare = 0.9
        /// `velocityCorrelationSeconds` of a receiver whose velocities wander. Raise it to follow such a receiver more
        /// slowly. Unit: seconds. Origin: simulated walks whose velocities are off for a minute.
        public var wanderingSeconds = 60.0
        /// Probability that the velocities of a receiver wander, before they are compared with its positions. Raise it
        /// to act on less evidence. Origin: such receivers are rare.
        public var wanderingPrior = 0.05
        /// Time constant with which the evidence for and against wandering velocities fades. Raise it to evaluate a
        /// receiver over a longer past. Unit: seconds. Origin: a few of the errors, which last for a minute.
        public var wanderingMemory = 300.0
        /// Ratio of the standard deviations of vertical and horizontal velocity. Raise it to give vertical velocities
        /// less weight. Origin: geometry of satellites.
        public var verticalVelocityFactor = 1.5
        /// Standard deviation of the velocities if the locator does not measure them and reports no accuracy. Raise it
        /// to give such velocities less weight until motion has confirmed them. Unit: m/s. Origin: walking speed, of
        /// which phones report only a part.
        public var unmeasuredVelocityStandardDeviation = 1.0
        /// Latency of the velocity relative to the fix epoch, as assumed at the start. Raise it to start with a larger
        /// latency. Unit: seconds. Origin: receivers that smooth their velocities had 0.10 to 0.125 s; other receivers
        /// have no latency.
        public var velocityDelaySeconds = 0.05
        /// Initial standard deviation of the velocity latency. Raise it to learn a different latency sooner. Unit:
        /// seconds. Origin: receivers with and without smoothing lie within one standard deviation.
        public var velocityDelayStandardDeviation = 0.06
        /// Random walk of the velocity latency. Raise it to follow a latency that changes. Unit: s/√s. Origin: 0.02 s
        /// in an hour, because a receiver's latency hardly changes.
        public var velocityDelayWalk = 3e-4
        /// Number of successive positions beyond the gate that count as a jump. Raise it to act on jumps later. Origin:
        /// one or two outliers are errors, but three are a change.
        public var outliersToJump = 3
        /// Duration for which a stream of fixes must have been steady for a jump to count as multipath, an error of the
        /// receiver. Any other jump resets the position. Raise it to let more jumps reset the position. Unit: seconds.
        /// Origin: fifteen fixes.
        public var steadySeconds = 15.0
        /// Time for which positions must be beyond the gate, or the receiver's error beyond `resetDistance`, before the
        /// position is reset. Raise it to reject multipath for longer, but to recover later from a wrong position.
        /// Unit: seconds. Origin: reflections are shorter.
        public var resetSeconds = 10.0
        /// Error of the receiver beyond which the position counts as wrong. Raise it to let larger errors last without
        /// resetting the position. Unit: metres. Origin: no reflection in a street causes a larger error for long.
        public var resetDistance = 50.0
        /// Upper limit of the factor by which reported standard deviations are enlarged. Raise it to cope with
        /// receivers whose accuracies are even more over-optimistic. Origin: twice 3, the factor between the kinds of
        /// accuracy that receivers report.
        public var maximumPositionScale = 6.0
        /// Time constant of the factor on reported standard deviations. Raise it to let bursts of errors change it
        /// less. Unit: seconds. Origin: duration of a position error.
        public var positionScaleSeconds = 60.0
        /// Smallest jump of a receiver's error that is subtracted from its positions. Raise it to let the position
        /// follow larger jumps. Unit: metres. Origin: on simulated walks, the changes at 53 jumps of 15 to 40 m were
        /// larger, and all 2 095 other changes were smaller.
        public var minimumJump = 7.5
        /// Time after which a subtracted jump of up to `resetDistance` counts as the end of an earlier receiver error.
        /// The position then follows the receiver. Raise it to reject longer reflections. Unit: seconds. Origin: a
        /// walker leaves a reflection within a block of houses.
        public var reflectionSeconds = 60.0
        /// Age beyond which a fix is rejected, relative to the newest inertial sample. Raise it to accept later fixes.
        /// Unit: seconds. Origin: slightly less than the 2.8 s that the snapshots reach back at least.
        public var oldestSeconds = 2.5
        package init() {}
    }
}

/// A fix and the errors that the primary filter has detected in it. The hypotheses use the same assessment.
struct AssessedFix: Sendable {
    /// The fix after the standard deviation of its velocity was assessed and jumps were subtracted from its position.
    var fix: LocalFix
    var velocityErrors = VelocityErrorMonitor.Verdict()
    var jumps = PositionJumps.Assessment()
}

extension ErrorStateKalmanFilter {
    /// Checks a fix against earlier fixes. The state must be at the epoch of the fix.
    mutating func assess(_ measured: LocalFix) -> AssessedFix {
        var assessed = AssessedFix(fix: measured)
        if settings.parts.contains(.positionJumps), !isWeak(scaled(measured)) {
            assessed.jumps = positionJumps.assess(
                measured, scale: gnss.positionScale.value, motion: motion(at: measured), settings: settings.gnss)
            assessed.fix.position = measured.position - assessed.jumps.offset
        }
        assessed.fix = assessVelocity(of: assessed.fix)
        if settings.parts.contains(.velocityErrorMonitor) {
            assessed.velocityErrors = velocityErrors.note(
                assessed.fix, delay: state.velocityDelay, settings: settings.gnss)
        }
        return assessed
    }

    /// Returns the fix with its reported accuracies multiplied by the estimated scales.
    @inline(__always)
    func scaled(_ fix: LocalFix) -> LocalFix {
        var scaled = fix
        scaled.positionStandardDeviation.x *= gnss.positionScale.value
        scaled.positionStandardDeviation.y *= gnss.positionScale.value
        scaled.positionStandardDeviation.z *= gnss.heightScale.value
        return scaled
    }

    /// Returns the velocity that the receiver measured, if it reports an accuracy, and otherwise the filter's velocity.
    /// The filter's heading may be wrong, so its speed is added to the noise.
    private mutating func motion(at fix: LocalFix) -> PositionJumps.Motion {
        if let velocity = fix.velocity, fix.reportsVelocityAccuracy {
            let standardDeviation = fix.velocityStandardDeviation
            return PositionJumps.Motion(velocity: velocity, variance: standardDeviation * standardDeviation)
        }
        let speed = state.velocity.horizontalNorm
        return PositionJumps.Motion(
            velocity: state.velocity, variance: worseHorizontalVariance(ErrorState.velocity) + speed * speed)
    }
}
