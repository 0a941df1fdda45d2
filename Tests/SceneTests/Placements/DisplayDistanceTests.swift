import Geometry
import Scene
import Testing

@Suite("Display distance")
struct DisplayDistanceTests {
    let settings = SceneSettings.Placements()

    @Test("behaviour 33: 10 m and a millimetre for each metre, but never farther than the place")
    func metres() {
        #expect(abs(DisplayDistance.metres(for: 200, settings: settings) - 10.2) < 1e-12)
        #expect(abs(DisplayDistance.metres(for: 2000, settings: settings) - 12) < 1e-12)
        #expect(DisplayDistance.metres(for: 3, settings: settings) == 3)
        #expect(DisplayDistance.metres(for: 0, settings: settings) == 0)
    }

    @Test("behaviour 33: a place truly at 200 m swings by 1.4° on a side-step of 5 m, and not by 26°")
    func sideStep() {
        let place = Vector3(0, 0, -200)
        let before = DisplayDistance.point(place, from: .zero, settings: settings)
        let eye = Vector3(5, 0, 0)
        let after = DisplayDistance.point(place, from: eye, settings: settings)
        let swing = Angle.degrees(radians: angle(before, after - eye))
        // atan(5/200).
        #expect(abs(swing - 1.432) < 0.001)
        let trap = Angle.degrees(radians: angle(before, before - eye))
        #expect(abs(trap - 26.1) < 0.1, "had the drawn point been taken for the place")
    }

    @Test("behaviour 33: drawn exactly in the true direction, far behind near", arguments: UInt64(0)..<100)
    func direction(seed: UInt64) {
        var draws = Draws(state: seed)
        let eye = draws.vector(100)
        let direction = draws.direction()
        var before = 0.0
        for distance in stride(from: 0.5, through: 5000, by: 7.5) {
            let place = eye + direction * distance
            let drawn = DisplayDistance.point(place, from: eye, settings: settings) - eye
            #expect(angle(drawn, direction) < 1e-9)
            #expect(drawn.norm > before)
            #expect(drawn.norm <= distance * (1 + 1e-12))
            before = drawn.norm
        }
    }

    @Test("no jump where a place comes near")
    func continuous() {
        var before = 0.0
        for step in 0...20_000 {
            let next = DisplayDistance.metres(for: Double(step) * 0.005, settings: settings)
            #expect(next - before <= 0.005 + 1e-12)
            before = next
        }
    }
}
