import Engine
import Estimation
import Geometry
import Scene
import Testing

@Suite("The estimator's share of the scene's settings")
struct EstimatorLimitsTests {
    @Test("behaviour 39: ready and localized have the same limits, set in one place")
    func oneSetting() {
        var frame = SceneSettings.Frame()
        frame.readyAccuracyMetres = 7
        frame.lostMarginMetres = 3
        frame.readyYawDegrees = 12
        frame.lostMarginDegrees = 5
        frame.reanchorMetres = 400
        let estimator = PublicationSettings(frame)
        #expect(estimator.tracking.horizontalAccuracy == 7 && estimator.tracking.horizontalMargin == 3)
        // They are rounded to a milliradian.
        #expect(abs(Angle.degrees(radians: estimator.tracking.yawAccuracy) - 12) < 0.03)
        #expect(abs(Angle.degrees(radians: estimator.tracking.yawMargin) - 5) < 0.03)
        #expect(estimator.scene.originRange == 400)
        #expect(PublicationSettings(SceneSettings.Frame()) == PublicationSettings(), "by default a replay is the same")
    }
}
