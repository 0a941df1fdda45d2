import Geometry
import PlanMatching
import Testing

@Suite("Borders that cross")
struct BorderCheckTests {
    private func check(_ rings: [[Vector2]]) -> BorderCheck.Outcome {
        var check = BorderCheck()
        return check.check(rings)
    }

    private func ring(_ points: (Double, Double)...) -> [Vector2] { points.map { Vector2($0.0, $0.1) } }

    private func square(_ corner: Vector2, _ side: Double) -> [Vector2] {
        [corner, corner + Vector2(side, 0), corner + Vector2(side, side), corner + Vector2(0, side)]
    }

    /// A ring of many small teeth around a circle.
    private func cogwheel(teeth: Int, radius: Double, depth: Double) -> [Vector2] {
        (0..<2 * teeth).map { index in
            let angle = .pi * Double(index) / Double(teeth)
            return (index % 2 == 0 ? radius : radius - depth) * Vector2(angle: angle)
        }
    }

    @Test("an area with holes is clean, whichever way its rings go round")
    func clean() {
        let outer = square(Vector2(0, 0), 30)
        let holes = [square(Vector2(2, 2), 5), square(Vector2(20, 3), 4).reversed()]
        #expect(check([outer] + holes) == .clean)
        #expect(check([]) == .clean && check([[]]) == .clean)
    }

    @Test("a ring that crosses itself is found, with the place")
    func bowTie() throws {
        let outcome = check([ring((0, 0), (10, 10), (10, 0), (0, 10))])
        guard case .crossing(let crossing) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect((crossing.point - Vector2(5, 5)).norm < 1e-9 && crossing.rings == [0, 0])
    }

    @Test("a hole over the border of its area is found, with both rings")
    func hole() throws {
        let outcome = check([square(Vector2(0, 0), 10), square(Vector2(4, 4), 1), square(Vector2(8, 7), 4)])
        guard case .crossing(let crossing) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(crossing.rings == [0, 2])
        #expect([Vector2(10, 7), Vector2(8, 10)].contains { (crossing.point - $0).norm < 1e-9 })
    }

    @Test("borders may touch at vertices, on edges and along edges")
    func touches() {
        let outer = square(Vector2(0, 0), 10)
        #expect(check([outer, ring((0, 0), (3, 1), (1, 3))]) == .clean)
        #expect(check([outer, ring((0, 5), (3, 4), (3, 6))]) == .clean)
        #expect(check([outer, square(Vector2(0, 3), 2)]) == .clean)
        // Two squares that share a corner, drawn as one ring; a spike of no width.
        #expect(check([ring((0, 0), (5, 0), (5, 5), (10, 5), (10, 10), (5, 10), (5, 5), (0, 5))]) == .clean)
        #expect(check([ring((0, 0), (10, 0), (15, 0), (10, 0), (10, 10), (0, 10))]) == .clean)
    }

    @Test("borders may cross by no more than a centimetre")
    func tolerance() {
        let outer = square(Vector2(0, 0), 10)
        #expect(check([outer, square(Vector2(5, 6.009), 4)]) == .clean)
        #expect(check([outer, square(Vector2(5, 6.02), 4)]) != .clean)
    }

    @Test("borders that cross at a vertex are found: on an edge, and at the vertex of another ring")
    func crossingAtVertex() {
        #expect(check([ring((0, 0), (10, 0), (10, 10), (5, 0), (5, -10))]) != .clean)
        // A hole whose vertices are those of the outer ring, and which leaves the area between them.
        let outer = ring((0, 0), (5, 0), (10, 0), (10, 10), (5, 10), (0, 10))
        let outcome = check([outer, ring((5, 0), (7, -3), (20, 5), (7, 13), (5, 10), (3, 5))])
        #expect(outcome != .clean)
        #expect(check([outer, ring((5, 0), (7, 5), (5, 10), (3, 5))]) == .clean)
    }

    @Test("as many vertices as a plan may have are checked to the last, and one crossing among them is found")
    func large() {
        var wheel = cogwheel(teeth: 32_768, radius: 2000, depth: 0.5)
        #expect(check([wheel]) == .clean)
        wheel.swapAt(40_000, 40_002)
        #expect(check([wheel]) != .clean)
    }

    @Test("needles that all meet at one place, and lines side by side in great number, are given up and not searched")
    func hostile() {
        #expect(check([cogwheel(teeth: 32_768, radius: 2000, depth: 1999)]) == .tooIntricate)
        let comb = (0..<16_384).flatMap { index -> [Vector2] in
            let y = 0.3 * Double(index)
            return index % 2 == 0
                ? [Vector2(0, y), Vector2(5000, y)] : [Vector2(5000, y), Vector2(1, y)]
        }
        #expect(check([comb]) != .clean)
    }

    @Test("the work for all areas of a plan is bounded together")
    func budget() {
        // Some 2 million pairs each, in the cells around its middle.
        let star = cogwheel(teeth: 1000, radius: 20, depth: 19.5)
        var check = BorderCheck()
        let outcomes = (0..<200).map { _ in check.check([star]) }
        #expect(outcomes.first == .clean && outcomes.last == .tooIntricate)
    }
}
