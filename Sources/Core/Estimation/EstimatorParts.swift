/// Detector, monitor, adaptive noise or aiding update of the estimator that can be switched off, to measure what it is
/// worth: `make ablation`. The name of a case is that of the part.
package enum EstimatorPart: UInt8, CaseIterable, Hashable, Sendable {
    // MARK: Receiver

    /// Detection of velocities that wander, by comparison with the positions.
    case velocityErrorMonitor
    /// Standard deviation of velocities without a reported one, by comparison with steps and positions.
    case velocityCredibility
    /// White share of the velocity's standard deviation, learned from the innovations.
    case velocityNoise
    /// Factors of over-optimistic accuracies of position and height.
    case accuracyScale
    /// Detection of jumps, which are assigned to multipath or reset the position.
    case positionJumps
    /// Variance that no number of fixes reduces, in published accuracies.
    case lastingError
    /// Restriction of rare or inaccurate fixes without a velocity to the position.
    case weakFixes
    /// Yaw as a consider state of fixes at rest.
    case yawHeldAtRest

    // MARK: Magnetometer

    /// Refusal of fields whose strength and dip disagree with the model or the learned field.
    case fieldMonitor
    /// Variance of the local direction that grows with the discrepancy in strength and dip before motion has confirmed
    /// the yaw.
    case directionDoubt
    /// Update of the local direction by the uniformity of the field along a hand's motion.
    case likeness
    /// Calibration of hard iron and field by rotations.
    case fieldCalibrator
    /// Refusal of a field that motion has refuted.
    case fieldTrust
    /// Slow search for a hard iron that appears while the board is worn.
    case hardIronTracker

    // MARK: Heading

    /// Gaussian-sum yaw estimator.
    case hypothesisBank
    /// Invalidation of a confirmed heading whose innovations stay far too large.
    case headingRefutation
    /// Reset of a yaw that both independent comparisons contradict.
    case headingMonitor
    /// The monitor's comparison of velocity changes.
    case velocityComparison
    /// The monitor's comparison of the track of the steps with fixes.
    case trackComparison

    // MARK: Inertial sensors, rest and levelling

    /// Process noise by the vibration that the samples show.
    case vibrationNoise
    /// Process noise by turns.
    case turnNoise
    /// Zero-velocity update at rest, with the angular rate as the gyroscope bias.
    case restUpdate
    /// Angular rate at rest as a measurement of the gyroscope bias.
    case restBias
    /// Size of the gyroscope bias, by its axes that are known first.
    case gyroBiasSize
    /// Zero velocity of a wearer who has stopped walking.
    case standingUpdate
    /// Levelling by the mean force over a second.
    case meanLevelling
    /// End of a stream of fixes once they have been missing.
    case unaidedMode

    // MARK: Steps and the carriage of the board

    /// Update by the modelled speed of a step.
    case stepSpeed
    /// Noise of that speed that grows with its innovations.
    case stepDiscrepancy
    /// Update by the direction of a step.
    case stepDirection
    /// Update by speed and direction of the first steps.
    case firstSteps
    /// Update by the zero vertical speed of a step.
    case stepHeight
    /// Line of walking by the gait.
    case walkingAxis
    /// Bias of that line, learned under fixes.
    case lineBias
    /// Steps by the swing of a leg or an arm.
    case swingDetector
    /// Forward direction of the board by its posture.
    case boardReference
    /// Forward direction of the board by the gait.
    case gaitDirection
    /// Forward direction of the board by the velocities of fixes.
    case mountByFixes

    // MARK: Vehicles and height

    /// Kinds of motion: without them the prior, walking or resting, stays.
    case motionModes
    /// Non-holonomic constraint of vehicles.
    case vehicleCourse
    /// Reset of the pressure offset by heights that stay beyond the gate.
    case pressureMonitor
    /// Process noise of the pressure offset by climbs.
    case climbNoise
}

/// Parts of the estimator that run.
///
/// Not a setting of the product: it is neither configured nor recorded, and every filter starts with all of them.
package struct EstimatorParts: Hashable, Sendable {
    /// A bit for each part, at the place of its raw value.
    private var bits = UInt64.max

    /// Every part.
    package static let all = EstimatorParts()

    /// Whether a part runs.
    @inline(__always)
    package func contains(_ part: EstimatorPart) -> Bool { bits &>> UInt64(part.rawValue) & 1 == 1 }

    /// Switches a part off.
    package mutating func remove(_ part: EstimatorPart) { bits &= ~(1 << UInt64(part.rawValue)) }
}

extension EstimatorParts {
    /// Those of the gait monitor.
    package var gait: GaitParts {
        GaitParts(
            seesSwings: contains(.swingDetector), seesLine: contains(.walkingAxis),
            seesPosture: contains(.boardReference), learnsDirection: contains(.gaitDirection))
    }
}
