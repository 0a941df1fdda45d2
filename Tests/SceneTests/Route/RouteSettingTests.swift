import Geometry
import Model
import Scene
import Testing

@Suite("Other settings for a route that is being walked")
struct RouteSettingTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    @Test("what has been walked stays, what is shown follows the new settings")
    func apply() throws {
        var progress = try streets.progress([(0, 0), (0, 300)])
        for north in stride(from: 0.0, through: 100, by: 5) {
            progress.update(position: try streets.position(0, north), horizontalAccuracy: 3)
        }
        let (along, window, revision) = (progress.alongRoute, progress.windowAhead, progress.revision)
        var settings = SceneSettings.Route()
        settings.windowMetres = 40
        settings.walkingSpeed = 0.65
        let seconds = try #require(progress.remainingSeconds)
        progress.apply(settings)
        #expect(progress.alongRoute == along)
        let before = try #require(window)
        let after = try #require(progress.windowAhead)
        #expect(after.lowerBound == before.lowerBound)
        #expect(before.upperBound - after.upperBound == 60)
        #expect(progress.revision > revision)
        // Half the speed, and no pace of the wearer's own is known: twice the time.
        #expect(abs(try #require(progress.remainingSeconds) - 2 * seconds) < 1e-9)
        progress.apply(settings)
        #expect(progress.revision == revision + 1)
    }

    @Test("behaviour 43: other settings announce nothing anew")
    func announcements() throws {
        let settings = SceneSettings().announcements
        var progress = try streets.progress([(0, 0), (0, 300), (100, 300)])
        var (announcer, watch) = (Announcer(), RouteWatch())
        var announced: [Announcement.Kind] = []
        var events: [SceneEvent] = []
        for second in 0..<240 {
            if second % 60 == 59 {
                var other = progress.plan.settings
                other.windowMetres += 10
                progress.apply(other)
            }
            progress.update(position: try streets.position(0, Double(second)), horizontalAccuracy: 3)
            let announcement = announcer.update(
                progress: progress, yawStandardDeviation: 0.1, at: BootTime(nanoseconds: Int64(second) * 1_000_000_000),
                settings: settings)
            if let announcement { announced.append(announcement.kind) }
            events += watch.update(progress: progress, settings: settings)
        }
        #expect(announced == [.start, .turn])
        #expect(events.count == 1)
    }
}
