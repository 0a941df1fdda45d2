import Glibc
import Scene
import Testing

@Suite("Route turns")
struct RouteTurnTests {
    @Test("behaviour 27: turns have a place, a side and an angle")
    func sides() throws {
        let turns = try Streets().progress([(0, 0), (0, 100), (50, 100), (50, 150)]).turns
        try #require(turns.count == 2)
        #expect(turns[0].side == .right)
        #expect(abs(turns[0].angle - .pi / 2) < 1e-6)
        #expect(abs(turns[0].alongRoute - 100) < 1e-6)
        #expect(turns[1].side == .left)
        #expect(abs(turns[1].alongRoute - 150) < 1e-6)
    }

    @Test("a bend of less than 30° is none, one of more is")
    func bend() throws {
        let streets = try Streets()
        func turns(_ degrees: Double) throws -> [RouteTurn] {
            let angle = degrees * .pi / 180
            return try streets.progress([(0, 0), (0, 100), (100 * sin(angle), 100 + 100 * cos(angle))]).turns
        }
        #expect(try turns(25).isEmpty)
        #expect(try turns(35).count == 1)
        #expect(try turns(-35).first?.side == .left)
    }

    @Test("a rounded corner of many vertices is one turn")
    func rounded() throws {
        var points: [(Double, Double)] = [(0, 0)]
        for step in 0...8 {
            let angle = Double(step) / 8 * .pi / 2
            points.append((8 * (1 - cos(angle)), 50 + 8 * sin(angle)))
        }
        points.append((60, 58))
        let turns = try Streets().progress(points).turns
        try #require(turns.count == 1)
        #expect(turns[0].side == .right)
        #expect(abs(turns[0].angle - .pi / 2) < 0.2)
    }

    @Test("right and left close together are two turns")
    func zigzag() throws {
        let turns = try Streets().progress([(0, 0), (0, 50), (8, 50), (8, 100)]).turns
        #expect(turns.map(\.side) == [.right, .left])
    }

    @Test("a track that wavers along a straight street has no turn")
    func waver() throws {
        let points = (0..<100).map { (Double($0 % 2) * 1.5, Double($0) * 2) }
        #expect(try Streets().progress(points).turns.isEmpty)
    }

    @Test("a street that leads back is a turn of half a circle")
    func back() throws {
        let turns = try Streets().progress([(0, 0), (0, 100), (0.01, 20)]).turns
        try #require(turns.count == 1)
        #expect(abs(abs(turns[0].angle) - .pi) < 0.001)
    }
}
