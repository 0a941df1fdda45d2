import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// A magnet, or iron, that comes near and goes again.
public struct MagnetPass: Hashable, Sendable {
    /// When it is nearest, after the first sample. Unit: seconds.
    public var nearest: Double
    /// How long it is felt with more than half its strength. Unit: seconds.
    public var seconds: Double
    /// At its nearest. Frame: ENU. Unit: microtesla.
    public var fieldENU: Vector3

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
