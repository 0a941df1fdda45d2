import Geometry
import PlanMatching
import Testing

@Suite("Network of paths")
struct PathNetworkTests {
    @Test("has the paths of the ground of all plans, and is another one when one of them changes")
    func library() throws {
        var level = try DrawnLevel()
        level.add(.path, line: [Vector2(0, 0), Vector2(100, 0)])
        let library = PlanLibrary([level.plan])
        let network = try #require(library.paths)
        #expect(library.grids.isEmpty, "paths alone are not drawn")
        #expect(library == PlanLibrary([level.plan]))
        var upstairs = level.plan
        upstairs.levels[0].number = 1
        #expect(PlanLibrary([upstairs]).paths == nil)
        level.add(.path, line: [Vector2(0, 0), Vector2(0, 50)])
        #expect(library != PlanLibrary([level.plan]))
        #expect(PlanLibrary().paths == nil)
        let position = try #require(level.plane.position(ofENU: Vector3(40, 3, 500)))
        let distance = try #require(network.distance(from: network.point(of: position)))
        #expect((distance - 3).magnitude < 1e-3, "whatever the height is")
    }

    @Test("finds the nearest path as a search through all does")
    func nearest() throws {
        var random = RandomSource(seed: 9)
        func point(_ size: Double) -> Vector2 { Vector2(size * random.uniform(), size * random.uniform()) }
        let segments = (0..<300).map { _ in
            let start = point(1000)
            return [start, start + point(120) - Vector2(60, 60)]
        }
        let network = try #require(PathNetwork(segments.map { try PathWalk.line($0) }))
        let origin = try Vector2(DrawnLevel().plane.pointENU(of: network.plane.origin))
        for _ in 0..<500 {
            let place = point(1200) - Vector2(100, 100)
            let expected = segments.map { Self.distance(from: place, to: $0) }.min() ?? .infinity
            let found = network.distance(from: place - origin)
            if let found { #expect((found - expected).magnitude < 0.01) } else { #expect(expected > 34.9) }
        }
    }

    private static func distance(from point: Vector2, to segment: [Vector2]) -> Double {
        let displacement = segment[1] - segment[0]
        let share = max(0, min(1, displacement.dot(point - segment[0]) / displacement.squaredNorm))
        return (segment[0] + share * displacement - point).norm
    }

    @Test("is bounded, and leaves out what is beyond the plane")
    func bounds() throws {
        let long = try PathWalk.line((0..<1000).map { Vector2(Double($0), 0) })
        let many = [PathLine](repeating: long, count: 70)
        #expect(PathNetwork(many) != nil)
        let far = try #require(
            GeodeticPosition(latitudeDegrees: 40, longitudeDegrees: 8.5, ellipsoidalHeight: 0))
        let near = try PathWalk.line([Vector2(0, 0), Vector2(50, 0)])
        let farther = PathLine(points: [far, near.points[0]])
        let network = try #require(PathNetwork([near, farther]))
        let distance = try #require(network.distance(from: Vector2(25, -30)))
        #expect((distance - 30).magnitude < 1e-6)
        #expect(PathNetwork([PathLine(points: [far])]) == nil)
        #expect(PathNetwork([PathLine(points: [far, far])]) == nil)
    }
}
