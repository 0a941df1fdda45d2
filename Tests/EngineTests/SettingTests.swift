import Engine
import Geometry
import Model
import Scene
import Simulation
import Testing

@Suite("Settings of the engine")
struct SettingTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func walk() throws -> CityWalk {
        try #require(
            CityWalk(settings: CityWalkSettings(seed: 5), start: start, magneticModel: WorldMagneticModel.wmm2025))
    }

    @Test("the limits of the frame's readiness are the estimator's own")
    func limits() throws {
        var strict = SceneSettings()
        strict.frame.readyAccuracyMetres = 0.2
        strict.frame.lostMarginMetres = 0
        // So accurate no receiver of the walk is: with the defaults the same walk is localized within a minute.
        for (settings, isLocalized) in [(SceneSettings(), true), (strict, false)] {
            var engine = Engine(settings: settings)
            var walk = try Self.walk()
            var wasLocalized = false
            while true {
                let next = walk.next()
                guard next.arrival.seconds(since: Self.start) < 60 else { break }
                engine.feed(next) { event in
                    if case .pose(let pose) = event, pose.state == .localized { wasLocalized = true }
                }
            }
            #expect(wasLocalized == isLocalized)
            let state = engine.readiness.state
            #expect((state == .ready) == isLocalized)
        }
    }

    @Test("other settings while it runs change what is shown and no pose")
    func apply() throws {
        var plain = Engine()
        var changed = Engine()
        var walk = try Self.walk()
        try plain.follow(walk.route)
        try changed.follow(walk.route)
        var settings = SceneSettings()
        settings.route.windowMetres = 30
        settings.places.radiusMetres = 300
        var compared = 0
        while true {
            let next = walk.next()
            let elapsed = next.arrival.seconds(since: Self.start)
            guard elapsed < 60 else { break }
            if elapsed > 30 {
                changed.apply(settings)
                compared += changed.pose == nil ? 0 : 1
            }
            plain.feed(next) { _ in }
            changed.feed(next) { _ in }
            let (pose, other) = (plain.pose, changed.pose)
            #expect(pose == other)
        }
        #expect(compared > 6000, "a pose each time")
        let (long, short) = (plain.progress, changed.progress)
        #expect(try #require(long).alongRoute == #require(short).alongRoute)
        let (far, near) = (try #require(long?.windowAhead), try #require(short?.windowAhead))
        #expect(far.upperBound > near.upperBound)
    }
}
