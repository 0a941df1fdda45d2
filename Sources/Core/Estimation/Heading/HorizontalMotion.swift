import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Velocity change between two fixes, from the inertial sensors and from the receiver.
package struct MotionPair: Hashable, Sendable, Codable {
    /// Epoch of the later fix.
    package var time: BootTime
    /// Time between the two fixes. Unit: seconds.
    package var interval: Double
    /// Velocity change from the inertial sensors. Frame: gyro frame. Unit: m/s.
    package var inertialChange: Vector3
    /// Velocity change from the receiver. Frame: ENU. Unit: m/s.
    package var receiverChange: Vector3
    /// Standard deviation of the velocity of one fix, per axis. Unit: m/s.
    package var standardDeviation: Double
    /// Rotation to ENU from the gyro frame according to the filter, counter-clockwise; nil while its heading is
    /// unknown. Unit: radians.
    package var yaw: Double?
    /// Standard deviation of the drift of the gyro frame. Unit: rad/s.
    package var drift: Double
    /// Number of the gyro frame; pairs in different frames cannot be compared.
    package var frame: UInt32

    package init(
        time: BootTime, interval: Double, inertialChange: Vector3, receiverChange: Vector3, standardDeviation: Double,
        yaw: Double?, drift: Double, frame: UInt32 = 0
    ) {
        self.time = time
        self.interval = interval
        self.inertialChange = inertialChange
        self.receiverChange = receiverChange
        self.standardDeviation = standardDeviation
        self.yaw = yaw
        self.drift = drift
        self.frame = frame
    }
}

/// Velocity changes from the inertial sensors in the gyro frame: a horizontal frame whose yaw is integrated from the
/// gyroscope, without any correction.
package struct HorizontalMotion: Sendable, Codable {
    /// Rotation to ENU from the gyro frame: the sum of all yaw corrections, counter-clockwise. Unit: radians.
    package private(set) var yaw = 0.0
    private var cosine = 1.0
    private var sine = 0.0
    /// Velocity change since the last fix. Frame: gyro frame. Unit: m/s.
    private var inertialChange = Vector3.zero
    private var last: Moment?
    /// Newest pair.
    package private(set) var pair: MotionPair?

    /// Number of the gyro frame, incremented for each new frame.
    package private(set) var number: UInt32

    private struct Moment: Sendable, Codable {
        var time: BootTime
        var velocity: Vector3
    }

    package init(number: UInt32 = 0) { self.number = number }

    /// Least time between two compared fixes: a receiver with a higher rate does not contribute more. Unit: seconds.
    static let minimumInterval = 0.9
    /// Longest time between two compared fixes: over a longer time the tilt drifts. Unit: seconds.
    private static let maximumInterval = 3.5

    /// Records a correction of the filter's yaw, counter-clockwise. Unit: radians.
    mutating func turn(by correction: Double) {
        guard correction != 0 else { return }
        yaw = Angle.wrapped(yaw + correction)
        cosine = cos(yaw)
        sine = sin(yaw)
    }

    /// Adds a velocity change from the inertial sensors. Frame: ENU of the filter. Unit: m/s.
    @inline(__always)
    mutating func add(_ change: Vector3) {
        inertialChange.x += cosine * change.x + sine * change.y
        inertialChange.y += cosine * change.y - sine * change.x
    }

    /// Restarts the comparison, because inertial samples are missing.
    mutating func interrupt() {
        last = nil
        inertialChange = .zero
    }

    /// Compares with the velocity of a fix, reduced to the inertial sensor. Frame: ENU. Units: m/s, rad/s.
    mutating func compare(
        velocity: Vector3, standardDeviation: Double, drift: Double, isHeadingKnown: Bool, at time: BootTime
    ) {
        if let last {
            let interval = time.seconds(since: last.time)
            guard interval >= Self.minimumInterval else { return }
            if interval <= Self.maximumInterval {
                let change = velocity - last.velocity
                pair = MotionPair(
                    time: time, interval: interval, inertialChange: inertialChange,
                    receiverChange: Vector3(change.x, change.y, 0), standardDeviation: standardDeviation,
                    yaw: isHeadingKnown ? yaw : nil, drift: drift, frame: number)
            }
        }
        last = Moment(time: time, velocity: velocity)
        inertialChange = .zero
    }
}
