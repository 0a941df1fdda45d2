import Geometry
import Model

/// Position and walking direction from a building plan and the steps on it.
///
/// Position and direction are not independent measurements: the matcher has used the same steps as the filter, and its
/// only additional information is the walls. Therefore they replace values and accuracies; as measurements, the same
/// information would count again at each step.
package struct MatchedPosition: Hashable, Sendable, Codable {
    /// Time of the newest step in the match.
    package var time: BootTime
    /// Position at the end of the newest step. Frame: ENU at the origin, horizontal. Unit: metres.
    package var position: Vector2
    /// Variances to the east and the north. Unit: m².
    package var variance: Vector2
    /// Covariance of east and north. Unit: m².
    package var covariance: Double
    /// Walking direction that the rotation refers to.
    package var direction: GyroDirection
    /// Rotation from `direction` to the true track. Unit: radians, counter-clockwise.
    package var turn: Double
    /// Variance of the rotation. Unit: rad².
    package var turnVariance: Double

    package init(
        time: BootTime, position: Vector2, variance: Vector2, covariance: Double, direction: GyroDirection,
        turn: Double, turnVariance: Double
    ) {
        self.time = time
        self.position = position
        self.variance = variance
        self.covariance = covariance
        self.direction = direction
        self.turn = turn
        self.turnVariance = turnVariance
    }

    mutating func shift(by offset: Vector3) { position = position + Vector2(offset) }
}

extension MatchedPosition: CheckedState {
    package mutating func settle() -> Bool {
        min(variance.x, variance.y, turnVariance) >= 0
            && covariance * covariance <= 1.001 * variance.x * variance.y && turn.magnitude <= 1e3
    }
}

extension ErrorStateKalmanFilter {
    /// Replaces the position by the position of a plan, unless satellites or a camera measure the motion by now.
    ///
    /// - Returns: whether it was applied.
    mutating func apply(_ matched: MatchedPosition) -> Bool {
        guard isReckoned else { return false }
        propagateCovariance()
        influence.cause = .plan
        let ahead = Vector2(pendingWay.way)
        let change = matched.position - ahead - Vector2(state.position)
        let p = ErrorState.position
        resetCovariance(p, count: 2, variance: 0)
        covariance[p, p] = matched.variance.x
        covariance[p + 1, p + 1] = matched.variance.y
        covariance[p, p + 1] = matched.covariance
        covariance[p + 1, p] = matched.covariance
        let shift = Vector3(change.x, change.y, 0)
        state.position += shift
        influence.add(shift: shift, yaw: 0)
        place.move(to: state.position, at: state.time)
        if let corrected = reckonedDirection.correction(since: matched.direction) {
            turnWalkingDirection(by: Angle.wrapped(matched.turn - corrected), variance: matched.turnVariance)
        }
        return true
    }
}

extension ErrorStateKalmanFilter {
    /// Whether steps alone determine the position.
    fileprivate var isReckoned: Bool {
        gnss.hasPosition && rules.hasYaw && !rules.measuresMotion && !isCameraTracking
    }

    @inline(__always)
    fileprivate var reckonedDirection: GyroDirection {
        GyroDirection(
            heading.motion, board: gait.mount.azimuth + state.walkingDirection, carriage: gait.carriage)
    }
}

/// State of dead reckoning for a plan matcher.
package struct ReckonedPosition: Sendable {
    /// Displacement by all steps since the start, without corrections. Frame: ENU, horizontal. Unit: metres.
    package var displacement: Vector2
    /// Sum of the corrections of the walking direction. The gyroscope did not measure these turns.
    package var direction: GyroDirection
    /// Variance of the walking direction without plans; infinite while it is unknown. Unit: rad².
    package var directionVariance: Double
    /// Rotation of the walking direction by plans. Unit: radians, counter-clockwise.
    package var planTurn: Double
    /// Position at the end of the newest step, ahead of the published position. Frame: ENU. Unit: metres.
    package var position: Vector2
    /// Variances to the east and the north. Unit: m².
    package var variance: Vector2
    /// Height by air pressure, of which only changes are used; nil unless a barometer works. Unit: metres.
    package var height: Double?
}

/// Rotation of the walked track from a gyro frame to ENU. A gyro frame turns with the gyroscope and without
/// corrections, so this rotation is the sum of all corrections of the walking direction.
package struct GyroDirection: Hashable, Sendable, Codable {
    /// Rotation of the track. Unit: radians, counter-clockwise.
    private var rotation = 0.0
    /// Number of the gyro frame.
    private var frame: UInt32 = 0
    /// Number of the current carriage of the board; it changes with the way the board is carried.
    private var carriage: UInt32 = 0

    package init() {}

    /// - Parameter board: azimuth of the track relative to the board's forward direction, clockwise. Unit: radians.
    init(_ motion: HorizontalMotion, board: Double, carriage: UInt32) {
        rotation = motion.yaw - board
        frame = motion.number
        self.carriage = carriage
    }

    /// Correction of the direction since another instant; nil if frame or carriage has changed, because the directions
    /// are then unrelated. Unit: radians, counter-clockwise.
    package func correction(since other: GyroDirection) -> Double? {
        frame == other.frame && carriage == other.carriage ? Angle.wrapped(rotation - other.rotation) : nil
    }
}

extension FilterTimeline {
    /// Inserts a position from a plan; returns false if the position is too old, or does not include a late measurement
    /// that is pending.
    package mutating func insert(_ matched: MatchedPosition) -> Bool {
        guard repeatFrom == nil else { return false }
        return insert(Aid(time: matched.time, kind: .matched(matched)))
    }

    /// Discards positions from a plan that are later than a late measurement, because they do not include it.
    mutating func forgetMatched(after time: BootTime) {
        var index = aids.count - 1
        while index >= 0, aids[index].time > time {
            if case .matched = aids[index].kind { removeAid(at: index) }
            index -= 1
        }
    }

    private mutating func removeAid(at index: Int) {
        for later in (index + 1)..<max(index + 1, aids.count) { aids[later - 1] = aids[later] }
        aids.removeLast()
        if index < nextAid { nextAid -= 1 }
    }

    /// Position by dead reckoning; nil while heading or position is unknown, and if satellites or a camera measure the
    /// motion. `mutating` avoids a copy of the filter.
    package mutating func reckonedPosition() -> ReckonedPosition? {
        guard filter.isReckoned else { return nil }
        filter.propagateCovariance()
        let p = ErrorState.position
        return ReckonedPosition(
            displacement: filter.walkedWay,
            direction: filter.reckonedDirection, directionVariance: filter.unplannedDirectionVariance,
            planTurn: filter.planTurn.rotation,
            position: Vector2(filter.state.position) + Vector2(filter.pendingWay.way),
            variance: Vector2(filter.covariance.rows[p][p], filter.covariance.rows[p + 1][p + 1]),
            height: filter.pressure.isAtWork(at: filter.state.time) ? filter.pressure.meanHeight : nil)
    }
}
