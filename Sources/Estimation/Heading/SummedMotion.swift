import Geometry
import Model

/// What the inertial sensors felt since an instant, summed up without gravity in the frame that the body had then: by it
/// a filter that stood at that instant goes on in one step, whatever north it assumes.
///
/// Source: Lupton, Sukkarieh, "Visual-inertial-aided navigation for high-dynamic motion in built environments without
/// initial conditions", IEEE Trans. Robotics 28(1), 2012.
///
/// Equation: docs/filter.md (89).
package struct SummedMotion: Sendable {
    /// From the body now to the body at the start.
    package private(set) var turn = Rotation3.identity
    /// `∫R dt`. Unit: seconds.
    package private(set) var rotation = Matrix<3, 3>()
    /// `∫R·f dt` and its integral. Frame: body at the start. Units: m/s, metres.
    package private(set) var impulse = Vector3.zero
    package private(set) var displacement = Vector3.zero
    /// Unit: seconds.
    package private(set) var duration = 0.0
    /// What was taken off the samples. Units: rad/s, m/s².
    package private(set) var gyroBias = Vector3.zero
    package private(set) var accelerometerBias = Vector3.zero
    /// The accelerometer was silent for a part of it.
    package private(set) var isForceStale = false
    /// Between two samples. Unit: seconds.
    package private(set) var longestInterval = 0.0
    /// What of an earlier mean of the acceleration counts still, and what has come to it. Frame: body at the start.
    /// Unit of the latter: m/s².
    package private(set) var keptShare = 1.0
    package private(set) var recentForce = Vector3.zero
    private var matrix = Matrix<3, 3>.identity

    package init() {}

    /// Adds a sample that a filter has just been carried to, with the motion that it made of it; inlined, so that the state
    /// is not copied for it.
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
