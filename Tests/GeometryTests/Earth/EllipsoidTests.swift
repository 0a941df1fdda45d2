import Geometry
import Testing

@Suite("Ellipsoid")
struct EllipsoidTests {
    @Test("normal gravity at the equator, at 45° and at the pole")
    func gravity() {
        // WGS84's published values at the equator and the pole.
        #expect(abs(Ellipsoid.normalGravity(latitude: 0, height: 0) - 9.7803253359) < 1e-10)
        #expect(abs(Ellipsoid.normalGravity(latitude: .pi / 2, height: 0) - 9.8321849378) < 2e-10)
        // The free-air gradient at 45°: 0.3086 mGal a metre.
        let difference =
            Ellipsoid.normalGravity(latitude: .pi / 4, height: 1)
            - Ellipsoid.normalGravity(latitude: .pi / 4, height: 0)
        #expect(abs(difference - -3.086e-6) < 1e-9)
    }

    @Test("radii of curvature at the equator and the pole")
    func radii() {
        // a(1 − e²), a, and a/√(1 − e²) twice.
        #expect(abs(Ellipsoid.meridianRadius(latitude: 0) - 6_335_439.3273) < 1e-3)
        #expect(abs(Ellipsoid.primeVerticalRadius(latitude: 0) - 6_378_137) < 1e-6)
        #expect(abs(Ellipsoid.meridianRadius(latitude: .pi / 2) - 6_399_593.6258) < 1e-3)
        #expect(abs(Ellipsoid.primeVerticalRadius(latitude: .pi / 2) - 6_399_593.6258) < 1e-3)
    }
}
