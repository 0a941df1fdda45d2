import Geometry

import Glibc

/// A passing magnet or piece of iron.
public struct MagnetPass: Hashable, Sendable {
    /// Time of the closest approach after the first sample. Unit: seconds.
    public var nearest: Double
    /// Duration with more than half the largest field. Unit: seconds.
    public var seconds: Double
    /// Field at the closest approach. Frame: ENU. Unit: microtesla.
    public var fieldENU: Vector3

    /// A pass by its time, duration and field.
    public init(nearest: Double, seconds: Double, fieldENU: Vector3) {
        self.nearest = nearest
        self.seconds = seconds
        self.fieldENU = fieldENU
    }

    func field(at time: Double) -> Vector3 {
        // As a Gaussian: exp(−x²·ln 2) is one half at x = 1.
        let offset = (time - nearest) / (seconds / 2)
        return fieldENU * exp(-offset * offset * 0.6931471805599453)
    }
}
