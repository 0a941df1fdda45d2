import Geometry
import Model

/// Position by a plan of the building and the steps on it.
///
/// It is no measurement of its own: it has followed the same steps as the filter, and knows more only by the walls. So
/// it replaces position and accuracy, where a measurement as accurate would be counted once more at each step.
package struct MatchedPosition: Hashable, Sendable, Codable {
    /// Instant of the newest step that it has followed.
    package var time: BootTime
    /// Position, up to the end of that step. Frame: ENU at the origin, horizontal. Unit: metres.
    package var position: Vector2
    /// Variances to the east and the north. Unit: m².
    package var variance: Vector2
    /// Covariance of east and north. Unit: m².
    package var covariance: Double

    package init(time: BootTime, position: Vector2, variance: Vector2, covariance: Double) {
        self.time = time
        self.position = position
        self.variance = variance
        self.covariance = covariance
    }

    mutating func shift(by offset: Vector3) { position = position + Vector2(offset) }
}

extension ErrorStateKalmanFilter {
    /// Takes the position by a plan in place of its own, unless satellites or a camera measure the motion by now.
    ///
    /// - Returns: whether it was taken.
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
        return true
    }
}

extension ErrorStateKalmanFilter {
    /// Whether the position is that of steps alone.
    fileprivate var isReckoned: Bool {
        gnss.hasPosition && rules.hasYaw && !rules.measuresMotion && !isCameraTracking
    }
}

/// Dead reckoning as a matcher of plans needs it.
package struct ReckonedPosition: Sendable {
    /// Displacement by all steps since the start, without corrections. Frame: ENU, horizontal. Unit: metres.
    package var way: Vector2
    /// Corrections of the yaw, which the gyroscope has not measured.
    package var yaw: GyroYaw
    /// Position at the end of the newest step, which the published one still follows. Frame: ENU. Unit: metres.
    package var position: Vector2
    /// Variances to the east and the north. Unit: m².
    package var variance: Vector2
    /// Height by air pressure, of which only changes count; nil while no barometer is at work. Unit: metres.
    package var height: Double?
}

/// Sum of the corrections of the filter's yaw: rotation to ENU from a gyro frame.
package struct GyroYaw: Hashable, Sendable, Codable {
    /// Unit: radians, counter-clockwise.
    private var yaw = 0.0
    /// Number of the gyro frame.
    private var frame: UInt32 = 0

    package init() {}

    init(_ motion: HorizontalMotion) { (yaw, frame) = (motion.yaw, motion.number) }

    /// Rotation by which the yaw was corrected since another instant; zero where the frame is another, because nothing
    /// connects the two. Unit: radians, counter-clockwise.
    package func correction(since other: GyroYaw) -> Double {
        frame == other.frame ? Angle.wrapped(yaw - other.yaw) : 0
    }
}

extension FilterTimeline {
    /// Takes the position by a plan; false for one that does not know of a late measurement, which still waits for
    /// others, and for one that is too old.
    package mutating func insert(_ matched: MatchedPosition) -> Bool {
        guard repeatFrom == nil else { return false }
        return insert(Aid(time: matched.time, kind: .matched(matched)))
    }

    /// Forgets positions by a plan after a measurement that comes late: they do not know of it.
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

    /// Position by dead reckoning; nil while heading or position is unknown, and where satellites or a camera measure
    /// the motion.
    /// `mutating` avoids a copy of the filter.
    package mutating func reckonedPosition() -> ReckonedPosition? {
        guard filter.isReckoned else { return nil }
        filter.propagateCovariance()
        let p = ErrorState.position
        return ReckonedPosition(
            way: filter.walkedWay, yaw: GyroYaw(filter.heading.motion),
            position: Vector2(filter.state.position) + Vector2(filter.pendingWay.way),
            variance: Vector2(filter.covariance.rows[p][p], filter.covariance.rows[p + 1][p + 1]),
            height: filter.pressure.isAtWork(at: filter.state.time) ? filter.pressure.meanHeight : nil)
    }
}
