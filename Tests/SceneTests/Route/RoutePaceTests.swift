import Model
import Scene
import Testing

@Suite("Time that is left on a route")
struct RoutePaceTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    /// A straight route of a kilometre.
    private func progress(duration: Double?) throws -> RouteProgress {
        var route = try streets.route([(0, 0), (0, 1000)])
        route.duration = duration
        return try #require(RouteProgress(route: route))
    }

    private func walk(
        _ progress: inout RouteProgress, from start: Double, to end: Double, speed: Double, at second: inout Double
    ) throws {
        for along in stride(from: start, through: end, by: speed) {
            second += 1
            progress.update(
                position: try streets.position(0, along), horizontalAccuracy: 4, at: BootTime(seconds: second))
        }
    }

    @Test("behaviour 47: at first as the route's service says, in proportion to what remains")
    func byService() throws {
        var progress = try progress(duration: 900)
        #expect(progress.remainingSeconds == nil)
        progress.update(position: try streets.position(0, 400), horizontalAccuracy: 4)
        #expect(abs(try #require(progress.remainingSeconds) - 540) < 0.1)
    }

    @Test("behaviour 47: without a service at a walking pace")
    func bySettings() throws {
        var progress = try progress(duration: nil)
        progress.update(position: try streets.position(0, 350), horizontalAccuracy: 4)
        #expect(abs(try #require(progress.remainingSeconds) - 500) < 0.1, "650 m at 1.3 m/s")
    }

    @Test("behaviour 47: then more and more by the wearer's own pace")
    func byPace() throws {
        // The service expects 1 m/s, the wearer walks at 2.
        var progress = try progress(duration: 1000)
        var second = 0.0
        try walk(&progress, from: 0, to: 200, speed: 2, at: &second)
        let early = try #require(progress.remainingSeconds) / 800
        #expect((0.7...0.85).contains(early))
        try walk(&progress, from: 202, to: 800, speed: 2, at: &second)
        let late = try #require(progress.remainingSeconds) / 200
        #expect((0.5...0.7).contains(late) && late < early)
    }

    @Test("behaviour 47: who waits at a crossing is no slower walker")
    func stops() throws {
        var progress = try progress(duration: 700)
        var second = 0.0
        try walk(&progress, from: 0, to: 300, speed: 1.5, at: &second)
        let before = try #require(progress.remainingSeconds)
        for _ in 0..<300 {
            second += 1
            progress.update(
                position: try streets.position(1, 300), horizontalAccuracy: 4, at: BootTime(seconds: second))
        }
        #expect(abs(try #require(progress.remainingSeconds) - before) < 0.02 * before)
    }

    @Test("behaviour 47: for one who has left the route the way back counts")
    func offRoute() throws {
        var progress = try progress(duration: 1000)
        for _ in 0...4 { progress.update(position: try streets.position(100, 400), horizontalAccuracy: 4) }
        #expect(progress.state == .offRoute)
        #expect(abs(try #require(progress.remaining) - 700) < 0.1)
        #expect(abs(try #require(progress.remainingSeconds) - 700) < 0.1)
    }
}
