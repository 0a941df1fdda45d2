/// Detector, monitor, adaptive noise or aiding update that can be switched off so that `make ablation` measures its
/// benefit. The name of a case is the name of the part.
package enum EstimatorPart: UInt8, CaseIterable, Hashable, Sendable {
    // MARK: Receiver

    /// Detection of velocities that wander, which compares them with the positions.
    case velocityErrorMonitor
    /// Standard deviation of velocities without a reported accuracy, learned by comparing them with steps and
    /// positions.
    case velocityCredibility
    /// White noise of the velocity, learned from the innovations.
    case velocityNoise
    /// Scale factors of over-optimistic position and height accuracies.
    case accuracyScale
    /// Detection of jumps, which are assigned to multipath or reset the position.
    case positionJumps
    /// Variance in the published accuracies that no number of fixes reduces.
    case lastingError
    /// Restriction that rare or inaccurate fixes without a velocity correct only position states.
    case weakFixes
    /// Yaw as a consider state when fixes update the filter at rest.
    case yawHeldAtRest

    // MARK: Magnetometer

    /// Rejection of fields whose strength and dip disagree with the model or the learned field.
    case fieldMonitor
    /// Growth of the variance of the local direction with the discrepancy in strength and dip, until motion confirms
    /// the yaw.
    case directionDoubt
    /// Update of the local direction of a field that stays uniform along the motion of a hand.
    case likeness
    /// Calibration of hard iron and field from rotations.
    case fieldCalibrator
    /// Rejection of a field that motion has contradicted.
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
    /// The monitor's comparison of the step track with fixes.
    case trackComparison

    // MARK: Inertial sensors, rest and levelling

    /// Process noise from the vibration measured in the samples.
    case vibrationNoise
    /// Process noise from turns.
    case turnNoise
    /// Zero-velocity update at rest, with the angular rate as a measurement of the gyroscope bias.
    case restUpdate
    /// Use of the angular rate at rest as a measurement of the gyroscope bias.
    case restBias
    /// Inference of the size of the gyroscope bias from the axes that are known first.
    case gyroBiasSize
    /// Zero-velocity update for a wearer who has stopped walking.
    case standingUpdate
    /// Correction of the tilt with the mean force over a second.
    case meanLevelling
    /// Change to the regime without satellites after the fixes have stopped.
    case unaidedMode

    // MARK: Steps and the carriage of the board

    /// Update with the modelled speed of a step.
    case stepSpeed
    /// Noise of the step speed that grows with its innovations.
    case stepDiscrepancy
    /// Update with the direction of a step.
    case stepDirection
    /// Update with the speed and direction of the first steps.
    case firstSteps
    /// Update that assumes a vertical speed of zero over a step.
    case stepHeight
    /// Estimation of the walking axis from the gait.
    case walkingAxis
    /// Bias of the walking axis, learned under fixes.
    case lineBias
    /// Step detection from the swing of a leg or an arm.
    case swingDetector
    /// Forward direction of the board from its posture.
    case boardReference
    /// Forward direction of the board from the gait.
    case gaitDirection
    /// Forward direction of the board, learned from the velocities of fixes.
    case mountByFixes

    // MARK: Vehicles and height

    /// Estimation of motion modes. Without it, the prior, walking or resting, stays.
    case motionModes
    /// Non-holonomic constraint of vehicles.
    case vehicleCourse
    /// Reset of the pressure offset after heights that stay beyond the gate.
    case pressureMonitor
    /// Process noise of the pressure offset from climbs.
    case climbNoise
}

/// Parts of the estimator that run.
///
/// They are not a setting of the product. They are neither configured nor recorded, and every filter starts with all
/// parts.
package struct EstimatorParts: Hashable, Sendable {
    /// One bit for each part, at the index of its raw value.
    private var bits = UInt64.max

    package static let all = EstimatorParts()

    @inline(__always)
    package func contains(_ part: EstimatorPart) -> Bool { bits &>> UInt64(part.rawValue) & 1 == 1 }

    package mutating func remove(_ part: EstimatorPart) { bits &= ~(1 << UInt64(part.rawValue)) }
}
