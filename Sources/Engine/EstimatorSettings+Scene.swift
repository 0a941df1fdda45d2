import Estimation
import Geometry
import Scene

extension EstimatorSettings {
    /// The estimator's share of what is set of the scene frame: the same limits make the pose localized and the frame ready.
    public init(_ frame: SceneSettings.Frame) {
        self.init()
        apply(frame)
    }

    /// The one place where the scene's settings become the estimator's.
    public mutating func apply(_ frame: SceneSettings.Frame) {
        tracking.horizontalAccuracy = frame.readyAccuracyMetres
        tracking.horizontalMargin = frame.lostMarginMetres
        tracking.yawAccuracy = Self.milliradians(frame.readyYawDegrees)
        tracking.yawMargin = Self.milliradians(frame.lostMarginDegrees)
        scene.originRange = frame.reanchorMetres
    }

    /// To the milliradian, as the estimator's own defaults are given: a replay without settings gives the very states that
    /// a daemon with the defaults has published.
    private static func milliradians(_ degrees: Double) -> Double {
        (Angle.radians(degrees: degrees) * 1000).rounded() / 1000
    }
}
