import Scene
import Testing

@Suite("Events of a route")
struct RouteWatchTests {
    let settings = SceneSettings().announcements
    let streets: Streets

    init() throws { streets = try Streets() }

    @Test("behaviour 43: a turn is reported once when it comes within the first distance, with its side by the route")
    func turnAhead() throws {
        var progress = try streets.progress([(0, 0), (0, 200), (-100, 200), (-100, 400)])
        var watch = RouteWatch()
        var turns: [TurnAhead] = []
        for north in stride(from: 0.0, through: 198, by: 2) {
            progress.update(
                position: try streets.position(north.truncatingRemainder(dividingBy: 3), north), horizontalAccuracy: 5)
            for case .turnAhead(let turn) in watch.update(progress: progress, settings: settings) { turns.append(turn) }
        }
        for east in stride(from: 0.0, through: -20, by: -2) {
            progress.update(position: try streets.position(east, 200), horizontalAccuracy: 5)
            for case .turnAhead(let turn) in watch.update(progress: progress, settings: settings) { turns.append(turn) }
        }
        #expect(turns.map(\.turn.side) == [.left, .right])
        #expect(turns.map { $0.distance <= 100 && $0.distance > 95 } == [true, true])
        #expect(turns.allSatisfy { $0.routeID == "r" })
    }

    @Test("behaviour 47: each change of the state is reported once; a route that is replaced restarts")
    func states() throws {
        var progress = try streets.progress([(0, 0), (0, 100)])
        var watch = RouteWatch()
        func move(_ east: Double, _ north: Double) throws -> [SceneEvent] {
            progress.update(position: try streets.position(east, north), horizontalAccuracy: 5)
            return watch.update(progress: progress, settings: settings)
        }
        #expect(watch.update(progress: progress, settings: settings) == [])
        #expect(try move(0, 10) == [])
        var events: [SceneEvent] = []
        for _ in 0..<8 { events += try move(60, 20) }
        #expect(events == [.route(id: "r", state: .offRoute)])
        #expect(try move(2, 30) == [.route(id: "r", state: .following)])
        #expect(try move(0, 60) == [])
        #expect(try move(0, 97) == [.route(id: "r", state: .arrived)])
        #expect(try move(0, 99) == [])
        progress = try streets.progress([(0, 0), (0, 100)])
        #expect(try move(0, 10) == [], "following is what is expected")
        #expect(watch.update(progress: nil, settings: settings) == [])
    }
}
