import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("What is shown of a route")
struct RouteContentTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    private func progress(_ corners: [(Double, Double)], at here: (Double, Double)) throws -> RouteProgress {
        var progress = try streets.progress(corners)
        progress.update(position: try streets.position(here.0, here.1), horizontalAccuracy: 4)
        return progress
    }

    /// Metres east and north of the origin.
    private func place(_ position: GeodeticPosition) -> (east: Double, north: Double) {
        let point = streets.plane.pointENU(of: position)
        return (point.x, point.y)
    }

    private func alongs(_ content: RouteContent, _ kind: Placement.Kind) -> [Double] {
        content.pieces.filter { $0.kind == kind }.map(\.alongRoute)
    }

    // MARK: window

    @Test("behaviour 25: the window is 100 m of the route ahead of the nearest point, by length along it")
    func window() throws {
        let here = try progress([(0, 0), (0, 60), (300, 60)], at: (3, 30))
        let window = try #require(here.windowAhead)
        #expect(abs(window.lowerBound - 30) < 0.01 && abs(window.upperBound - 130) < 0.01)
        let content = RouteContent(here)
        // Round the corner at 60 m: the last arrows point along the second street.
        let last = try #require(content.pieces.last { $0.kind == .arrow })
        #expect(last.alongRoute < 130 && last.alongRoute > 123)
        #expect(place(last.position).east > 60)
        #expect(abs(last.bearing - .pi / 2) < 1e-3)
    }

    @Test("behaviour 25: the window ends at the destination")
    func clipped() throws {
        let here = try progress([(0, 0), (0, 70)], at: (0, 30))
        #expect(abs(try #require(here.windowAhead).upperBound - 70) < 0.01)
        let arrows = alongs(RouteContent(here), .arrow)
        #expect(arrows.count > 10 && arrows.allSatisfy { $0 + 3 <= 70.01 })
    }

    @Test("behaviour 25: a wavering position does not move the window back and forth")
    func steady() throws {
        var here = try progress([(0, 0), (0, 300)], at: (0, 100))
        let ids = RouteContent(here).pieces.map(\.id)
        for north in [99.0, 98.5, 99.5, 97.5, 100] {
            here.update(position: try streets.position(0, north), horizontalAccuracy: 4)
            #expect(RouteContent(here).pieces.map(\.id) == ids)
        }
        here.update(position: try streets.position(0, 90), horizontalAccuracy: 4)
        #expect(abs(try #require(here.windowAhead).lowerBound - 90) < 0.01, "the walker really went back")
    }

    // MARK: arrows

    @Test("behaviour 26: arrows stand every 3 m on a grid of the route, wherever the wearer is")
    func grid() throws {
        for start in [0.0, 10, 11.7, 29.99] {
            let arrows = alongs(RouteContent(try progress([(0, 0), (0, 300)], at: (2, start))), .arrow)
            #expect((32...33).contains(arrows.count))
            for along in arrows { #expect(abs(along / 3 - (along / 3).rounded()) < 1e-9) }
            #expect(try #require(arrows.first) >= start - 1e-6 && arrows[0] < start + 3)
        }
    }

    @Test("behaviour 26: a step forward takes arrows away behind and adds them ahead, all others stay as they were")
    func fewChanges() throws {
        var here = try progress([(0, 0), (0, 80), (200, 80)], at: (0, 0))
        var before = RouteContent(here).pieces.filter { $0.kind == .arrow }
        for north in stride(from: 1.0, through: 80, by: 1) {
            here.update(position: try streets.position(0, north), horizontalAccuracy: 4)
            let after = RouteContent(here).pieces.filter { $0.kind == .arrow }
            let changed = Set(after.map(\.id)).symmetricDifference(before.map(\.id))
            #expect(changed.count <= 2)
            let kept = after.compactMap { arrow in before.first { $0.id == arrow.id }.map { ($0, arrow) } }
            #expect(kept.count > 30)
            for (old, arrow) in kept {
                #expect(old.position == arrow.position && old.path == arrow.path && old.bearing == arrow.bearing)
            }
            before = after
        }
    }

    @Test("behaviour 26: arrows move at a constant speed, each to its successor's place in one period")
    func constantSpeed() throws {
        let plan = try #require(RoutePlan(try streets.route([(0, 0), (0, 100), (100, 100)])))
        let motion = ArrowMotion(plan.settings)
        #expect(motion.spacing == 3)
        let start = BootTime(nanoseconds: 86_400_000_000_000 * 30)
        var last: (phase: Double, north: Double)?
        var speeds = 0
        for step in 0..<200 {
            let time = BootTime(nanoseconds: start.nanoseconds + Int64(step) * 16_666_667)
            let phase = motion.phase(at: time)
            #expect((0..<1).contains(phase))
            let here = place(try #require(plan.arrow(10, share: phase)).position)
            #expect(abs(here.north - 30 - 3 * phase) < 1e-3)
            if let last, phase > last.phase {
                #expect(abs((here.north - last.north) / 0.016666667 - 3 / motion.period) < 1e-2)
                speeds += 1
            }
            last = (phase, here.north)
        }
        #expect(speeds > 180)
        // The end of one arrow's way is the beginning of the next one's.
        let (end, next) = (try #require(plan.arrow(10, share: 1)), try #require(plan.arrow(11, share: 0)))
        #expect(end.position == next.position && end.bearing == next.bearing)
    }

    @Test("behaviour 26: all renderers agree on the phase, whenever they began")
    func phase() {
        var motion = ArrowMotion(SceneSettings.Route())
        motion.epoch = BootTime(nanoseconds: 5_000_000_000)
        motion.period = 2
        for (seconds, phase) in [(5.0, 0.0), (6, 0.5), (7, 0), (4, 0.5), (0, 0.5), (1005.5, 0.25)] {
            let time = BootTime(nanoseconds: Int64(seconds * 1e9))
            #expect(abs(motion.phase(at: time) - phase) < 1e-9)
        }
    }

    @Test("behaviour 26: arrows turn round corners without a flip", arguments: [30.0, 90, 150, 179, 180, -90, -180])
    func corners(degrees: Double) throws {
        let angle = degrees * .pi / 180
        let corners = [(0.0, 0.0), (0, 50), (50 * sin(angle), 50 + 50 * cos(angle))]
        let plan = try #require(RoutePlan(try streets.route(corners)))
        var last = plan.bearing(along: 40)
        #expect(abs(Angle.wrapped(last)) < 1e-3)
        var turned = 0.0
        for along in stride(from: 40.0, through: 60, by: 0.05) {
            let bearing = plan.bearing(along: along)
            let step = Angle.wrapped(bearing - last)
            // Half a circle over the 3 m between two arrows.
            #expect(abs(step) < 1.1 * .pi * 0.05 / 3)
            turned += step
            last = bearing
        }
        // Half a circle may go either way.
        #expect(abs(abs(turned) - abs(angle)) < 1e-3)
    }

    @Test("behaviour 26: an arrow's way leads round the corner, not across it")
    func path() throws {
        let content = RouteContent(try progress([(0, 0), (0, 61), (100, 61)], at: (0, 50)))
        let arrow = try #require(content.pieces.first { $0.kind == .arrow && $0.alongRoute == 60 })
        try #require(arrow.path.count == 3)
        #expect(arrow.path.map { ($0.share * 3).rounded() } == [0, 1, 3])
        let corner = place(arrow.path[1].position)
        #expect(abs(corner.east) < 0.01 && abs(corner.north - 61) < 0.01)
        let straight = try #require(content.pieces.first { $0.kind == .arrow && $0.alongRoute == 90 })
        #expect(straight.path.count == 2)
    }

    // MARK: nodes

    @Test("behaviour 27: nodes every 20 m, with start, turns and destination where they are")
    func nodes() throws {
        let plan = try #require(RoutePlan(try streets.route([(0, 0), (0, 90), (50, 90), (50, 130)])))
        let nodes = plan.nodes(in: 0...plan.length)
        let kinds = nodes.map(\.kind)
        #expect(nodes.map(\.index) == Array(nodes.indices))
        #expect(kinds.first == .start && kinds.last == .destination)
        #expect(kinds.filter { if case .turn = $0 { true } else { false } } == [.turn(0), .turn(1)])
        for (before, after) in zip(nodes, nodes.dropFirst()) {
            #expect((10...20.21).contains(after.alongRoute - before.alongRoute))
        }
        let expected = [0.0, 18, 36, 54, 72, 90, 106.67, 123.33, 140, 160, 180]
        #expect(nodes.count == expected.count)
        for (node, along) in zip(nodes, expected) { #expect(abs(node.alongRoute - along) < 0.01) }
        #expect(plan.nodes(in: 50...110) == Array(nodes[3...6]))
        #expect(plan.nodes(in: 91...95).isEmpty)
    }

    @Test("behaviour 27: start, turns with their side, and the destination are pieces of their own")
    func pieces() throws {
        let content = RouteContent(try progress([(0, 0), (0, 60), (50, 60), (50, 400)], at: (0, 15)))
        let start = try #require(content.pieces.first { $0.kind == .start })
        #expect(start.alongRoute == 0 && start.ahead == 0)
        #expect(start.name.isEmpty, "the name of the route is that of its destination")
        let turns = content.pieces.filter { $0.kind == .turn }
        #expect(turns.map { $0.turn?.side } == [.right, .left])
        #expect(turns.map { ($0.ahead).rounded() } == [45, 95])
        let destination = try #require(content.pieces.last)
        #expect(destination.kind == .destination && destination.name == "Home")
        #expect(abs(destination.ahead - 435) < 0.01)
        let nodes = alongs(content, .node)
        #expect(!nodes.isEmpty && nodes.allSatisfy { $0 <= 115.01 })
    }

    @Test("behaviour 27: the next turn is shown from afar")
    func farTurn() throws {
        let content = RouteContent(try progress([(0, 0), (0, 900), (50, 900)], at: (0, 200)))
        let turn = try #require(content.pieces.first { $0.kind == .turn })
        #expect(abs(turn.ahead - 700) < 0.01)
        #expect(!content.pieces.contains { $0.kind == .start })
    }

    // MARK: the whole

    @Test("behaviour 47: off the route the way back is a piece, and the route is shown from there")
    func wayBack() throws {
        var here = try progress([(0, 0), (0, 300), (200, 300)], at: (0, 100))
        for north in [110.0, 112, 114, 116, 118] {
            here.update(position: try streets.position(-50, north), horizontalAccuracy: 4)
        }
        #expect(here.state == .offRoute)
        let content = RouteContent(here)
        let back = try #require(content.pieces.first)
        #expect(back.kind == .route)
        #expect(abs(place(back.position).north - 118) < 0.1 && abs(place(back.position).east) < 0.1)
        #expect(try #require(alongs(content, .arrow).first) >= 118)
        here.update(position: try streets.position(-5, 120), horizontalAccuracy: 4)
        #expect(!RouteContent(here).pieces.contains { $0.kind == .route })
    }

    @Test("behaviour 28: no piece of a route has the id of another route's, of the same name even")
    func ids() throws {
        let plan = try #require(RoutePlan(try streets.route([(0, 0), (0, 300)])))
        func ids(_ sequence: UInt64) throws -> [String] {
            var progress = RouteProgress(plan: plan, sequence: sequence)
            progress.update(position: try streets.position(0, 10), horizontalAccuracy: 4)
            return RouteContent(progress).pieces.map(\.id)
        }
        let (first, second) = (try ids(1), try ids(2))
        #expect(!first.isEmpty && first.count == second.count)
        #expect(Set(first).count == first.count)
        #expect(Set(first).isDisjoint(with: second))
    }

    @Test("nothing before the first position and after arrival; the same progress shows the same")
    func ends() throws {
        #expect(RouteContent(try streets.progress([(0, 0), (0, 100)])).pieces.isEmpty)
        #expect(RouteContent(try progress([(0, 0), (0, 100)], at: (0, 97))).pieces.isEmpty)
        let here = try progress([(0, 0), (0, 100), (80, 100)], at: (0, 30))
        #expect(RouteContent(here) == RouteContent(here))
    }

    @Test("behaviour 40: no more pieces than a renderer draws, however dense a route is")
    func bounded() throws {
        let corners = (0..<3000).map { (Double($0 % 2) * 4, Double($0) * 0.5) }
        let content = RouteContent(try progress(corners, at: (2, 700)))
        #expect((30..<120).contains(content.pieces.count))
        #expect(content.pieces.allSatisfy { $0.path.count <= 6 })
    }
}
