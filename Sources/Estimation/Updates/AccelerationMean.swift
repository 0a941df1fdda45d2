import Geometry

/// The acceleration of late: what a receiver's velocity is behind by, for each second that it is old.
///
/// A mean that fades over `memorySeconds`: a single sample is more vibration than motion.
package struct AccelerationMean: Hashable, Sendable {
    /// Frame: ENU. Unit: m/s².
    package private(set) var value = Vector3.zero

    package init() {}

    package init(_ value: Vector3) { self.value = value }

    /// Its mean age is that of the accelerations within a usual delay of 0.1 s. Unit: seconds.
    static let memorySeconds = 0.05

    /// Adds a change of velocity. Frame: ENU. Units: m/s, seconds.
    mutating func add(_ change: Vector3, over duration: Double) {
        let share = duration / (Self.memorySeconds + duration)
        value += (change / duration - value) * share
    }

    mutating func turn(by turn: Rotation3) { value = turn * value }
}
