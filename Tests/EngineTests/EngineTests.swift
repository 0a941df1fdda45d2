import Engine
import Geometry
import Model
import PlanMatching
import Scene
import Simulation
import Testing

import class Foundation.Thread

@Suite("Engine")
struct EngineTests {
    /// Two minutes of the simulated walk with typical sensors, as they arrive.
    static func recordedWalk(seed: UInt64 = 1, seconds: Int = 120) throws -> (walk: CityWalk, [Measurement]) {
        let start = BootTime(nanoseconds: 3_000_000_000)
        var walk = try #require(
            CityWalk(
                settings: CityWalkSettings(seed: seed), start: start, magneticModel: WorldMagneticModel.wmm2025))
        var measurements: [Measurement] = []
        while (measurements.last?.time ?? start).seconds(since: start) < Double(seconds) {
            measurements.append(walk.next())
        }
        return (walk, measurements)
    }

    /// Every bit of what a run emits.
    static func outcome(of measurements: [Measurement], following route: Route? = nil) -> [UInt64] {
        var engine = Engine()
        do throws(RouteWithoutLength) { try engine.follow(route) } catch { Issue.record(error) }
        var bits: [UInt64] = []
        for measurement in measurements {
            engine.feed(measurement) { event in
                switch event {
                case .pose(let pose): bits.append(contentsOf: pose.bits)
                case .frame(let frame): bits.append(contentsOf: frame.bits)
                case .route, .readiness, .scene: break
                }
            }
        }
        return bits
    }

    @Test("the same measurements give the same poses, bit for bit")
    func twice() throws {
        let (_, measurements) = try Self.recordedWalk()
        let first = Self.outcome(of: measurements)
        #expect(!first.isEmpty)
        #expect(first == Self.outcome(of: measurements))
    }

    @Test("other threads give the same poses, bit for bit, all at once")
    func threads() async throws {
        let (_, measurements) = try Self.recordedWalk(seconds: 60)
        let here = Self.outcome(of: measurements)
        #expect(!here.isEmpty)
        await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 { group.addTask { await Self.onThread { Self.outcome(of: measurements) } } }
            for await there in group { #expect(there == here) }
        }
    }

    private static func onThread(_ work: @escaping @Sendable () -> [UInt64]) async -> [UInt64] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    @Test("behaviour 47: a route corrects the position by its line, and not the motion; its plans do the same again")
    func routeCorrects() throws {
        let (walk, measurements) = try Self.recordedWalk()
        var causes = FrameCauses()
        func poses(_ prepare: (inout Engine) throws -> Void) throws -> (poses: [PoseEstimate], PlanLibrary) {
            var engine = Engine()
            try prepare(&engine)
            var poses: [PoseEstimate] = []
            for measurement in measurements {
                engine.feed(measurement) { event in
                    if case .pose(let pose) = event { poses.append(pose) }
                    if case .frame(let frame) = event { causes.formUnion(frame.causes) }
                }
            }
            return (poses, engine.odometry.library)
        }
        let alone = try poses { _ in }.poses
        #expect(!causes.contains(.path))
        let (routed, library) = try poses { try $0.follow(walk.route) }
        #expect(causes.contains(.path), "which explains the corrections")
        #expect(routed.map(\.positionInScene) == alone.map(\.positionInScene))
        #expect(routed.last?.geodetic != alone.last?.geodetic)
        #expect(try poses { $0.use(library) }.poses == routed, "as a replay has them")
        #expect(
            try poses { engine in
                engine.use(library)
                try engine.follow(walk.route)
            }.poses == routed)
        #expect(
            try poses { engine in
                try engine.follow(walk.route)
                try engine.follow(nil)
            }.poses == alone)
        // Its line may be made elsewhere meanwhile.
        let plan = try #require(RoutePlan(walk.route, settings: SceneSettings().route))
        #expect(try poses { $0.follow(plan: plan) }.poses == alone)
        #expect(
            try poses { engine in
                engine.follow(plan: plan)
                engine.use(made: engine.planSources.library())
            }.poses == routed)
    }

    @Test("a stored plan of any name is used beside the line of a route")
    func routeBesidePlans() throws {
        let (walk, _) = try Self.recordedWalk(seconds: 1)
        var engine = Engine()
        try engine.follow(walk.route)
        let line = engine.odometry.library.plans.count
        let level = PlanLevel(name: "0", number: 0, features: [])
        let drawn = try #require(DrawnPlan(FloorPlan(id: "route 1", name: "Hall", levels: [level])))
        engine.use(PlanLibrary([drawn]))
        #expect(line > 0 && engine.odometry.library.plans.count == line + 1)
        #expect(engine.odometry.library.plans.last?.plan.name == "Hall")
        // As a replay of this has them, with the route that it follows itself.
        engine.use(engine.odometry.library)
        #expect(engine.odometry.library.plans.count == line + 1)
    }

    @Test("stamps of the poses grow")
    func stamps() throws {
        let (_, measurements) = try Self.recordedWalk(seconds: 30)
        var engine = Engine()
        var last = BootTime(nanoseconds: 0)
        var count = 0
        for measurement in measurements {
            engine.feed(measurement) { event in
                guard case .pose(let pose) = event else { return }
                #expect(pose.time > last)
                last = pose.time
                count += 1
            }
        }
        // One for each inertial step but the first few.
        #expect(count > 29 * 200)
        let newest = engine.pose
        #expect(newest?.time == last)
    }

    @Test("the walker follows the route, sees its turns come and arrives")
    func followsRoute() throws {
        let (walk, measurements) = try Self.recordedWalk(seed: 4, seconds: 700)
        var engine = Engine()
        try engine.follow(walk.route)
        var states: [RouteProgress.State] = []
        var turns: [Double] = []
        var along = 0.0
        for measurement in measurements where states.last != .arrived {
            engine.feed(measurement) { if case .route(let state) = $0 { states.append(state) } }
            guard case .fix = measurement, let progress = engine.progress, let here = progress.alongRoute else {
                continue
            }
            // 15 m back is what the search allows.
            #expect(here > along - 15)
            along = here
            if let turn = progress.nextTurn, turns.last != turn.alongRoute { turns.append(turn.alongRoute) }
        }
        #expect(states == [.arrived])
        let reached = engine.progress
        let progress = try #require(reached)
        #expect(turns == progress.turns.map(\.alongRoute))
        #expect(progress.turns.count == walk.route.vertices.count - 2, "the city's corners are all turns")
    }

    @Test("what lies ahead is where it truly is")
    func ahead() throws {
        let (walk, measurements) = try Self.recordedWalk(seconds: 90)
        var engine = Engine()
        let early = engine.ahead(places: walk.places, radius: 500, limit: 10)
        #expect(early == nil, "no position yet")
        try engine.follow(walk.route)
        for measurement in measurements { engine.feed(measurement) { _ in } }
        let newest = engine.pose
        let truth = walk.truth(at: try #require(newest).time)
        let late = engine.ahead(places: walk.places, radius: 500, limit: 10)
        let items = try #require(late)
        #expect(items.contains { $0.kind == .turn })
        let placed = items.compactMap { item in
            walk.places.first { PlacementID.place($0.id) == item.id }.map { (item, $0) }
        }
        #expect(!placed.isEmpty)
        for (item, place) in placed {
            // Satellite errors of 4 m, three of them.
            let line = Geodesic(from: truth.position, to: place.position)
            #expect(abs(item.distance - line.distance) < 12)
        }
    }

    @Test("headings count from true north")
    func trueNorth() throws {
        // Iceland's compass points 11° west of north. Without errors nothing else can turn the heading as far.
        let start = BootTime(nanoseconds: 0)
        var settings = CityWalkSettings(errors: .none)
        settings.origin = try #require(
            GeodeticPosition(latitudeDegrees: 64.15, longitudeDegrees: -21.94, ellipsoidalHeight: 90))
        var walk = try #require(
            CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025))
        var engine = Engine()
        var worst = 0.0
        var count = 0
        for _ in 0..<30_000 {
            let measurement = walk.next()
            engine.feed(measurement) { _ in }
            guard case .fix(let fix) = measurement, fix.epoch.seconds(since: start) > 40 else { continue }
            let pose = engine.pose
            let newest = try #require(pose)
            #expect(newest.headingReference == .trueNorth)
            let heading = try #require(newest.heading) - walk.truth(at: newest.time).heading
            worst = max(worst, abs(heading - 2 * .pi * (heading / (2 * .pi)).rounded()))
            count += 1
        }
        #expect(count > 20)
        #expect(worst < 3 * .pi / 180)
    }

    @Test("every measurement is accounted for")
    func counters() throws {
        let (_, measurements) = try Self.recordedWalk(seconds: 20)
        var engine = Engine()
        for measurement in measurements { engine.feed(measurement) { _ in } }
        let before = engine.odometry.counters
        #expect(before.accepted == UInt64(measurements.count))
        #expect(before.refused == 0)
        let last = try #require(measurements.last { if case .angularRate = $0 { true } else { false } })
        engine.feed(last) { _ in Issue.record("a sample that comes twice moved the pose") }
        let after = engine.odometry.counters
        #expect(after.refused == 1)
    }

    @Test("behaviour 28: a route takes the place of another as a whole, progress and all")
    func replacedRoute() throws {
        let (walk, measurements) = try Self.recordedWalk(seconds: 90)
        var engine = Engine()
        try engine.follow(walk.route)
        for measurement in measurements { engine.feed(measurement) { _ in } }
        let walked = engine.progress
        let first = try #require(walked)
        #expect(try #require(first.alongRoute) > 20)
        // The way back, under the same name.
        try engine.follow(Route(id: walk.route.id, name: "back", vertices: walk.route.vertices.reversed()))
        let begun = engine.progress
        let second = try #require(begun)
        #expect(second.route.name == "back" && second.sequence == first.sequence + 1)
        #expect(second.turns.count == first.turns.count)
        let here = try #require(second.alongRoute)
        let distance = try #require(first.alongRoute)
        // It begins where the wearer is, whose pose is not drawn to either.
        #expect(abs(here - (second.length - distance)) < 30)
        let (old, new) = (RouteContent(first).pieces, RouteContent(second).pieces)
        #expect(!old.isEmpty && !new.isEmpty)
        #expect(Set(old.map(\.id)).isDisjoint(with: new.map(\.id)))
    }

    @Test("a route without length is refused and the present one kept")
    func refusedRoute() throws {
        let (walk, _) = try Self.recordedWalk(seconds: 1)
        var engine = Engine()
        try engine.follow(walk.route)
        let empty = Route(id: "empty", name: "", vertices: [])
        do throws(RouteWithoutLength) {
            try engine.follow(empty)
            Issue.record("a route without vertices was taken")
        } catch {
            #expect(error == RouteWithoutLength(id: "empty"))
        }
        let kept = engine.progress?.route.id
        #expect(kept == walk.route.id)
        try engine.follow(nil)
        let taken = engine.progress == nil
        #expect(taken)
    }
}
