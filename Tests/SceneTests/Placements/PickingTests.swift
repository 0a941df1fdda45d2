import Geometry
import Scene
import Testing

@Suite("Picking")
struct PickingTests {
    let settings = SceneSettings.Placements()

    /// A target in a direction right of straight ahead and above it. Unit: degrees, metres.
    private func target(
        _ id: String, _ right: Double, _ above: Double = 0, at distance: Double = 50, half: Double = 1
    ) -> PickTarget {
        let direction = attitude(heading: right, pitch: above) * Vector3(0, 0, -1)
        return PickTarget(id: id, position: direction * distance, halfAngle: Angle.radians(degrees: half))
    }

    private func pick(_ targets: [PickTarget]) throws -> PickHit? {
        let ray = try #require(Ray(origin: .zero, direction: Vector3(0, 0, -3)))
        return Picking.pick(ray, among: targets, settings: settings)
    }

    @Test("behaviour 41: within the target's own size and the tolerance, and no farther")
    func reach() throws {
        // 1° of its own and 2° of tolerance.
        #expect(try pick([target("a", 2.99)])?.id == "a")
        #expect(try pick([target("a", 3.01)]) == nil)
        #expect(try pick([target("a", 0, -2.99)])?.id == "a")
        let hit = try #require(try pick([target("a", 1.5, at: 80)]))
        #expect(abs(Angle.degrees(radians: hit.offAxis) - 1.5) < 1e-9)
        #expect(abs(hit.distance - 80) < 1e-9)
    }

    @Test("behaviour 41: the one aimed at best by its size, then the nearer, then by id")
    func preference() throws {
        #expect(try pick([target("a", 1), target("b", -0.5)])?.id == "b")
        // 2 of 3 is worse than 2.5 of 12.
        #expect(try pick([target("small", 2), target("large", 2.5, half: 10)])?.id == "large")
        #expect(try pick([target("far", 0, at: 90), target("near", 0, at: 20)])?.id == "near")
        #expect(try pick([target("b", 0), target("a", 0)])?.id == "a")
        #expect(try pick([]) == nil)
    }

    @Test("behaviour 41: what lies behind is never hit, however large")
    func behind() throws {
        #expect(try pick([target("a", 180, half: 180)]) == nil)
        #expect(try pick([target("a", 91, half: 180)]) == nil)
        #expect(try pick([target("a", 89, half: 180)])?.id == "a")
        #expect(try pick([PickTarget(id: "here", position: .zero, halfAngle: 1)]) == nil)
    }

    @Test("the same from anywhere, in any direction and in any order", arguments: UInt64(0)..<100)
    func invariant(seed: UInt64) throws {
        var draws = Draws(state: seed)
        let targets = (0..<30).map {
            target(
                "p\($0)", draws.number(-12...12), draws.number(-12...12), at: draws.number(1...900),
                half: draws.number(0...4))
        }
        let found = try pick(targets)
        let (turn, move) = (draws.rotation(), draws.vector(500))
        let ray = try #require(Ray(origin: move, direction: turn * Vector3(0, 0, -1)))
        let moved = targets.shuffled(using: &draws).map {
            PickTarget(id: $0.id, position: move + turn * $0.position, halfAngle: $0.halfAngle)
        }
        let again = Picking.pick(ray, among: moved, settings: settings)
        #expect(again?.id == found?.id)
        // Whatever it is, nothing else is aimed at better by more than a twentieth of its reach.
        let best = targets.map { angle($0.position, Vector3(0, 0, -1)) / ($0.halfAngle + Angle.radians(degrees: 2)) }
        guard let found, let index = targets.firstIndex(where: { $0.id == found.id }) else {
            #expect(best.allSatisfy { $0 > 1 - 1e-9 })
            return
        }
        #expect(best[index] <= (best.min() ?? 0) + 0.05 + 1e-9)
    }

    @Test("a ray needs a direction")
    func rays() {
        #expect(Ray(origin: .zero, direction: .zero) == nil)
        #expect(Ray(origin: .zero, direction: Vector3(.infinity, 0, 0)) == nil)
        #expect(Ray(origin: Vector3(.nan, 0, 0), direction: Vector3(1, 0, 0)) == nil)
        #expect(Ray(origin: .zero, direction: Vector3(0, 0, -9))?.direction == Vector3(0, 0, -1))
    }
}
