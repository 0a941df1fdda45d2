import Estimation
import Geometry
import Glibc
import Model

/// Detects impossible sensor values. These are a mean norm that indicates a wrong unit or scale, and a constant output
/// while another sensor measures motion.
package struct SensorPlausibility: Sendable, Codable {
    private var accelerometer = SensorStream()
    private var gyroscope = SensorStream()
    private var magnetometer = SensorStream()
    /// Slow mean of the specific force. Frame: body. Unit: m/s².
    private var meanForce = Vector3.zero
    /// Value of `meanForce` when the gyroscope's output last changed.
    private var earlierForce = Vector3.zero

    /// Ranges of the mean norm. The range of the force includes running but excludes values that are wrong by a factor
    /// of two. The range of the rate assumes that no wearer turns faster than once a second for several seconds. The
    /// field of the earth is 22 to 67 µT; its range allows for iron on the board. Units: m/s², rad/s, microtesla.
    private static let force = 5.5...15.0
    private static let rate = 0.0...8.0
    private static let field = 10.0...150.0
    /// Rotation of the body after which the output of each sensor must have changed. Unit: radians.
    private static let turn = 0.5
    /// Rate that exceeds the noise and bias of a gyroscope at rest. Unit: rad/s.
    private static let motion = 0.2
    /// Time constant of the mean force. It is longer than a step. Unit: seconds.
    private static let forceSeconds = 1.0

    mutating func add(_ sample: SpecificForceSample) {
        let interval = accelerometer.add(sample.force, at: sample.time)
        meanForce += (sample.force - meanForce) * min(1, interval / Self.forceSeconds)
    }

    mutating func add(_ sample: AngularRateSample) {
        let interval = gyroscope.add(sample.rate, at: sample.time)
        if gyroscope.isNew {
            earlierForce = meanForce
            gyroscope.turn = 0
        } else {
            gyroscope.turn = meanForce.angle(to: earlierForce)
        }
        let norm = sample.rate.norm
        guard norm > Self.motion else { return }
        accelerometer.turn += norm * interval
        magnetometer.turn += norm * interval
    }

    mutating func add(_ sample: MagneticSample) { magnetometer.add(sample.field, at: sample.time) }

    /// Restarts the checks of a sensor whose correction has changed.
    mutating func follow(_ change: CorrectionChange) {
        if change.changes(.gyroscope) { gyroscope = SensorStream() }
        if change.changes(.accelerometer) {
            accelerometer = SensorStream()
            meanForce = change.applied(to: meanForce)
            earlierForce = change.applied(to: earlierForce)
        }
        if change.changes(.magnetometer) { magnetometer = SensorStream() }
    }

    /// Sensors with impossible values. Inlined to avoid copies.
    package var reasons: LimitingReasons {
        @inline(__always) get {
            var reasons = LimitingReasons()
            if !accelerometer.isPlausible(Self.force, Self.turn) { reasons.insert(.implausibleAccelerometer) }
            if !gyroscope.isPlausible(Self.rate, Self.turn) { reasons.insert(.implausibleGyroscope) }
            if !magnetometer.isPlausible(Self.field, Self.turn) { reasons.insert(.implausibleMagnetometer) }
            return reasons
        }
    }
}

extension Vector3 {
    /// Angle between two vectors; 0 if one of them is zero. Unit: radians.
    fileprivate func angle(to other: Vector3) -> Double {
        let product = norm * other.norm
        return product > 0 ? acos(max(-1, min(1, dot(other) / product))) : 0
    }
}

private struct SensorStream: Sendable, Codable {
    /// Rotation of the body, according to another sensor, since the output of this sensor last changed. Unit: radians.
    var turn = 0.0
    /// Whether the newest sample differs from the previous sample.
    private(set) var isNew = true
    private var began: BootTime?
    private var last: BootTime?
    private var sameSince: BootTime?
    private var value = Vector3.zero
    private var meanNorm = 0.0

    /// Time constant of the mean norm. Unit: seconds.
    private static let memory = 5.0
    /// Shortest duration of a constant output that counts as a fault rather than a gap. Unit: seconds.
    private static let stuckSeconds = 2.0

    /// Adds a sample and returns the time since the previous one. Unit: seconds.
    @discardableResult
    mutating func add(_ new: Vector3, at time: BootTime) -> Double {
        let norm = new.norm
        guard let last, let began else {
            (began, self.last, sameSince, value, meanNorm) = (time, time, time, new, norm)
            return Self.memory
        }
        let interval = min(1, max(0, time.seconds(since: last)))
        self.last = time
        // At first this is a plain mean, later an exponential mean.
        let age = min(Self.memory, max(interval, time.seconds(since: began)))
        if age > 0 { meanNorm += (norm - meanNorm) * min(1, interval / age) }
        isNew = new != value
        guard isNew else { return interval }
        (value, sameSince, turn) = (new, time, 0)
        return interval
    }

    func isPlausible(_ range: ClosedRange<Double>, _ limit: Double) -> Bool {
        guard let last, let began, let sameSince, last.seconds(since: began) >= Self.memory else { return true }
        let isStuck = turn > limit && last.seconds(since: sameSince) >= Self.stuckSeconds
        return !isStuck && range.contains(meanNorm)
    }
}

/// Measures the gyroscope's noise from sample to sample while the body moves.
///
/// The third difference of the rates suppresses the motion of the body. For white noise, its variance is twenty times
/// that of the noise. The quietest recent block of samples contains mainly noise, because motion and shocks only
/// increase the variance of a block.
package struct RateNoiseMeter: Sendable, Codable {
    private var last = InlineArray<3, Vector3>(repeating: .zero)
    private var known = 0
    private var sum = 0.0
    private var count = 0
    private var quietest: Double?

    /// Number of samples in a block. The mean over this number of differences is accurate to a tenth.
    private static let block = 128
    /// Variance of the third difference of unit white noise: 1² + 3² + 3² + 1².
    private static let gain = 20.0
    /// Factor that corrects the smallest of about thirty block variances, which is a fifth too small.
    private static let selection = 1.25
    /// Factor by which the stored variance of the quietest block grows with each later block. It lets an increase of
    /// the noise be noticed within minutes.
    private static let forgetting = 1.02

    /// Standard deviation of one sample, per axis; nil until a block is full. Unit: rad/s.
    package var standardDeviation: Double? { quietest.map { ($0 * Self.selection).squareRoot() } }

    /// Adds the next rate.
    ///
    /// - Parameter rate: angular rate, from a stream with equal intervals. Unit: rad/s.
    package mutating func add(_ rate: Vector3) {
        let difference = rate - last[0] * 3 + last[1] * 3 - last[2]
        last = [rate, last[0], last[1]]
        known = min(known + 1, 4)
        guard known == 4 else { return }
        sum += difference.squaredNorm
        count += 1
        guard count == Self.block else { return }
        let variance = sum / (3 * Self.gain * Double(Self.block))
        quietest = min(variance, quietest.map { $0 * Self.forgetting } ?? variance)
        sum = 0
        count = 0
    }

    /// Restarts after a gap.
    package mutating func interrupt() {
        known = 0
        sum = 0
        count = 0
    }
}

extension RateNoiseMeter: CheckedState {
    package mutating func settle() -> Bool { known <= 4 && count < Self.block }
}
