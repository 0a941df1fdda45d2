import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// One comparison of the change of velocity that the inertial sensors felt with the one that the receiver measured.
package struct MotionPair: Hashable, Sendable {
    /// Of the later of the two fixes, and since the earlier. Unit of the latter: seconds.
    package var time: BootTime
    package var interval: Double
    /// Frame: level, turned by no correction. Unit: m/s.
    package var felt: Vector3
    /// Frame: ENU. Unit: m/s.
    package var seen: Vector3
    /// Of one fix. Unit: m/s.
    package var deviation: Double
    /// The filter's turn from the level frame to ENU, counter-clockwise; nil while it knows none. Unit: radians.
    package var yaw: Double?
    /// How fast the level frame may turn by itself. Unit: rad/s.
    package var drift: Double
    /// Number of the level frame; pairs of two frames have nothing in common.
    package var frame: UInt32

    package init(
        time: BootTime, interval: Double, felt: Vector3, seen: Vector3, deviation: Double, yaw: Double?, drift: Double,
        frame: UInt32 = 0
    ) {
        self.time = time
        self.interval = interval
        self.felt = felt
        self.seen = seen
        self.deviation = deviation
        self.yaw = yaw
        self.drift = drift
        self.frame = frame
    }
}

/// What the inertial sensors felt in a level frame that only the gyroscope turns: no fix and no magnetometer ever does.
package struct LevelMotion: Sendable {
    /// From the level frame to ENU: the sum of all that has corrected the yaw. Counter-clockwise. Unit: radians.
    package private(set) var yaw = 0.0
    private var cosine = 1.0
    private var sine = 0.0
    /// Since the last fix that was taken. Frame: level. Unit: m/s.
    private var felt = Vector3.zero
    private var last: (time: BootTime, velocity: Vector3)?
    /// The newest comparison.
    package private(set) var pair: MotionPair?

    /// Another number is another level frame.
    package let number: UInt32

    package init(number: UInt32 = 0) { self.number = number }

    /// A receiver that is faster tells no more. Unit: seconds.
    private static let leastInterval = 0.9
    /// Over a longer one the level drifts. Unit: seconds.
    private static let longestInterval = 3.5

    /// The yaw of the filter was corrected.
    mutating func turn(by correction: Double) {
        guard correction != 0 else { return }
        yaw = Angle.wrapped(yaw + correction)
        cosine = cos(yaw)
        sine = sin(yaw)
    }

    /// Adds a change of velocity. Frame: ENU as the filter has it. Unit: m/s.
    @inline(__always)
    mutating func add(_ change: Vector3) {
        felt.x += cosine * change.x + sine * change.y
        felt.y += cosine * change.y - sine * change.x
    }

    /// Something was not felt: the next comparison begins anew.
    mutating func interrupt() {
        last = nil
        felt = .zero
    }

    /// Compares with a fix. Frame of `velocity`: ENU, of the inertial sensor. Units: m/s, rad/s.
    mutating func compare(
        velocity: Vector3, deviation: Double, drift: Double, isHeadingKnown: Bool, at time: BootTime
    ) {
        if let last {
            let interval = time.seconds(since: last.time)
            guard interval >= Self.leastInterval else { return }
            if interval <= Self.longestInterval {
                let seen = velocity - last.velocity
                pair = MotionPair(
                    time: time, interval: interval, felt: felt, seen: Vector3(seen.x, seen.y, 0), deviation: deviation,
                    yaw: isHeadingKnown ? yaw : nil, drift: drift, frame: number)
            }
        }
        last = (time, velocity)
        felt = .zero
    }
}
