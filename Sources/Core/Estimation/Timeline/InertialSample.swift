import Geometry
import Model

/// Inertial sample: mean angular rate and specific force since the previous sample. Frame: body. Units: rad/s, m/s².
package struct InertialSample: Hashable, Sendable, Codable {
    package var time: BootTime
    package var rate: Vector3
    package var force: Vector3
    /// Whether the accelerometer is silent, so that the force is outdated.
    package var isForceStale: Bool

    package init(time: BootTime, rate: Vector3, force: Vector3, isForceStale: Bool = false) {
        self.time = time
        self.rate = rate
        self.force = force
        self.isForceStale = isForceStale
    }

    /// Part of the sample from the start of its interval to an instant.
    package func cut(at instant: BootTime) -> InertialSample {
        var part = self
        part.time = instant
        return part
    }
}
