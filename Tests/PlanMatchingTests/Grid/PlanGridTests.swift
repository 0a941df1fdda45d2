import Geometry
import PlanMatching
import Testing

@Suite("Plan grid")
struct PlanGridTests {
    /// A hall of 20 by 10 m around the place, with a room in its east whose border has one door, and a wall across.
    private func hall() throws -> PlanGrid {
        var level = try DrawnLevel()
        level.add(.floor, area: [DrawnLevel.rectangle(Vector2(-10, -5), Vector2(10, 5))])
        level.add(.room, area: [DrawnLevel.rectangle(Vector2(4, -5), Vector2(10, 5))])
        level.add(.door, at: Vector2(4, 0))
        level.add(.wall, line: [Vector2(-4, -5), Vector2(-4, 5)])
        level.add(.door, line: [Vector2(-4, 3), Vector2(-4, 4.5)])
        return try #require(PlanGrid(level.plan.levels[0], of: level.plan))
    }

    @Test("each cell is in the area that was drawn there last")
    func areas() throws {
        let grid = try hall()
        #expect(grid.area(at: [-8, 0]) == .floor)
        #expect(grid.area(at: [7, 0]).isRoom)
        #expect(grid.area(at: [-4, 0]) == .wall)
        #expect(grid.area(at: [-4, 4]) == .door)
        #expect(grid.area(at: [0, 7]) == .outside)
        #expect(grid.area(at: [1e6, -1e6]) == .outside)
        #expect(grid.cell == 0.25)
    }

    @Test("walls and rooms are borders, doors are not")
    func borders() throws {
        let grid = try hall()
        #expect(grid.border(from: [-2, 0], to: [2, 0]) == .none)
        #expect(grid.border(from: [-5, 0], to: [-3, 0]) == .wall)
        #expect(grid.border(from: [-5, 4], to: [-3, 4]) == .none)
        #expect(grid.border(from: [3, 3], to: [5, 3]) == .room)
        #expect(grid.border(from: [5, 3], to: [3, 3]) == .border)
        #expect(grid.border(from: [3, 0], to: [5, 0]) == .none)
        #expect(grid.border(from: [0, 4], to: [0, 6]) == .border)
    }

    @Test("closed off is what has borders near")
    func closedness() throws {
        let grid = try hall()
        #expect(grid.closedness(at: [0, 0]) == 0)
        let (side, corner) = (grid.closedness(at: [0, 4.6]), grid.closedness(at: [-9.6, 4.6]))
        #expect(side > 0.1 && side < 0.4)
        #expect(corner > side)
        // Nearer to the wall or a step off makes little difference.
        #expect((grid.closedness(at: [0, 3.6]) - side).magnitude < 0.1)
        #expect(grid.closedness(at: [0, 40]) == 0)
    }

    @Test("rooms that touch have a border between them")
    func neighbours() throws {
        var level = try DrawnLevel()
        for column in 0..<30 {
            for row in 0..<30 {
                let low = Vector2(Double(column) * 3, Double(row) * 3)
                level.add(.room, area: [DrawnLevel.rectangle(low, low + Vector2(3, 3))])
            }
        }
        let grid = try #require(PlanGrid(level.plan.levels[0], of: level.plan))
        for column in 0..<29 {
            let east = Float(column) * 3 - 43.5
            #expect(grid.border(from: [east, 1.5], to: [east + 3, 1.5]) == .room)
            #expect(grid.border(from: [1.5, east], to: [1.5, east + 3]) == .room)
        }
    }

    @Test("a drawing of kilometres has larger cells, not more")
    func largeDrawing() throws {
        var level = try DrawnLevel()
        level.add(.floor, area: [DrawnLevel.rectangle(Vector2(-2400, -2400), Vector2(2400, 2400))])
        let grid = try #require(PlanGrid(level.plan.levels[0], of: level.plan))
        #expect(grid.columns * grid.rows <= 1 << 19)
        #expect(grid.area(at: [2000, -2000]) == .floor)
        #expect(PlanGrid(PlanLevel(name: "0", number: 0, features: []), of: level.plan) == nil)
    }

    @Test("plans at a pole and at the antimeridian are drawn where they are, or not at all")
    func farPlaces() throws {
        for (latitude, west, east) in [(89.99, -179.0, 179.0), (10, 179.9995, -179.9995), (-89.999, 0, 180)] {
            let points = [west, 90, east].map { PlanPoint(latitudeDegrees: latitude, longitudeDegrees: $0) }
            let line = latitude == 10 ? [points[0], points[2]] : points
            let level = PlanLevel(
                name: "0", number: 0, features: [PlanFeature(kind: .door, shape: .line(line))])
            guard let grid = PlanGrid(level, of: FloorPlan(id: "far", name: "", levels: [level])) else { continue }
            #expect((grid.center.latitudeDegrees - latitude).magnitude < 0.02)
            if latitude == 10 { #expect(180 - grid.center.longitudeDegrees.magnitude < 0.001) }
        }
    }

    @Test("areas that cover each other without end are not drawn")
    func overdrawn() throws {
        var level = try DrawnLevel()
        let area = [DrawnLevel.rectangle(Vector2(-200, -200), Vector2(200, 200))]
        for _ in 0..<1000 { level.add(.room, area: area) }
        #expect(PlanGrid(level.plan.levels[0], of: level.plan) == nil)
    }
}
