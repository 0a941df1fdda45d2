import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Finds the yaw from motion alone: the changes of velocity that the inertial sensors felt, in a level frame of unknown
/// yaw, against those that the receiver measured.
///
/// With both as complex numbers a and b the best turn is `arg Σ w·conj(a)·b`, of variance `1/Σ w·|a|²` with
/// `w = 1/σ²`: the weighted Procrustes problem in the plane, solved in closed form. No start value, no hypothesis, no
/// wrong local minimum; it simply waits until the wearer has sped up, turned or stopped often enough.
package struct HeadingAligner: Sendable {
    /// Since the last fix. Frame: level, arbitrary yaw. Unit: m/s.
    private var change = Vector3.zero
    private var last: (velocity: Vector3, deviation: Double, time: BootTime)?
    private var real = 0.0
    private var imaginary = 0.0
    private var weight = 0.0
    private var receiverWeight = 0.0

    package init() {}

    /// Error of the levelled acceleration, of tilt and bias. Unit: m/s².
    private static let accelerationDeviation = 0.2
    /// Longer intervals between fixes let the level drift. Unit: seconds.
    private static let longestInterval = 3.0
    /// The unaided yaw drifts: old evidence fades. Unit: seconds.
    private static let memorySeconds = 60.0
    /// The deviation at which the answer counts: 10°. Unit: radians.
    private static let neededDeviation = 0.175
    /// The sums' own estimate of deviation is optimistic where errors are correlated.
    private static let caution = 1.5

    /// Adds a change of velocity. Frame: level, arbitrary yaw. Unit: m/s.
    mutating func add(change delta: Vector3) { change += delta }

    mutating func add(velocity: Vector3, deviation: Double, at time: BootTime) {
        defer {
            last = (velocity, deviation, time)
            change = .zero
        }
        guard let last else { return }
        let interval = time.seconds(since: last.time)
        guard interval > 0, interval <= Self.longestInterval else { return }
        let tilt = Self.accelerationDeviation * interval
        let w = 1 / (deviation * deviation + last.deviation * last.deviation + tilt * tilt)
        let seen = velocity - last.velocity
        let fade = exp(-interval / Self.memorySeconds)
        real = real * fade + w * (change.x * seen.x + change.y * seen.y)
        imaginary = imaginary * fade + w * (change.x * seen.y - change.y * seen.x)
        weight = weight * fade + w * (change.x * change.x + change.y * change.y)
        receiverWeight = receiverWeight * fade + w * (seen.x * seen.x + seen.y * seen.y)
    }

    /// The turn that brings the level frame to ENU, counter-clockwise, with its deviation; nil while too uncertain.
    package var result: (yaw: Double, deviation: Double)? {
        guard weight > 0 else { return nil }
        // Where the two do not look alike, the noise was larger than thought.
        let likeness = (real * real + imaginary * imaginary).squareRoot() / max(weight, receiverWeight)
        let deviation = Self.caution / (weight.squareRoot() * max(likeness, 1e-3))
        guard deviation < Self.neededDeviation, likeness > 0.6 else { return nil }
        return (atan2(imaginary, real), max(deviation, 0.05))
    }

    mutating func restart() { self = HeadingAligner() }
}
