import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("The end of a route")
struct RouteEndTests {
    let streets: Streets

    /// Straight north, to an end that is the origin of the angles below.
    private static let length = 200.0
    /// From the direction of the route on, clockwise: beyond its end, beside it on both sides, and before it. Unit:
    /// degrees.
    private static let angles = [0.0, 45, 90, -90, -60, 120]

    init() throws { streets = try Streets() }

    private static func point(_ distance: Double, _ degrees: Double) -> (east: Double, north: Double) {
        let angle = Angle.radians(degrees: degrees)
        return (distance * sin(angle), length + distance * cos(angle))
    }

    private func walked() throws -> RouteProgress {
        var progress = try streets.progress([(0, 0), (0, Self.length)])
        for north in stride(from: 20.0, through: Self.length - 12, by: 4) {
            progress.update(position: try streets.position(0, north), horizontalAccuracy: 5)
        }
        return progress
    }

    @Test("behaviour 47: beside the end and beyond it, the way to it remains", arguments: angles)
    func remaining(degrees: Double) throws {
        for distance in stride(from: 5.0, through: 40, by: 1) {
            var progress = try walked()
            let point = Self.point(distance, degrees)
            for _ in 0..<5 {
                progress.update(position: try streets.position(point.east, point.north), horizontalAccuracy: 5)
            }
            let arrived = distance <= progress.plan.settings.arrivalMetres
            guard !arrived else {
                #expect(progress.state == .arrived)
                continue
            }
            let beside = try #require(progress.distanceFromRoute)
            #expect(progress.state == (beside > 30.001 ? .offRoute : .following))
            let remaining = try #require(progress.remaining)
            #expect(remaining > distance - 0.01 && remaining < 1.4 * distance + 0.01, "not 0 m")
            let destination = try #require(RouteContent(progress).pieces.last)
            #expect(destination.kind == .destination && destination.ahead == remaining)
            let here = try streets.position(point.east, point.north)
            let ahead = Ahead(position: here, heading: 0).items(progress: progress, places: [], radius: 1e3, limit: 9)
            #expect(ahead.first { $0.kind == .destination }?.alongRoute == remaining)
            #expect(try #require(progress.remainingSeconds) > 5)
        }
    }

    @Test(
        "behaviour 47: who stands near the end in noise hears everything once, and the state does not flap",
        arguments: angles, [1, 2] as [UInt64])
    func noise(degrees: Double, seed: UInt64) throws {
        var draws = Draws(state: seed)
        for distance in stride(from: 5.0, through: 40, by: 2.5) {
            var walker = AnnouncerTests.Walker(
                progress: try walked(), streets: streets, settings: SceneSettings().announcements)
            var drift = (east: 0.0, north: 0.0)
            var changes = 0
            let point = Self.point(distance, degrees)
            // Errors that last half a minute, for ten minutes, with the accuracy that the walker reports.
            let kept = exp(-1.0 / 30)
            let fresh = 5 / PoseAccuracy.radius68 * (1 - kept * kept).squareRoot()
            for _ in 0..<600 {
                drift = (drift.east * kept + fresh * draws.normal(), drift.north * kept + fresh * draws.normal())
                let before = walker.progress.state
                try walker.stand(point.east + drift.east, point.north + drift.north)
                if walker.progress.state != before { changes += 1 }
                guard walker.progress.state != .arrived else { continue }
                #expect(try #require(walker.progress.remaining) > walker.progress.plan.settings.arrivalMetres)
            }
            let kinds = walker.said.map(\.announcement.kind)
            #expect(changes <= 3, "off the route, back on it and arrived at the most: \(distance) m, \(kinds)")
            #expect(kinds.count { $0 == .arrived } <= 1)
            // Twice within ten minutes only where errors of more than two deviations bring one over both limits.
            for kind in [Announcement.Kind.offRoute, .backOnRoute] { #expect(kinds.count { $0 == kind } <= 2) }
            let grades = walker.said.filter { $0.announcement.kind == .destination }.map(\.announcement.grade)
            #expect(Set(grades).count == grades.count, "each distance once")
        }
    }

    @Test(
        "behaviour 47: with a poor receiver too, only the radius around the end is the arrival",
        arguments: [5.0, 20, 40])
    func poorAccuracy(accuracy: Double) throws {
        var progress = try walked()
        for east in stride(from: 28.0, to: 10, by: -1) {
            progress.update(position: try streets.position(east, Self.length), horizontalAccuracy: accuracy)
            #expect(progress.state == .following)
            #expect(abs(try #require(progress.remaining) - east) < 0.01)
        }
        progress.update(position: try streets.position(9.9, Self.length), horizontalAccuracy: accuracy)
        #expect(progress.state == .arrived)
    }
}
