import Geometry
import PlanMatching
import Testing

@Suite("Lines of a plan, as they are drawn")
struct PlanLineTests {
    private static func lines(
        within radius: Double, maximum: Int = PlanLines.maximumPieceCount, latitude: Double = 47.3,
        _ draw: (inout DrawnLevel) -> Void
    ) throws -> PlanLines {
        var level = try DrawnLevel(latitude: latitude)
        draw(&level)
        return PlanLines(level.plan.levels[0], about: level.plane.origin, within: radius, maximum: maximum)
    }

    @Test("are borders, walls and marks in metres about a position, to centimetres", arguments: [-60, 0, 47.3, 89])
    func metres(latitude: Double) throws {
        let ring = DrawnLevel.rectangle(Vector2(-30, -20), Vector2(30, 20))
        let drawn = try Self.lines(within: 200, latitude: latitude) { level in
            level.add(.floor, area: [ring])
            level.add(.wall, line: [Vector2(0, -20), Vector2(0, 20)])
            level.add(.door, at: Vector2(0, 5))
        }
        #expect(drawn.radius == 200)
        #expect(drawn.lines.map(\.kind) == [.floor, .wall, .door])
        #expect(drawn.lines.map(\.points.count) == [5, 2, 1])
        let expected = ring + [ring[0]]
        #expect(zip(drawn.lines[0].points, expected).allSatisfy { ($0 - $1).norm < 0.05 })
    }

    @Test("are cut into what is near: far pieces are left out, also where a wall only passes by")
    func near() throws {
        let drawn = try Self.lines(within: 50) { level in
            level.add(.wall, line: [Vector2(-300, 10), Vector2(300, 10), Vector2(300, 200), Vector2(10, 40)])
            level.add(.wall, line: [Vector2(100, 0), Vector2(200, 0)])
            level.add(.door, at: Vector2(51, 0))
        }
        #expect(drawn.lines.map(\.points.count) == [2, 2])
    }

    @Test("are the nearest where there are more than can be drawn")
    func bounded() throws {
        let drawn = try Self.lines(within: 500, maximum: 10) { level in
            for number in 1...400 {
                level.add(.wall, line: [Vector2(Double(number), -1), Vector2(Double(number), 1)])
            }
        }
        #expect(drawn.lines.count == 10 && drawn.radius > 10 && drawn.radius < 11)
    }
}
