import Geometry
import Glibc
import Scene
import Testing

@Suite("Apparent size")
struct ApparentSizeTests {
    let settings = SceneSettings.Placements()

    @Test("behaviour 19: full up to 50 m, linear to 2 km, the least beyond")
    func fading() {
        func scale(_ distance: Double) -> Double {
            ApparentSize.of(.fading, distance: distance, settings: settings).scale
        }
        #expect(scale(0) == 1 && scale(50) == 1)
        #expect(abs(scale(2000) - 0.3) < 1e-12 && scale(1e7) == 0.3)
        // k = 1 − 0.7·(d − 50)/1950.
        #expect(abs(scale(1025) - 0.65) < 1e-12)
        #expect(abs(scale(440) - 0.86) < 1e-12)
    }

    @Test("behaviour 20: the angle is what is published, and what is drawn by it keeps it at any display distance")
    func angleKept() {
        for distance in stride(from: 5.0, through: 3000, by: 45) {
            let size = ApparentSize.of(.fading, distance: distance, settings: settings)
            #expect(abs(size.angle - Angle.radians(degrees: 3) * size.scale) < 1e-15)
            let drawnAt = DisplayDistance.metres(for: distance, settings: settings)
            let width = 2 * drawnAt * tan(size.angle / 2)
            let seen = ApparentSize.of(.metric(width), distance: drawnAt, settings: settings)
            #expect(abs(seen.angle - size.angle) < 1e-15)
        }
    }

    @Test("behaviour 20: a thing of one width would shrink with 1/d, which is not linear")
    func perspectiveIsNotLinear() {
        let width = 2 * 50 * tan(Angle.radians(degrees: 3) / 2)
        let half = ApparentSize.of(.metric(width), distance: 1025, settings: settings)
        let least = ApparentSize.of(.metric(width), distance: 2000, settings: settings)
        let full = Angle.radians(degrees: 3)
        #expect(half.angle < 0.05 * full && least.angle < 0.026 * full, "where the law has 0.65 and 0.3")
    }

    @Test("behaviour 37: the way to something overhead is its distance in space")
    func hypotenuse() {
        // 30 m away over ground and 40 m up.
        let line = Vector3(18, 40, -24)
        let size = ApparentSize.of(.metric(2), distance: line.norm, settings: settings)
        #expect(abs(size.angle - 2 * atan(1 / 50.0)) < 1e-15)
    }

    @Test("behaviour 37: each policy by its own law")
    func policies() {
        for distance in [0.0, 1, 50, 700, 1e6] {
            let size = ApparentSize.of(.angular(0.07), distance: distance, settings: settings)
            #expect(size == ApparentSize(angle: 0.07, scale: 1))
        }
        #expect(abs(ApparentSize.of(.metric(2), distance: 1, settings: settings).angle - .pi / 2) < 1e-15)
        #expect(ApparentSize.of(.metric(2), distance: 0, settings: settings).angle == .pi)
        #expect(ApparentSize.of(.metric(0), distance: 0, settings: settings).angle == 0)
    }

    @Test(
        "never grows with the distance, and never in steps", arguments: [SizePolicy.fading, .angular(0.1), .metric(3)])
    func monotone(policy: SizePolicy) {
        var before = ApparentSize.of(policy, distance: 0, settings: settings).angle
        for distance in stride(from: 0.01, through: 2500, by: 0.01) {
            let angle = ApparentSize.of(policy, distance: distance, settings: settings).angle
            #expect(angle <= before)
            // The steepest is 2·atan(3/2d) where it begins: 4/3 by the metre.
            #expect(before - angle < 0.01 * 4 / 3)
            before = angle
        }
    }

    @Test("one bound for both distances is a step, not a division by nothing")
    func noSpan() {
        var settings = settings
        settings.sizeFarMetres = settings.sizeNearMetres
        #expect(ApparentSize.of(.fading, distance: 50, settings: settings).scale == 1)
        #expect(ApparentSize.of(.fading, distance: 50.1, settings: settings).scale == 0.3)
    }
}
