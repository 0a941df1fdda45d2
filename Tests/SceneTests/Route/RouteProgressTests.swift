import Geometry
import Scene
import Testing

@Suite("Route progress")
struct RouteProgressTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    @Test("length, progress and what remains")
    func along() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (50, 100)])
        #expect(progress.alongRoute == nil && progress.remaining == nil)
        progress.update(position: try streets.position(4, 30), horizontalAccuracy: 3)
        // A millimetre: the earth is round.
        #expect(abs(progress.length - 150) < 1e-3)
        #expect(abs(try #require(progress.alongRoute) - 30) < 1e-3)
        #expect(abs(try #require(progress.remaining) - 120) < 1e-3)
        #expect(abs(try #require(progress.distanceFromRoute) - 4) < 1e-3)
        #expect(progress.nextTurn?.side == .right)
        #expect(progress.state == .following)
    }

    @Test("behaviour 25: where the route crosses itself it is walked in its order")
    func crossing() throws {
        // North, then round to the right and back over the first leg at (0, 50).
        let corners: [(Double, Double)] = [(0, 0), (0, 120), (70, 120), (70, 50), (-60, 50)]
        var progress = try streets.progress(corners)
        for north in stride(from: 0.0, through: 118, by: 2) {
            progress.update(position: try streets.position(0, north), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - north) < 0.01)
        }
        for east in stride(from: 0.0, through: 68, by: 2) {
            progress.update(position: try streets.position(east, 120), horizontalAccuracy: 4)
        }
        for north in stride(from: 120.0, through: 52, by: -2) {
            progress.update(position: try streets.position(70, north), horizontalAccuracy: 4)
        }
        for east in stride(from: 70.0, through: -40, by: -2) {
            progress.update(position: try streets.position(east, 50), horizontalAccuracy: 4)
            #expect(abs(try #require(progress.alongRoute) - (260 + 70 - east)) < 0.01)
        }
    }

    @Test("behaviour 25: on a loop the walk begins at the beginning")
    func loop() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (100, 100), (100, 0), (0, 0)])
        progress.update(position: try streets.position(2, 3), horizontalAccuracy: 5)
        #expect(try #require(progress.alongRoute) < 5)
        #expect(progress.state == .following, "the destination is here too, but not yet reached")
    }

    @Test("a wearer who surely walks 15 m beside the route has left it, one who may be on it has not")
    func beside() throws {
        func progress(guesses: [(east: Double, probability: Double)]) throws -> RouteProgress.State {
            var progress = try streets.progress([(0, 0), (0, 200)])
            for north in 50..<55 {
                let guesses = try guesses.map {
                    PositionGuess(
                        position: try streets.position($0.east, Double(north)), probability: $0.probability,
                        standardDeviation: 2)
                }
                progress.update(
                    position: try streets.position(12, Double(north)), horizontalAccuracy: 3, guesses: guesses)
            }
            return progress.state
        }
        #expect(try progress(guesses: []) == .following)
        #expect(try progress(guesses: [(15, 1)]) == .offRoute)
        #expect(try progress(guesses: [(15, 0.5), (14, 0.45), (0, 0.05)]) == .offRoute)
        #expect(try progress(guesses: [(15, 0.7), (0, 0.3)]) == .following)
        #expect(try progress(guesses: [(9, 1)]) == .following)
    }

    @Test("a wearer beside the route is on it again near it, and is not beside it beyond its ends")
    func besideAndBack() throws {
        var progress = try streets.progress([(0, 0), (0, 200)])
        func walk(_ east: Double, _ north: Double) throws {
            let position = try streets.position(east, north)
            progress.update(
                position: position, horizontalAccuracy: 3,
                guesses: [PositionGuess(position: position, probability: 1, standardDeviation: 2)])
        }
        for north in stride(from: -20.0, to: 0, by: 1) { try walk(0, north) }
        #expect(progress.state == .following)
        for north in 20..<30 { try walk(16, Double(north)) }
        #expect(progress.state == .offRoute && progress.wayBack != nil)
        try walk(2, 31)
        #expect(progress.state == .following && progress.wayBack == nil)
    }

    @Test("a position halfway joins the route halfway")
    func joins() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (100, 100), (100, 0)])
        progress.update(position: try streets.position(97, 60), horizontalAccuracy: 5)
        #expect(abs(try #require(progress.alongRoute) - 240) < 0.01)
        #expect(progress.nextTurn == nil)
    }

    @Test("behaviour 47: off the route after four positions beyond 30 m, and back on it")
    func offRoute() throws {
        var progress = try streets.progress([(0, 0), (0, 300), (300, 300)])
        progress.update(position: try streets.position(0, 100), horizontalAccuracy: 5)
        for count in 1...4 {
            #expect(progress.state == .following)
            progress.update(position: try streets.position(-35, 100 + Double(count)), horizontalAccuracy: 5)
        }
        #expect(progress.state == .offRoute)
        #expect(abs(try #require(progress.distanceFromRoute) - 35) < 0.01)
        progress.update(position: try streets.position(10, 130), horizontalAccuracy: 5)
        #expect(progress.state == .following)
        #expect(abs(try #require(progress.alongRoute) - 130) < 0.01)
    }

    @Test("behaviour 56: a route whose nearest point is its end, far away, is not nearly walked")
    func farEnd() throws {
        var progress = try streets.progress([(0, 0), (0, 300), (300, 300)])
        progress.update(position: try streets.position(2300, 300), horizontalAccuracy: 5)
        #expect(progress.state == .offRoute && !progress.hasBegun)
        #expect(abs(try #require(progress.remaining) - 2000) < 0.1)
        #expect(abs(try #require(progress.wayBack).distance - 2000) < 0.1)
        // On the way to its beginning no part of it is walked, and the end stays what it is: far away.
        for share in stride(from: 0.0, through: 0.9, by: 0.1) {
            progress.update(
                position: try streets.position(2300 * (1 - share), 300 * (1 - share) - 200), horizontalAccuracy: 5)
            #expect(progress.state == .offRoute && !progress.hasBegun)
        }
        progress.update(position: try streets.position(3, 2), horizontalAccuracy: 5)
        #expect(progress.state == .following && progress.hasBegun && progress.wayBack == nil)
        #expect(abs(try #require(progress.remaining) - 598) < 0.1)
        #expect(progress.nextTurn?.side == .right)
    }

    @Test("behaviour 56: who begins far away and comes to the end has arrived there", arguments: [5.0, 40])
    func reachesEnd(accuracy: Double) throws {
        var progress = try streets.progress([(0, 0), (0, 300), (300, 300)])
        for east in stride(from: 800.0, through: 400, by: -20) {
            progress.update(position: try streets.position(east, 300), horizontalAccuracy: accuracy)
            #expect(progress.state == .offRoute)
            #expect(abs(try #require(progress.remaining) - (east - 300)) < 0.1)
        }
        progress.update(position: try streets.position(302, 300), horizontalAccuracy: accuracy)
        #expect(progress.state == .arrived)
    }

    @Test("behaviour 47: a position near the route breaks the row")
    func row() throws {
        var progress = try streets.progress([(0, 0), (0, 300)])
        progress.update(position: try streets.position(0, 100), horizontalAccuracy: 5)
        for count in 1...20 {
            let east = count % 4 == 0 ? 25.0 : 60
            progress.update(position: try streets.position(east, 100), horizontalAccuracy: 5)
            #expect(progress.state == .following)
        }
    }

    @Test("behaviour 47: 1.5 times a poor accuracy widens the bound")
    func poorAccuracy() throws {
        var progress = try streets.progress([(0, 0), (0, 300)])
        for _ in 1...10 {
            progress.update(position: try streets.position(50, 100), horizontalAccuracy: 40)
            #expect(progress.state == .following)
        }
        for _ in 1...4 { progress.update(position: try streets.position(50, 100), horizontalAccuracy: 33) }
        #expect(progress.state == .offRoute)
    }

    @Test("behaviour 47: a corner cut to the next leg stays on the route")
    func nextLeg() throws {
        var progress = try streets.progress([(0, 0), (0, 200), (200, 200)])
        progress.update(position: try streets.position(0, 80), horizontalAccuracy: 5)
        progress.update(position: try streets.position(190, 195), horizontalAccuracy: 5)
        #expect(abs(try #require(progress.alongRoute) - 390) < 0.01)
        #expect(progress.state == .following)
    }

    @Test("a walker who was lost may come back farther on")
    func backFartherOn() throws {
        var progress = try streets.progress([(0, 0), (0, 200), (200, 200), (200, 0), (400, 0)])
        progress.update(position: try streets.position(0, 50), horizontalAccuracy: 5)
        for _ in 1...4 { progress.update(position: try streets.position(100, 50), horizontalAccuracy: 5) }
        #expect(progress.state == .offRoute)
        progress.update(position: try streets.position(300, 5), horizontalAccuracy: 5)
        #expect(progress.state == .following)
        #expect(abs(try #require(progress.alongRoute) - 700) < 0.01)
        #expect(progress.nextTurn == nil)
    }

    @Test("behaviour 47: arrival within 10 m of the destination")
    func arrival() throws {
        var progress = try streets.progress([(0, 0), (0, 100)])
        for north in stride(from: 10.0, through: 88, by: 2) {
            progress.update(position: try streets.position(1, north), horizontalAccuracy: 5)
            #expect(progress.state == .following)
        }
        progress.update(position: try streets.position(1, 91), horizontalAccuracy: 5)
        #expect(progress.state == .arrived)
        progress.update(position: try streets.position(300, 300), horizontalAccuracy: 5)
        #expect(progress.state == .arrived)
    }

    @Test("a turn is past once, though the position wavers about it")
    func turnsAhead() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (100, 100), (100, 200)])
        progress.update(position: try streets.position(0, 90), horizontalAccuracy: 5)
        #expect(progress.turnsAhead.map(\.side) == [.right, .left])
        for along in [101.0, 97, 102, 99] {
            let here = along < 100 ? (0, along) : (along - 100, 100)
            progress.update(position: try streets.position(here.0, here.1), horizontalAccuracy: 5)
            #expect(progress.turnsAhead.map(\.side) == [.left])
        }
        for north in stride(from: 95.0, through: 60, by: -5) {
            progress.update(position: try streets.position(0, north), horizontalAccuracy: 5)
        }
        #expect(progress.turnsAhead.map(\.side) == [.right, .left], "the walker really went back")
    }

    @Test("no progress on a route without length", arguments: [0, 1, 3])
    func degenerate(count: Int) throws {
        let vertices = [GeodeticPosition](repeating: try streets.position(0, 0), count: count)
        #expect(RouteProgress(route: Route(id: "r", name: "", vertices: vertices)) == nil)
    }

    @Test("vertices that repeat do no harm")
    func repeated() throws {
        var progress = try streets.progress([(0, 0), (0, 0), (0, 100), (0, 100), (0, 100), (100, 100)])
        progress.update(position: try streets.position(0, 100), horizontalAccuracy: 5)
        #expect(abs(try #require(progress.alongRoute) - 100) < 0.01)
        #expect(progress.turns.count == 1)
    }

    @Test("a route across the antimeridian is as long as anywhere")
    func antimeridian() throws {
        let streets = try Streets(latitude: -17, longitude: 179.9995)
        var progress = try streets.progress([(0, 0), (200, 0)])
        progress.update(position: try streets.position(150, 3), horizontalAccuracy: 5)
        #expect(abs(progress.length - 200) < 1e-3)
        #expect(abs(try #require(progress.alongRoute) - 150) < 1e-3)
    }
}
