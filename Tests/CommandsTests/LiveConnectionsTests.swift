import DaemonFixtures
import Commands
import Glibc
import Testing
import WaymarkClient

@Suite("Connections of the live view", .timeLimit(.minutes(2)))
struct LiveConnectionsTests {
    private let daemon = StandInDaemon([
        "Pose.Subscribe": .stream(#"{"pose":\#(SampleMessage.pose())}"#),
        "Scene.GetAhead": .stream(
            #"{"items":[{"id":"a","kind":"turn","name":"Left","distance":12,"alongRoute":13,"bearing":270,"turn":-90}]}"#
        ),
        "Status.GetStatus": .stream(SampleMessage.status()),
        "Aid.List": .stream(
            #"{"sources":[{"source":"camera","user":0,"kinds":["odometry"],"state":"waiting","rate":30,"#
                + #""accepted":9,"refused":[],"trust":[]}]}"#),
    ])
    /// On the boot clock. Unit: ns.
    private let begin: Int64 = 1_000_000_000_000

    private func connections() throws -> LiveConnections {
        try LiveConnections(LiveRequest(rate: 10), socket: daemon.path)
    }

    /// Updates the view until it is as wanted, which a limit of time ends.
    private func update(
        _ view: inout LiveView, _ connections: LiveConnections, now: Int64, until isDone: (LiveView) -> Bool
    ) throws {
        while !isDone(view), !Task.isCancelled {
            _ = try connections.update(&view, limit: 100, now: now)
            usleep(1000)
        }
        // What the daemon has sent before has arrived too, but one update looks at each connection once.
        _ = try connections.update(&view, limit: 100, now: now)
    }

    private func isComplete(_ view: LiveView) -> Bool {
        view.pose != nil && !view.ahead.isEmpty && view.status != nil && view.aids.map(\.source) == ["camera"]
    }

    @Test("What a daemon of another version does not have is left out, and all else is shown")
    func other() throws {
        var view = LiveView()
        let connections = try connections()
        try update(&view, connections, now: begin, until: isComplete)
        #expect(view.link == .connected && view.pose?.sequence == 7 && view.ahead.map(\.id) == ["a"])
        #expect(daemon.calls(of: "Scene.Subscribe").count == 1)
        // It is asked for again, but not at once.
        _ = try connections.update(&view, limit: 100, now: begin + 4_900_000_000)
        #expect(daemon.calls(of: "Scene.Subscribe").count == 1)
        while daemon.calls(of: "Scene.Subscribe").count < 2, !Task.isCancelled {
            _ = try connections.update(&view, limit: 100, now: begin + 5_100_000_000)
            usleep(1000)
        }
    }

    @Test("A daemon without poses yet is asked again, and nothing is wrong with it")
    func notReady() throws {
        daemon["Pose.Subscribe"] = .refusal("NotReady", #"{"reason":"no sample yet"}"#)
        var view = LiveView()
        let connections = try connections()
        try update(&view, connections, now: begin) { $0.status != nil && !$0.ahead.isEmpty }
        while daemon.calls(of: "Pose.Subscribe").isEmpty, !Task.isCancelled {
            _ = try connections.update(&view, limit: 100, now: begin)
        }
        #expect(view.link == .connected && view.pose == nil)
        daemon["Pose.Subscribe"] = .stream(#"{"pose":\#(SampleMessage.pose())}"#)
        try update(&view, connections, now: begin + 300_000_000, until: isComplete)
    }

    @Test("A daemon that goes is away since then, and of the one that comes nothing older is shown")
    func loss() throws {
        var view = LiveView()
        let connections = try connections()
        try update(&view, connections, now: begin, until: isComplete)
        daemon.end()
        try update(&view, connections, now: begin) { $0.link != .connected }
        _ = try connections.update(&view, limit: 100, now: begin + 3_000_000_000)
        guard case .away(_, let seconds, let problem) = view.link else {
            Issue.record("it is not away: \(view.link)")
            return
        }
        #expect(seconds == 3 && !problem.isEmpty)
        // The last picture stays, and says that it is old.
        #expect(view.pose?.sequence == 7 && !view.ahead.isEmpty)

        daemon["Pose.Subscribe"] = .stream(#"{"pose":\#(SampleMessage.pose(sequence: 8))}"#)
        daemon["Scene.GetAhead"] = nil
        daemon["Aid.List"] = nil
        daemon.start()
        try update(&view, connections, now: begin + 5_000_000_000) { $0.pose?.sequence == 8 }
        #expect(view.link == .connected && view.ahead.isEmpty && view.aids.isEmpty)
    }

    @Test("Without a daemon at the beginning it is an error")
    func none() {
        daemon.end()
        #expect(throws: WaymarkError.self) { try connections() }
    }
}
