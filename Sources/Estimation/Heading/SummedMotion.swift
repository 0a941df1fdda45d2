import Geometry
import Measurements

/// Preintegrated inertial motion since an instant, without gravity, in the body frame of that instant: a filter can be
/// predicted by it in one step, whatever its heading.
///
/// Source: Lupton, Sukkarieh, "Visual-inertial-aided navigation for high-dynamic motion in built environments without
/// initial conditions", IEEE Trans. Robotics 28(1), 2012.
///
/// Equation: docs/filter.md (89).
package struct SummedMotion: Sendable {
    /// Rotation to the body at the start from the body at the end.
    package private(set) var turn = Rotation3.identity
    /// `∫R dt`. Unit: seconds.
    package private(set) var rotation = Matrix<3, 3>()
    /// `∫R·f dt`. Frame: body at the start. Unit: m/s.
    package private(set) var impulse = Vector3.zero
    /// `∬R·f dt²`. Frame: body at the start. Unit: metres.
    package private(set) var displacement = Vector3.zero
    /// Length of the interval. Unit: seconds.
    package private(set) var duration = 0.0
    /// Gyroscope bias that was subtracted. Unit: rad/s.
    package private(set) var gyroBias = Vector3.zero
    /// Accelerometer bias that was subtracted. Unit: m/s².
    package private(set) var accelerometerBias = Vector3.zero
    /// Whether the accelerometer was silent for a part of the interval.
    package private(set) var isForceStale = false
    /// Longest interval between two samples. Unit: seconds.
    package private(set) var longestInterval = 0.0
    /// Share that an earlier mean acceleration keeps.
    package private(set) var keptShare = 1.0
    /// Contribution to the mean acceleration. Frame: body at the start. Unit: m/s².
    package private(set) var recentForce = Vector3.zero
    private var matrix = Matrix<3, 3>.identity

    package init() {}

    /// Adds a sample to which a filter was just predicted, with the motion that it integrated. Inlined, so that the
    /// state is not copied.
    @inline(__always)
    package mutating func add(_ sample: InertialSample, _ increment: InertialIncrement, _ state: NavigationState) {
        let interval = increment.duration
        guard interval > 0 else { return }
        gyroBias = state.gyroBias
        accelerometerBias = state.accelerometerBias
        let before = matrix
        turn = turn * increment.turn
        matrix = turn.matrix
        let mean = (interval / 2) * (before + matrix)
        let change = mean * (sample.force - accelerometerBias)
        rotation = rotation + mean
        displacement += (impulse + change * 0.5) * interval
        impulse += change
        duration += interval
        let share = AccelerationMean.share(of: interval)
        recentForce += (change / interval - recentForce) * share
        keptShare *= 1 - share
        longestInterval = max(longestInterval, interval)
        isForceStale = isForceStale || sample.isForceStale
    }
}
