import Geometry
import PlanMatching
import Testing

@Suite("Rings")
struct PlanRingTests {
    private let ring = [Vector2(0, 0), Vector2(10, 0), Vector2(10, 10), Vector2(5, 2), Vector2(0, 10)]

    @Test("a point in the notch of a ring is outside of it")
    func contains() {
        #expect(PlanRing.contains(Vector2(5, 1), in: ring) && PlanRing.contains(Vector2(1, 5), in: ring))
        #expect(!PlanRing.contains(Vector2(5, 5), in: ring) && !PlanRing.contains(Vector2(-1, 1), in: ring))
        #expect(!PlanRing.contains(Vector2(5, 5), in: []))
    }

    @Test("the area of a ring is the same whichever way it goes round")
    func area() {
        #expect(PlanRing.area(of: ring) == 60 && PlanRing.area(of: ring.reversed()) == 60)
        #expect(PlanRing.area(of: []) == 0)
    }
}
