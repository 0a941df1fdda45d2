import Geometry
import Messages
import Model
import Scene
import Testing

@Suite("Announcements")
struct AnnouncerTests {
    let settings = SceneSettings().announcements
    let streets: Streets
    /// Standard deviations of the yaw with which left and right are announced, and with which they are not.
    static let goodYaw = Angle.radians(degrees: 5)
    static let poorYaw = Angle.radians(degrees: 25)

    init() throws { streets = try Streets() }

    func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: Int64(seconds * 1e9)) }

    /// A walk along points, a position each second.
    struct Walker {
        var progress: RouteProgress
        var announcer = Announcer()
        var yawStandardDeviation: Double? = AnnouncerTests.goodYaw
        var second = 0.0
        var said: [(second: Double, announcement: Announcement)] = []
        let streets: Streets
        let settings: SceneSettings.Announcements

        /// One position, and the announcements of ten compositions until the next.
        mutating func stand(_ east: Double, _ north: Double) throws {
            progress.update(position: try streets.position(east, north), horizontalAccuracy: 5)
            for tenth in 0..<10 {
                let now = second + Double(tenth) / 10
                let announcement = announcer.update(
                    progress: progress, yawStandardDeviation: yawStandardDeviation,
                    at: BootTime(nanoseconds: Int64(now * 1e9)), settings: settings)
                if let announcement { said.append((now, announcement)) }
            }
            second += 1
        }

        mutating func walk(_ from: (Double, Double), _ to: (Double, Double), speed: Double = 1.3) throws {
            let (east, north) = (to.0 - from.0, to.1 - from.1)
            let steps = Int((east * east + north * north).squareRoot() / speed)
            for step in 0...steps {
                let share = Double(step) / Double(max(1, steps))
                try stand(from.0 + share * east, from.1 + share * north)
            }
        }

        var texts: [String] { said.map { $0.announcement.text(in: .english) } }
    }

    func walker(_ points: [(Double, Double)]) throws -> Walker {
        Walker(progress: try streets.progress(points), streets: streets, settings: settings)
    }

    @Test("behaviour 43: the destination at the start, each turn by its distances, the arrival; each once")
    func walk() throws {
        var walker = try walker([(0, 0), (0, 250), (-200, 250)])
        try walker.walk((0, 0), (0, 250))
        try walker.walk((0, 250), (-200, 250))
        #expect(
            walker.texts == [
                "Route to Home, 450 metres", "Turn left in 100 metres", "Turn left in 40 metres", "Turn left now",
                "Home in 100 metres", "Home in 40 metres", "You have arrived at Home",
            ])
        let kinds = walker.said.map(\.announcement.kind)
        #expect(kinds == [.start, .turn, .turn, .turn, .destination, .destination, .arrived])
        let turn = walker.said[1].announcement
        #expect(turn.side == .left && turn.turn == .normal && turn.grade == 0 && !turn.isNow && turn.routeID == "r")
        #expect(turn.distance.map { $0 > 97 && $0 <= 100 } == true)
        #expect(walker.said[3].announcement.grade == 2 && walker.said[3].announcement.isNow)
    }

    @Test("behaviour 43: with noise back and forth each is still announced once", arguments: [UInt64(1), 2, 3])
    func noise(seed: UInt64) throws {
        var draws = Draws(state: seed)
        var walker = try walker([(0, 0), (0, 250), (200, 250)])
        for (from, to) in [((0.0, 0.0), (0.0, 250.0)), ((0, 250), (200, 250))] {
            for step in 0..<400 {
                let share = Double(step) / 399
                try walker.stand(
                    from.0 + share * (to.0 - from.0) + 5 * draws.normal(),
                    from.1 + share * (to.1 - from.1) + 5 * draws.normal())
            }
        }
        #expect(
            walker.said.map(\.announcement.kind) == [
                .start, .turn, .turn, .turn, .destination, .destination, .arrived,
            ])
    }

    @Test(
        "behaviour 43: left and right are announced only while the yaw is good",
        arguments: [goodYaw, poorYaw, nil] as [Double?])
    func sides(yawStandardDeviation: Double?) throws {
        var walker = try walker([(0, 0), (0, 250), (200, 250)])
        walker.yawStandardDeviation = yawStandardDeviation
        try walker.walk((0, 0), (0, 245))
        let isGood = yawStandardDeviation == Self.goodYaw
        #expect(
            walker.texts.dropFirst()
                == (isGood
                ? ["Turn right in 100 metres", "Turn right in 40 metres", "Turn right now"]
                : ["Turn ahead in 100 metres", "Turn ahead in 40 metres", "Turn here"])[...])
        #expect(walker.said.dropFirst().allSatisfy { $0.announcement.side == (isGood ? .right : nil) })
    }

    @Test("behaviour 43: a walk that begins near a turn has it announced as it is, not at distances that are past")
    func beginsNear() throws {
        var walker = try walker([(0, 0), (0, 73), (200, 73)])
        try walker.walk((0, 0), (0, 70))
        #expect(
            walker.texts == [
                "Route to Home, 250 metres. Turn right in 70 metres", "Turn right in 40 metres", "Turn right now",
            ])
    }

    @Test(
        "behaviour 43: a route that begins or is resumed near a turn names it with the start, once",
        arguments: [70.0, 30, 8])
    func beginsAtTurn(distance: Double) throws {
        let isNow = distance < 12
        let first = isNow ? "Turn right now" : "Turn right in \(Int(distance)) metres"
        var begun = try walker([(0, 0), (0, distance), (200, distance)])
        try begun.walk((0, 0), (0, distance - 2))
        #expect(begun.texts.first?.hasSuffix(" metres. \(first)") == true, "\(begun.texts)")
        #expect(begun.said.first?.announcement.kind == .start && begun.said.first?.announcement.side == .right)
        #expect(begun.texts.last == (isNow ? begun.texts.first : "Turn right now"))
        #expect(Set(begun.texts).count == begun.texts.count)
        var resumed = try walker([(0, 0), (0, 300), (200, 300)])
        try resumed.walk((0, 300 - distance), (0, 299))
        #expect(resumed.said.first?.announcement.kind == .resumed)
        #expect(resumed.texts.first?.hasSuffix(" left. \(first)") == true, "\(resumed.texts)")
        #expect(Set(resumed.texts).count == resumed.texts.count)
    }

    @Test("behaviour 56: a wearer who is not on the route yet hears where it leads, nothing of leaving or coming back")
    func notYetOnRoute() throws {
        var walker = try walker([(0, 0), (0, 400), (200, 400)])
        // The destination is the nearest point, 300 m away.
        try walker.walk((500, 400), (480, 400))
        #expect(walker.texts == ["Route to Home, 300 metres"])
        #expect(walker.said[0].announcement.kind == .start)
        try walker.walk((480, 400), (0, 100))
        try walker.walk((0, 100), (0, 200))
        #expect(walker.texts == ["Route to Home, 300 metres"])
        try walker.walk((0, 200), (100, 200))
        #expect(walker.texts.dropFirst() == ["You have left the route"])
    }

    @Test("behaviour 43: two keep an interval, but for one that says more of the same")
    func interval() throws {
        var walker = try walker([(0, 0), (0, 73), (200, 73)])
        // At 10 m/s the distances follow each other faster than the interval.
        try walker.walk((0, 0), (0, 73), speed: 10)
        #expect(
            walker.texts == [
                "Route to Home, 250 metres. Turn right in 70 metres", "Turn right in 30 metres", "Turn right now",
            ])
        let seconds = walker.said.map(\.second)
        try #require(seconds.count == 3)
        #expect(seconds[0] == 0 && seconds[1] <= settings.minimumIntervalSeconds)
        #expect(seconds[2] < seconds[1] + settings.minimumIntervalSeconds)
    }

    @Test("behaviour 43: who goes back well beyond the first distance comes near the turn anew")
    func approachedAnew() throws {
        var walker = try walker([(0, 0), (0, 400), (200, 400)])
        try walker.walk((0, 250), (0, 350))
        let once = walker.said.count
        try walker.walk((0, 350), (0, 270))
        try walker.walk((0, 270), (0, 350))
        #expect(walker.said.count == once, "not far enough back")
        try walker.walk((0, 350), (0, 230))
        try walker.walk((0, 230), (0, 370))
        #expect(walker.texts.dropFirst(once) == ["Turn right in 100 metres", "Turn right in 40 metres"])
    }

    @Test("behaviour 43: after a route is replaced, even by itself, everything starts anew")
    func replaced() throws {
        var walker = try walker([(0, 0), (0, 250), (200, 250)])
        try walker.walk((0, 0), (0, 160))
        #expect(walker.said.count == 2)
        walker.progress = try streets.progress([(0, 160), (0, 250), (200, 250)])
        try walker.walk((0, 160), (0, 180))
        #expect(walker.texts.dropFirst(2) == ["Route to Home, 300 metres. Turn right in 90 metres"])
        #expect(
            walker.announcer.update(progress: nil, yawStandardDeviation: nil, at: time(1000), settings: settings) == nil
        )
    }

    @Test("behaviour 43: taken up in the middle, the route is not announced as if it began")
    func resumed() throws {
        var walker = try walker([(0, 0), (0, 600), (200, 600)])
        try walker.stand(0, 300)
        #expect(walker.texts == ["Route to Home, 500 metres left"])
        #expect(walker.said[0].announcement.kind == .resumed)
    }

    @Test("behaviour 43: off the route and back on it, each once, and no turns in between")
    func offRoute() throws {
        var walker = try walker([(0, 0), (0, 400), (200, 400)])
        try walker.walk((0, 0), (0, 280))
        #expect(walker.said.count == 1)
        try walker.walk((0, 280), (90, 280))
        try walker.walk((90, 280), (90, 320))
        try walker.walk((90, 320), (0, 320))
        #expect(
            walker.texts.dropFirst() == [
                "You have left the route", "Back on the route", "Turn right in 80 metres",
            ])
    }

    @Test(
        "behaviour 43: what the route's service says of a turn is said with its side only, and of a bend it says nothing",
        arguments: [goodYaw, poorYaw])
    func service(yawStandardDeviation: Double) throws {
        var route = try streets.route([(0, 0), (0, 60), (60, 120), (60, 260), (260, 260)])
        route.maneuvers = [
            RouteManeuver(
                position: try streets.position(60, 260), kind: .turn, angle: .pi / 2,
                text: "Turn right onto Long Lane")
        ]
        var walker = Walker(
            progress: try #require(RouteProgress(route: route)), yawStandardDeviation: yawStandardDeviation,
            streets: streets,
            settings: settings)
        #expect(walker.progress.turns.first?.kind == .bend)
        try walker.walk((0, 0), (0, 60))
        try walker.walk((0, 60), (60, 120))
        try walker.walk((60, 120), (60, 258))
        #expect(
            walker.texts.dropFirst()
                == (yawStandardDeviation == Self.goodYaw
                ? [
                    "In 100 metres: Turn right onto Long Lane", "In 40 metres: Turn right onto Long Lane",
                    "Turn right onto Long Lane",
                ] : ["Turn ahead in 100 metres", "Turn ahead in 40 metres", "Turn here"])[...])
        #expect(
            walker.said.dropFirst().allSatisfy { ($0.announcement.instruction == nil) == (yawStandardDeviation > 0.3) })
    }

    @Test("nothing is said before the first position, nor after the arrival")
    func silence() throws {
        var walker = try walker([(0, 0), (0, 60)])
        #expect(
            walker.announcer.update(
                progress: walker.progress, yawStandardDeviation: nil, at: time(0), settings: settings) == nil)
        try walker.walk((0, 0), (0, 60))
        #expect(walker.said.last?.announcement.kind == .arrived)
        let count = walker.said.count
        try walker.walk((0, 60), (0, 0))
        try walker.walk((0, 0), (0, 60))
        #expect(walker.said.count == count)
    }

    /// A walker to an end with an arrival at a place, by what the routing service reports.
    func walker(arrival: (east: Double, north: Double), angle: Double? = nil) throws -> Walker {
        var route = try streets.route([(0, 0), (0, 120)])
        route.maneuvers = [
            RouteManeuver(position: try streets.position(arrival.east, arrival.north), kind: .arrive, angle: angle)
        ]
        return Walker(
            progress: try #require(RouteProgress(route: route)), streets: streets, settings: settings)
    }

    /// Where a destination is, by its place and by the angle that the routing service reports.
    struct Arrival: Sendable, CustomTestStringConvertible {
        var east: Double
        var north: Double
        var angle: Double?
        var side: RouteTurn.Side?

        var testDescription: String { "\(east) m east, \(north) m north, \(angle ?? .nan)" }

        static let all = [
            Arrival(east: 12, north: 118, side: .right), Arrival(east: -8, north: 125, side: .left),
            Arrival(east: 0, north: 120, angle: -.pi / 2, side: .left),
            Arrival(east: 0, north: 120, angle: .pi / 2, side: .right), Arrival(east: 2, north: 120),
            Arrival(east: 1, north: 135), Arrival(east: 0, north: 100), Arrival(east: 90, north: 120),
            Arrival(east: -12, north: 120, angle: 0), Arrival(east: 0, north: 120, angle: .pi),
        ]
    }

    @Test(
        "behaviour 43: the side of the destination is announced where it lies beside the end of the route",
        arguments: Arrival.all)
    func destinationSide(arrival: Arrival) throws {
        var walker = try walker(arrival: (arrival.east, arrival.north), angle: arrival.angle)
        try walker.walk((0, 0), (0, 120))
        let destination = walker.said.map(\.announcement).filter { $0.kind == .destination || $0.kind == .arrived }
        #expect(destination.map(\.kind) == [.destination, .destination, .arrived])
        #expect(destination.allSatisfy { $0.side == arrival.side })
    }

    @Test("behaviour 43: without an accurate yaw the destination has no side")
    func destinationSideUnknown() throws {
        for yaw in [Self.poorYaw, nil] {
            var walker = try walker(arrival: (12, 120))
            walker.yawStandardDeviation = yaw
            try walker.walk((0, 0), (0, 120))
            #expect(walker.said.last?.announcement.kind == .arrived)
            #expect(walker.said.allSatisfy { $0.announcement.side == nil })
        }
    }
}
