import Geometry
import Model

/// Current assumptions of the filter: motion of the wearer, aiding of the estimate, and knowledge of the heading.
///
/// The filter has one regime at a time, which it determines from its detectors at each tick, fix and step. Only the
/// regime decides which parts of the model apply, and `rules` lists them.
package struct Regime: Hashable, Sendable, Codable {
    /// Motion of the wearer.
    package enum Motion: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// The body almost certainly stays in place, but it may turn.
        case rest
        /// The wearer walks, because detected steps follow each other.
        case foot
        /// A vehicle carries the wearer.
        case riding
        /// Any other motion, of a hand, a head or a body.
        case free
    }

    /// External measurement of the motion.
    package enum Aiding: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// A stream of fixes measures position and velocity.
        case satellites
        /// Single fixes, for example from a network or at a door, measure the position but not the motion.
        case weak
        /// No fix is recent.
        case none
    }

    /// Knowledge of the heading.
    package enum Heading: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// Any heading is possible.
        case unknown
        /// The magnetometer or one of several hypotheses gives a heading that motion has not confirmed.
        case unconfirmed
        /// Motion under satellites has confirmed the heading.
        case known
    }

    package var motion = Motion.free
    package var aiding = Aiding.none
    package var heading = Heading.unknown
    /// Whether the accelerometer delivers samples. It falls silent if its bus or driver fails.
    package var hasForce = true

    package init() {}
}

/// Rules of a regime: process model, pseudo-measurements, and use of steps, field and fixes.
///
/// This is the only table of these rules; docs/supervision.md shows it for every regime.
package struct RegimeRules: Hashable, Sendable {
    /// How the tilt is corrected.
    package enum Levelling: Hashable, Sendable {
        /// Velocities of fixes correct the tilt, because velocity and tilt are correlated.
        case byVelocities
        /// Each sample whose norm equals gravity corrects the tilt.
        case byQuietForce
        /// The mean force over several steps corrects the tilt.
        case byMeanForce
        /// No correction, because the accelerometer is silent.
        case none
    }

    /// Use of a detected step.
    package enum StepUse: Hashable, Sendable {
        /// The step is a displacement that predicts the position (pedestrian dead reckoning).
        case displacement
        /// The step is a measurement of the velocity.
        case velocity
        /// The step is not applied, because its direction is unknown.
        case undirected
        /// The step is not applied, because vibrations of a vehicle look like steps.
        case refused
    }

    /// Whether a yaw is known, so that it is published and corrected.
    package var hasYaw: Bool
    /// Whether other yaws are still possible, so that hypotheses run in parallel and innovations are evidence for or
    /// against them.
    package var searchesYaw: Bool
    /// Whether fixes measure the motion. If they do not, the filter may miss some motion.
    package var measuresMotion: Bool
    /// Whether detected steps follow each other.
    package var isWalk: Bool
    /// Whether errors and noise are those of a vehicle.
    package var isVehicle: Bool
    package var process: ProcessModel
    package var levelling: Levelling
    package var steps: StepUse
    /// Whether weak pseudo-measurements hold the body at the last known place.
    package var holdsPlace: Bool
    /// Whether a vehicle is assumed to move along its own forward direction (non-holonomic constraint).
    package var holdsCourse: Bool
    /// Whether a zero-velocity update beyond its gate is still applied, with bounded influence, because no other sensor
    /// measures the velocity.
    package var boundsRest: Bool
    /// Whether fixes that show no motion confirm that a walker is standing.
    package var confirmsRest: Bool
    /// States that a fix may correct.
    package var fixMask: GainMask
    /// States that a step may correct.
    package var stepMask: GainMask
    package var field: FieldRules
}

/// Use of the magnetic field for the yaw.
package struct FieldRules: Hashable, Sendable {
    /// States that the azimuth of the field may correct.
    package var mask: GainMask
    /// Time over which the field is averaged, as a multiple of `magnetic.meanSeconds`.
    package var meanCount: Double
    /// Whether a field that disagrees with the expected field is used immediately, with larger noise, because otherwise
    /// only the gyroscope determines the yaw.
    package var usesDisturbed: Bool
    /// Whether an azimuth beyond its gate is still applied, with bounded influence.
    package var boundsOutliers: Bool
    /// Whether the strength of the field corrects the hard iron, and the direction is used only once the hard iron is
    /// known.
    package var learnsHardIron: Bool
    /// Whether, once the position is known, the field of the World Magnetic Model is expected. Without satellites the
    /// learned field is expected instead, because inside a building the field differs from the model everywhere.
    package var expectsModel: Bool
    /// Whether a field that stays uniform along the motion of a hand confirms its own direction.
    package var learnsUniformity: Bool
}

extension Regime {
    package var rules: RegimeRules {
        let isAided = aiding == .satellites
        return RegimeRules(
            hasYaw: heading != .unknown, searchesYaw: heading != .known, measuresMotion: isAided,
            isWalk: motion == .foot, isVehicle: motion == .riding,
            process: process, levelling: levelling, steps: steps,
            holdsPlace: !isAided && motion != .foot,
            holdsCourse: motion == .riding && heading != .unknown,
            boundsRest: !isAided, confirmsRest: motion == .rest,
            fixMask: fixMask, stepMask: stepMask, field: isAided ? .besideFixes : .alone(motion))
    }

    private var process: ProcessModel {
        ProcessModel(horizontal: horizontalMotion, hasForce: hasForce, isNoiseAssumed: aiding != .satellites)
    }

    /// Source of the horizontal motion. On foot without satellites, only the steps determine it. Without a heading, the
    /// fixes determine it, because the direction of a horizontal force is then unknown.
    private var horizontalMotion: ProcessModel.HorizontalMotion {
        switch (aiding, motion, heading) {
        case (.satellites, _, .unknown): .fixes
        case (.satellites, _, _): .inertial
        case (_, .foot, _): .steps
        default: .inertial
        }
    }

    private var levelling: RegimeRules.Levelling {
        guard hasForce else { return .none }
        switch (aiding, motion, heading) {
        case (.satellites, _, .unconfirmed), (.satellites, _, .known): return .byVelocities
        case (_, .foot, _): return .byMeanForce
        default: return .byQuietForce
        }
    }

    private var steps: RegimeRules.StepUse {
        switch (aiding, motion, heading) {
        case (_, .riding, _): .refused
        case (.satellites, _, .unknown): .undirected
        case (.satellites, _, _): .velocity
        default: .displacement
        }
    }

    /// States that a fix may correct. Single fixes correct only the position states. With an unknown heading, or at
    /// rest, a stream of fixes contains no information about the yaw, and the receiver's slow errors would turn it.
    private var fixMask: GainMask {
        switch (aiding, motion, heading) {
        case (.weak, _, _), (.none, _, _): .place
        case (_, .rest, _), (_, _, .unknown): GainMask.all.subtracting([.yaw, .magneticOffset])
        default: .all
        }
    }

    /// States that a step may correct. Steps never correct the heading. Without satellites, they do not even correct
    /// their own parameters.
    private var stepMask: GainMask {
        let mask = GainMask.all.subtracting([.yaw, .hardIron, .magneticOffset, .velocityDelay])
        return aiding == .satellites ? mask : mask.subtracting([.stepScale, .walkingDirection])
    }
}

extension FieldRules {
    /// Rules while fixes arrive. Over time fixes measure the yaw better, so the field is used only while it agrees with
    /// the expected field.
    package static let besideFixes = FieldRules(
        mask: [.yaw, .gyroBias, .hardIron, .magneticOffset], meanCount: 2, usesDisturbed: false, boundsOutliers: false,
        learnsHardIron: true, expectsModel: true, learnsUniformity: false)

    /// Returns the rules without satellites. Only the field then measures the yaw, so it is always used, with noise
    /// that allows for disturbances.
    package static func alone(_ motion: Regime.Motion) -> FieldRules {
        FieldRules(
            mask: [.yaw, .gyroBias, .magneticOffset], meanCount: 1, usesDisturbed: true, boundsOutliers: true,
            learnsHardIron: false,
            expectsModel: false,
            learnsUniformity: motion != .foot)
    }
}

/// Not saved, because the saved regime determines the rules.
extension RegimeRules: Unsaved {}

/// Determination of the regime from the detectors, and changes of the state when the regime changes.
extension ErrorStateKalmanFilter {
    /// Determines motion, aiding and heading for the current state.
    package mutating func updateRegime() {
        var next = regime
        next.motion = presentMotion()
        next.heading = heading.knowledge
        next.aiding = presentAiding
        change(to: next)
    }

    @inline(__always)
    private mutating func presentMotion() -> Regime.Motion {
        if modes.isRiding { return .riding }
        if gait.isWalking(at: state.time, settings: settings.gait) { return .foot }
        // The displacement of the last steps is still being applied to the position.
        if !pendingWay.isEmpty { return .foot }
        return modes.isCertainlyAtRest && settings.parts.contains(.yawHeldAtRest) ? .rest : .free
    }

    /// Aiding at the current time. A stream of fixes ends only after they have been absent for a long time and the
    /// velocity has become uncertain. This time is shorter without a confirmed heading.
    @inline(__always)
    private var presentAiding: Regime.Aiding {
        let limits = settings.unaided
        guard regime.aiding == .satellites else {
            let isPlaced = gnss.lastPosition.map { state.time.seconds(since: $0) < limits.afterSeconds } ?? false
            return isPlaced ? .weak : .none
        }
        let patience =
            modes.isRiding
            ? limits.afterRidingSeconds
            : heading.isSettled ? limits.afterSeconds : limits.afterSecondsUnconfirmed
        guard settings.parts.contains(.unaidedMode), let age = gnss.age(at: state.time), age > patience else {
            return .satellites
        }
        return horizontalVelocityStandardDeviation > limits.velocityStandardDeviation ? .none : .satellites
    }

    /// Enters or keeps the regime of a stream of fixes.
    package mutating func enterSatellites() {
        var next = regime
        next.aiding = .satellites
        change(to: next)
    }

    /// Records that motion has confirmed the heading.
    mutating func settleHeading() {
        heading.settle()
        updateRegime()
    }

    package mutating func change(to next: Regime) {
        guard next != regime else { return }
        // The pending propagation belongs to the previous process model.
        propagateCovariance()
        let before = (regime: regime, horizontal: rules.process.horizontal)
        regime = next
        rules = next.rules
        if next.aiding == .satellites { heading.noteFixes() }
        if before.horizontal == .steps, rules.process.horizontal != .steps { endSteps() }
        switch (before.regime.aiding, next.aiding) {
        case (.satellites, .weak), (.satellites, .none): place.move(to: state.position, at: state.time)
        case (.weak, .satellites), (.none, .satellites): releasePlace()
        default: break
        }
    }

    /// Adds the whole pending displacement of the steps to the position.
    private mutating func endSteps() { state.position += pendingWay.takeAll() }
}
