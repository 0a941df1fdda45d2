import Geometry
import Model

/// Corrections that plans have made to the walking direction, as the difference from a filter without plans.
///
/// A plan is compared with the uncorrected track, because a direction that the plan itself has corrected would confirm
/// the plan. Later measurements that correct the state reduce the difference.
package struct PlanTurn: Sendable, Codable {
    /// Correction of the yaw. Unit: radians, counter-clockwise.
    package private(set) var yaw = 0.0
    /// Correction of the local direction of the field. Unit: radians, clockwise.
    private var magneticOffset = 0.0
    /// Correction of the walking direction relative to the board. Unit: radians, clockwise.
    private var walkingDirection = 0.0
    /// Variance by which plans have reduced the variance of the track's direction. Unit: rad².
    fileprivate var variance = 0.0

    /// Rotation of the track due to plans. Unit: radians, counter-clockwise.
    package var rotation: Double { yaw - walkingDirection }

    @inline(__always)
    package var isNone: Bool { yaw == 0 && magneticOffset == 0 && walkingDirection == 0 }

    /// States whose values and variances a plan corrects.
    static let mask: GainMask = [.yaw, .magneticOffset, .walkingDirection]

    @inline(__always)
    mutating func add(_ error: Jacobian<1>) {
        yaw += error[0, ErrorState.yaw]
        magneticOffset += error[0, ErrorState.magneticOffset]
        walkingDirection += error[0, ErrorState.walkingDirection]
    }

    /// Part of the corrections that a measurement observes.
    @inline(__always)
    func seen(by h: InlineArray<32, Double>) -> Double {
        h[ErrorState.yaw] * yaw + h[ErrorState.magneticOffset] * magneticOffset
            + h[ErrorState.walkingDirection] * walkingDirection
    }

    /// Decays the corrections at the same rates as the states.
    @inline(__always)
    mutating func decay(magneticOffset field: Double, walkingDirection walking: Double) {
        magneticOffset *= field
        walkingDirection *= walking
        variance *= walking * walking
    }

    /// Clears the corrections of states that are reset.
    mutating func reset(_ states: Range<Int>) {
        if states.contains(ErrorState.yaw) { yaw = 0 }
        if states.contains(ErrorState.magneticOffset) { magneticOffset = 0 }
        if states.contains(ErrorState.walkingDirection) { walkingDirection = 0 }
        if states.contains(ErrorState.yaw) || states.contains(ErrorState.walkingDirection) { variance = 0 }
    }
}

extension PlanTurn: CheckedState {
    package mutating func settle() -> Bool {
        max(yaw.magnitude, magneticOffset.magnitude, walkingDirection.magnitude) <= 2 * .pi && variance >= 0
    }
}

extension ErrorStateKalmanFilter {
    /// Replaces the walking direction with the direction that a plan implies. Yaw and walking direction share the
    /// correction in the same proportion as the error. The variance decreases, or increases again if the plan proves to
    /// be wrong, but never exceeds the variance without plans.
    ///
    /// Equations: docs/filter.md (109), (110).
    ///
    /// - Parameters:
    ///   - turn: rotation from the present to the true track. Unit: radians, counter-clockwise.
    ///   - variance: variance of the rotation. Unit: rad².
    package mutating func turnWalkingDirection(by turn: Double, variance: Double) {
        let (yaw, walking) = (ErrorState.yaw, ErrorState.walkingDirection)
        var error = Jacobian<1>()
        for i in 0..<ErrorState.count { error[0, i] = covariance.rows[yaw][i] - covariance.rows[walking][i] }
        let present = error[0, yaw] - error[0, walking]
        guard present > Self.minimumVariance else { return }
        let growth = min(variance, present + planTurn.variance) - present
        changeCovariance(along: (1 / present) * error, by: growth)
        planTurn.variance = max(0, planTurn.variance - growth)
        // A field that contradicts the model may deflect the yaw by more than the covariance allows.
        let field = contradictionVariance
        error[0, yaw] += field
        error[0, ErrorState.magneticOffset] -= field
        correct(by: (turn / (present + field)) * error)
    }

    /// Variance of the walking direction without plans; infinite while it is unknown how the board is carried. Unit:
    /// rad².
    @inline(__always)
    var unplannedDirectionVariance: Double {
        let (yaw, walking) = (ErrorState.yaw, ErrorState.walkingDirection)
        let own = covariance.rows[yaw][yaw] + covariance.rows[walking][walking] - 2 * covariance.rows[yaw][walking]
        return gait.mount.isKnown ? own + contradictionVariance + planTurn.variance : .infinity
    }

    /// Corrects the states in `PlanTurn.mask`.
    private mutating func correct(by error: Jacobian<1>) {
        var own = Jacobian<1>()
        for i in PlanTurn.mask.indices { own[0, i] = error[0, i] }
        planTurn.add(own)
        heading.motion.turn(by: own[0, ErrorState.yaw])
        inject(own)
    }

    /// Adds a variance to the states that a plan corrects, or removes variance if `growth` is negative. A removal also
    /// reduces the covariances with other states; an addition is an independent error.
    private mutating func changeCovariance(along share: Jacobian<1>, by growth: Double) {
        for i in PlanTurn.mask.indices {
            for j in 0..<ErrorState.count {
                let isCorrected = PlanTurn.mask.contains(.states(j, count: 1))
                guard isCorrected || growth < 0 else { continue }
                let change = share[0, i] * share[0, j] * growth
                covariance.rows[i][j] += change
                if !isCorrected { covariance.rows[j][i] += change }
            }
            covariance.rows[i][i] = max(covariance.rows[i][i], Self.minimumVariance)
            // No camera is tracking here. The next camera pose will place the camera's frame again.
            camera?.reset(i, count: 1)
        }
    }
}
