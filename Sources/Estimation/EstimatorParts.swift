/// Detectors, monitors, adaptive noises and aiding updates of the estimator that can be switched off, one at a time, to
/// measure what each is worth: `make ablation`.
///
/// Not a setting of the product: it is neither configured nor recorded, and every filter starts with all of them.
package struct EstimatorParts: OptionSet, Hashable, Sendable {
    /// Bits of the set.
    package let rawValue: UInt64

    /// Makes a set of its bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Every part.
    package static let all = EstimatorParts(rawValue: .max)
}

/// Receiver.
extension EstimatorParts {
    /// Detection of velocities that wander, by comparison with the positions.
    package static let velocityErrorMonitor = EstimatorParts(rawValue: 1 << 0)
    /// White share of the velocity's standard deviation, learned from the innovations.
    package static let velocityNoise = EstimatorParts(rawValue: 1 << 1)
    /// Factors of over-optimistic accuracies of position and height.
    package static let accuracyScale = EstimatorParts(rawValue: 1 << 2)
    /// Detection of jumps, which are assigned to multipath or reset the position.
    package static let positionJumps = EstimatorParts(rawValue: 1 << 3)
    /// Variance that no number of fixes reduces, in published accuracies.
    package static let lastingError = EstimatorParts(rawValue: 1 << 4)
    /// Restriction of rare or inaccurate fixes without a velocity to the position.
    package static let weakFixes = EstimatorParts(rawValue: 1 << 5)
    /// Yaw as a consider state of fixes at rest.
    package static let yawHeldAtRest = EstimatorParts(rawValue: 1 << 6)
}

/// Magnetometer.
extension EstimatorParts {
    /// Refusal of fields whose strength and dip disagree with the model or the learned field.
    package static let fieldMonitor = EstimatorParts(rawValue: 1 << 8)
    /// Noise of the yaw that grows with the discrepancy in strength and dip.
    package static let disturbanceNoise = EstimatorParts(rawValue: 1 << 9)
    /// Variance of the local direction that grows with that discrepancy before motion has confirmed the yaw.
    package static let directionDoubt = EstimatorParts(rawValue: 1 << 10)
    /// Update of the local direction by the uniformity of the field along a hand's motion.
    package static let likeness = EstimatorParts(rawValue: 1 << 11)
    /// Update of the hard iron by the intensities of the model.
    package static let intensities = EstimatorParts(rawValue: 1 << 12)
    /// Calibration of hard iron and field by rotations.
    package static let fieldCalibrator = EstimatorParts(rawValue: 1 << 13)
    /// Refusal of a field that motion has refuted.
    package static let fieldTrust = EstimatorParts(rawValue: 1 << 14)
    /// Slow search for a hard iron that appears while the board is worn.
    package static let hardIronTracker = EstimatorParts(rawValue: 1 << 15)
}

/// Heading.
extension EstimatorParts {
    /// Gaussian-sum yaw estimator.
    package static let hypothesisBank = EstimatorParts(rawValue: 1 << 16)
    /// Invalidation of a confirmed heading whose innovations stay far too large.
    package static let headingRefutation = EstimatorParts(rawValue: 1 << 17)
    /// Reset of a yaw that both independent comparisons contradict.
    package static let headingMonitor = EstimatorParts(rawValue: 1 << 18)
    /// The monitor's comparison of velocity changes.
    package static let velocityComparison = EstimatorParts(rawValue: 1 << 19)
    /// The monitor's comparison of the track of the steps with fixes.
    package static let trackComparison = EstimatorParts(rawValue: 1 << 20)
}

/// Inertial sensors, rest and levelling.
extension EstimatorParts {
    /// Process noise by the vibration that the samples show.
    package static let vibrationNoise = EstimatorParts(rawValue: 1 << 24)
    /// Process noise by the scale-factor error of the gyroscope.
    package static let gyroScaleNoise = EstimatorParts(rawValue: 1 << 25)
    /// Zero-velocity update at rest, with the angular rate as the gyroscope bias.
    package static let restUpdate = EstimatorParts(rawValue: 1 << 26)
    /// Angular rate at rest as a measurement of the gyroscope bias.
    package static let restBias = EstimatorParts(rawValue: 1 << 27)
    /// Zero velocity of a wearer who has stopped walking.
    package static let standingUpdate = EstimatorParts(rawValue: 1 << 28)
    /// Levelling by the mean force over a second.
    package static let meanLevelling = EstimatorParts(rawValue: 1 << 29)
    /// Return to the mode without satellites once fixes have been missing.
    package static let unaidedMode = EstimatorParts(rawValue: 1 << 30)
}

/// Steps and the carriage of the board.
extension EstimatorParts {
    /// Update by the modelled speed of a step.
    package static let stepSpeed = EstimatorParts(rawValue: 1 << 32)
    /// Noise of that speed that grows with its innovations.
    package static let stepDiscrepancy = EstimatorParts(rawValue: 1 << 33)
    /// Update by the direction of a step.
    package static let stepDirection = EstimatorParts(rawValue: 1 << 34)
    /// Update by speed and direction of the first steps.
    package static let firstSteps = EstimatorParts(rawValue: 1 << 35)
    /// Update by the zero vertical speed of a step.
    package static let stepHeight = EstimatorParts(rawValue: 1 << 36)
    /// Line of walking by the gait.
    package static let walkingAxis = EstimatorParts(rawValue: 1 << 37)
    /// Bias of that line, learned under fixes.
    package static let lineBias = EstimatorParts(rawValue: 1 << 38)
    /// Steps by the swing of a leg or an arm.
    package static let swingDetector = EstimatorParts(rawValue: 1 << 39)
    /// Forward direction of the board by its posture.
    package static let boardReference = EstimatorParts(rawValue: 1 << 40)
    /// Forward direction of the board by the gait.
    package static let gaitDirection = EstimatorParts(rawValue: 1 << 41)
    /// Forward direction of the board by the velocities of fixes.
    package static let mountByFixes = EstimatorParts(rawValue: 1 << 42)
}

/// Vehicles and height.
extension EstimatorParts {
    /// Kinds of motion: without them the prior, walking or resting, stays.
    package static let motionModes = EstimatorParts(rawValue: 1 << 48)
    /// Non-holonomic constraint of vehicles.
    package static let vehicleCourse = EstimatorParts(rawValue: 1 << 49)
    /// Reset of the pressure offset by heights that stay beyond the gate.
    package static let pressureMonitor = EstimatorParts(rawValue: 1 << 50)
    /// Process noise of the pressure offset by climbs.
    package static let climbNoise = EstimatorParts(rawValue: 1 << 51)
}

extension EstimatorParts {
    /// Every part with its name, in the order of this file.
    package static let named: [(name: String, part: EstimatorParts)] = [
        ("velocityErrorMonitor", .velocityErrorMonitor), ("velocityNoise", .velocityNoise),
        ("accuracyScale", .accuracyScale), ("positionJumps", .positionJumps), ("lastingError", .lastingError),
        ("weakFixes", .weakFixes), ("yawHeldAtRest", .yawHeldAtRest), ("fieldMonitor", .fieldMonitor),
        ("disturbanceNoise", .disturbanceNoise), ("directionDoubt", .directionDoubt), ("likeness", .likeness),
        ("intensities", .intensities), ("fieldCalibrator", .fieldCalibrator), ("fieldTrust", .fieldTrust),
        ("hardIronTracker", .hardIronTracker), ("hypothesisBank", .hypothesisBank),
        ("headingRefutation", .headingRefutation), ("headingMonitor", .headingMonitor),
        ("velocityComparison", .velocityComparison), ("trackComparison", .trackComparison),
        ("vibrationNoise", .vibrationNoise), ("gyroScaleNoise", .gyroScaleNoise), ("restUpdate", .restUpdate),
        ("restBias", .restBias), ("standingUpdate", .standingUpdate), ("meanLevelling", .meanLevelling),
        ("unaidedMode", .unaidedMode), ("stepSpeed", .stepSpeed), ("stepDiscrepancy", .stepDiscrepancy),
        ("stepDirection", .stepDirection), ("firstSteps", .firstSteps), ("stepHeight", .stepHeight),
        ("walkingAxis", .walkingAxis), ("lineBias", .lineBias), ("swingDetector", .swingDetector),
        ("boardReference", .boardReference), ("gaitDirection", .gaitDirection), ("mountByFixes", .mountByFixes),
        ("motionModes", .motionModes), ("vehicleCourse", .vehicleCourse), ("pressureMonitor", .pressureMonitor),
        ("climbNoise", .climbNoise),
    ]
}
