import Geometry
import Model

/// One inertial measurement: the means of rate and force since the one before. Frame: body. Units: rad/s, m/s².
package struct InertialSample: Hashable, Sendable {
    package var time: BootTime
    package var rate: Vector3
    package var force: Vector3
    /// The accelerometer is silent: the force is an old one.
    package var isForceStale: Bool

    package init(time: BootTime, rate: Vector3, force: Vector3, isForceStale: Bool = false) {
        self.time = time
        self.rate = rate
        self.force = force
        self.isForceStale = isForceStale
    }

    /// The first part of the interval over which this sample is the mean.
    package func cut(at instant: BootTime) -> InertialSample {
        var part = self
        part.time = instant
        return part
    }
}
