import Geometry
import Scene

/// Settings of the publication: the alignment of the scene frame, the limits of the tracking states and the search for
/// new hard iron.
public struct PublicationSettings: Hashable, Sendable {
    /// Published alignment of the scene frame.
    public var scene = Scene()
    /// Limits of the tracking states.
    public var tracking = Tracking()
    /// Settings of the search for a hard iron that appears while the board is worn.
    public var hardIron = HardIron()

    /// Creates the default settings.
    public init() {}
}

extension PublicationSettings {
    /// Derives the settings from those of the scene frame, so that the same limits make the pose localized and the
    /// frame ready.
    public init(_ frame: SceneSettings.Frame) {
        self.init()
        apply(frame)
    }

    /// Applies the settings of the scene frame; no other code does so.
    public mutating func apply(_ frame: SceneSettings.Frame) {
        tracking.horizontalAccuracy = frame.readyAccuracyMetres
        tracking.horizontalMargin = frame.lostMarginMetres
        tracking.yawAccuracy = Self.milliradians(frame.readyYawDegrees)
        tracking.yawMargin = Self.milliradians(frame.lostMarginDegrees)
        scene.originRange = frame.reanchorMetres
    }

    /// Converts degrees to radians, rounded to milliradians like the estimator's defaults. Therefore a replay without
    /// settings has the same states as a daemon with default settings.
    private static func milliradians(_ degrees: Double) -> Double {
        (Angle.radians(degrees: degrees) * 1000).rounded() / 1000
    }
}
