import Geometry
import Model

/// Position and walking direction that result from matching the steps with a building plan.
///
/// Position and direction are not independent measurements: the matcher has used the same steps as the filter, and adds
/// only the information about walls. Therefore they replace the filter's values and accuracies. Applied as
/// measurements, they would count the same information again at each step.
package struct MatchedPosition: Hashable, Sendable, Codable {
    /// Time of the newest step in the match.
    package var time: BootTime
    /// Position at the end of the newest step. Frame: ENU at the origin, horizontal. Unit: metres.
    package var position: Vector2
    /// Variances of the position to the east and to the north. Unit: m².
    package var variance: Vector2
    /// Covariance of the east and north components. Unit: m².
    package var covariance: Double
    /// Walking direction to which `turn` is relative.
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
    /// Replaces the position with a position from a plan, unless satellites or a camera now measure the motion.
    ///
    /// - Returns: whether the position was replaced.
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

/// State of dead reckoning, as input to a plan matcher.
package struct ReckonedPosition: Sendable {
    /// Sum of all steps since the start, without corrections. Frame: ENU, horizontal. Unit: metres.
    package var displacement: Vector2
    /// Sum of all corrections of the walking direction, which are turns that the gyroscope did not measure.
    package var direction: GyroDirection
    /// Variance of the walking direction without plans; infinite while it is unknown. Unit: rad².
    package var directionVariance: Double
    /// Rotation of the walking direction that plans have caused. Unit: radians, counter-clockwise.
    package var planTurn: Double
    /// Position at the end of the newest step, which the published position has not reached yet. Frame: ENU. Unit:
    /// metres.
    package var position: Vector2
    /// Variances of the position to the east and to the north. Unit: m².
    package var variance: Vector2
    /// Height from air pressure; nil unless a barometer works. Only its changes are used. Unit: metres.
    package var height: Double?
}

/// Rotation of the walked track from a gyro frame to ENU. Only the gyroscope turns a gyro frame, so this rotation is
/// the sum of all corrections of the walking direction.
package struct GyroDirection: Hashable, Sendable, Codable {
    /// Rotation of the track. Unit: radians, counter-clockwise.
    private var rotation = 0.0
    /// Number of the gyro frame.
    private var frame: UInt32 = 0
    /// Number that changes whenever the board is carried in another way.
    private var carriage: UInt32 = 0

    package init() {}

    /// - Parameter board: azimuth of the track relative to the board's forward direction, clockwise. Unit: radians.
    init(_ motion: HorizontalMotion, board: Double, carriage: UInt32) {
        rotation = motion.yaw - board
        frame = motion.number
        self.carriage = carriage
    }

    /// Returns how much the direction has been corrected since another instant; nil if frame or carriage has changed,
    /// because the directions are then unrelated. Unit: radians, counter-clockwise.
    package func correction(since other: GyroDirection) -> Double? {
        frame == other.frame && carriage == other.carriage ? Angle.wrapped(rotation - other.rotation) : nil
    }
}

extension FilterTimeline {
    /// Inserts a position from a plan. Returns false if the position is too old, or if it ignores a late measurement
    /// that is still pending.
    package mutating func insert(_ matched: MatchedPosition) -> Bool {
        guard repeatFrom == nil else { return false }
        return insert(Aid(time: matched.time, kind: .matched(matched)))
    }

    /// Discards plan positions with times after a late measurement, because they were computed without it.
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

    /// Returns the position from dead reckoning; nil if the heading or the position is unknown, or if satellites or a
    /// camera measure the motion. `mutating` avoids a copy of the filter.
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
