import Configuration
import DaemonFixtures
import Linux
import Commands
import Testing
import WaymarkClient

@Suite("Following a route to its end", .timeLimit(.minutes(2)))
struct NavigationWatchTests {
    private let daemon = StandInDaemon(["Pose.GetPose": .reply(#"{"pose":\#(SampleMessage.pose())}"#)])

    /// The watch, and its clock, which tests set. Unit: seconds.
    private final class Walk {
        let watch: NavigationWatch
        let id: String
        private let clock: Clock

        final class Clock { var time = 1000.0 }

        init(_ daemon: StandInDaemon) throws {
            let destination = try NavigationDestination("47.6,8.3", by: Waymark.Client(path: daemon.path))
            let navigator = Navigator(
                to: destination,
                by: RouteFinder(service: nil, profile: "foot", timeoutSeconds: 5))
            var settings = Configuration().navigation
            (settings.offRoutePatienceSeconds, settings.minimumIntervalSeconds) = (5, 30)
            let clock = Clock()
            self.clock = clock
            id = navigator.id
            watch = NavigationWatch(
                navigator, settings,
                output: NavigationOutput(asJSON: true, destination: destination, service: nil),
                signals: try SignalDescriptor([]), socket: daemon.path, now: { clock.time })
        }

        func look(at time: Double) throws -> ExitCode? {
            clock.time = 1000 + time
            return try watch.look()
        }
    }

    private func follow(_ state: String, _ walk: Walk) {
        daemon["Scene.GetRoute"] = .reply(SampleMessage.route(id: walk.id, state: state))
        daemon["Scene.SetRoute"] = .reply(SampleMessage.route(id: walk.id, state: "following"))
    }

    private var requests: [String] { daemon.calls(of: "Scene.SetRoute") }

    @Test("At the destination it ends well")
    func arrival() throws {
        let walk = try Walk(daemon)
        follow("following", walk)
        #expect(try walk.look(at: 1) == nil)
        follow("arrived", walk)
        #expect(try walk.look(at: 2) == .done)
        #expect(requests.isEmpty)
    }

    @Test("A route that another client has set is kept, and one that was cleared is not set again")
    func others() throws {
        let walk = try Walk(daemon)
        daemon["Scene.GetRoute"] = .reply(SampleMessage.route(id: "another", state: "following"))
        let replaced = #expect(throws: CommandError.self) { try walk.look(at: 1) }
        #expect(replaced?.code == .failed && replaced?.description.contains("'Home'") == true)
        daemon["Scene.GetRoute"] = .refusal("NoRoute")
        let cleared = #expect(throws: CommandError.self) { try walk.look(at: 2) }
        #expect(cleared?.description == "the route has been cleared")
        #expect(requests.isEmpty)
    }

    @Test("Off the route for long enough, another one takes its place, and is given time to be followed")
    func offRoute() throws {
        let walk = try Walk(daemon)
        follow("offRoute", walk)
        for time in [28.0, 32.9] { #expect(try walk.look(at: time) == nil && requests.isEmpty, "\(time) s") }
        #expect(try walk.look(at: 33.1) == nil)
        #expect(requests.count == 1 && requests[0].contains(walk.id) && requests[0].contains("replaces"))
        // Twice the interval after a route that is not followed either.
        for time in [40.0, 92.9] { #expect(try walk.look(at: time) == nil && requests.count == 1, "\(time) s") }
        #expect(try walk.look(at: 98.2) == nil && requests.count == 2)
    }

    @Test("Without a position the route is kept, and the request repeated")
    func noPosition() throws {
        let walk = try Walk(daemon)
        follow("offRoute", walk)
        daemon["Pose.GetPose"] = .refusal("NotReady", #"{"reason":"no sample yet"}"#)
        for time in [30.0, 36, 37] { #expect(try walk.look(at: time) == nil && requests.isEmpty, "\(time) s") }
        #expect(daemon.calls(of: "Pose.GetPose").count == 1)
        daemon["Pose.GetPose"] = .reply(#"{"pose":\#(SampleMessage.pose())}"#)
        #expect(try walk.look(at: 100) == nil && requests.count == 1)
    }

    @Test("A daemon that was started again has time to read its route, and is given another one where it has none")
    func restart() throws {
        let walk = try Walk(daemon)
        follow("following", walk)
        #expect(try walk.look(at: 1) == nil)
        daemon.end()
        for time in [100.0, 101] { #expect(try walk.look(at: time) == nil) }
        daemon.start()
        daemon["Scene.GetRoute"] = .refusal("NoRoute")
        for time in [102.0, 105.9] { #expect(try walk.look(at: time) == nil && requests.isEmpty, "\(time) s") }
        for time in [106.1, 111.2] { #expect(try walk.look(at: time) == nil) }
        #expect(requests.count == 1 && !requests[0].contains("replaces"))
        follow("following", walk)
        #expect(try walk.look(at: 112) == nil && requests.count == 1)
    }
}
