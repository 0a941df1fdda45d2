import Foundation
import Linux
import Testing
import Varlink

/// A pipe into which the server writes when calls that have its end begin.
private final class Beginnings {
    private var ends: [Int32] = [-1, -1]

    init() { #expect(pipe(&ends) == 0) }

    var descriptors: [Int32] { [ends[1]] }

    func wait(for count: Int) throws {
        var byte: UInt8 = 0
        for _ in 0..<count {
            let outcome = try Waiting.wait(ends[0], events: POLLIN, until: Reactor.now + 20_000_000_000)
            try #require(outcome == .ready)
            #expect(read(ends[0], &byte, 1) == 1)
        }
    }

    deinit { for end in ends { close(end) } }
}

/// Keeps the server from doing anything, from now on until it ends: what is sent meanwhile arrives all at once.
private final class Obstacle {
    private let client: RawClient
    private var ends: [Int32] = [-1, -1]

    init(_ server: TestServer) throws {
        client = try RawClient(server)
        #expect(pipe(&ends) == 0)
        let beginnings = Beginnings()
        try client.send(
            Array((#"{"method":"org.example.test.Block"}"# + "\0").utf8),
            descriptors: [ends[0]] + beginnings.descriptors)
        try beginnings.wait(for: 1)
    }

    func end() throws {
        var byte: UInt8 = 1
        #expect(write(ends[1], &byte, 1) == 1)
        _ = try client.reply()
    }

    deinit { for end in ends { close(end) } }
}

private func mark(_ text: String, milliseconds: Int = 0, oneway: Bool = false) -> String {
    #"{"method":"org.example.test.Mark","parameters":{"text":"\#(text)","milliseconds":\#(milliseconds)}"#
        + (oneway ? #","oneway":true}"# : "}") + "\0"
}

private func marks(_ client: RawClient) throws -> [String] {
    try client.call("Marks")
    return try #require(try client.reply().parameters?.marks)
}

private func nap(_ text: String, milliseconds: Int = 50) -> String {
    #"{"method":"org.example.test.Nap","parameters":{"text":"\#(text)","milliseconds":\#(milliseconds)}}"# + "\0"
}

/// Number of descriptors of this process, in which the server runs too.
private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Whether the number of descriptors falls to this one in time.
private func descriptorsFall(to number: Int) throws -> Bool {
    let end = Reactor.now + 20_000_000_000
    while Reactor.now < end {
        if try openDescriptors() <= number { return true }
        usleep(10_000)
    }
    return false
}

/// Whose calls are handled when, and which are not. The server is held up while clients send, so that it finds all of
/// it at once.
@Suite struct TurnTests {
    @Test("beside a client that sends many calls at once, another is served after a few of them")
    func neighbour() throws {
        let server = try TestServer()
        let (flooder, other, control) = (try RawClient(server), try RawClient(server), try RawClient(server))
        let obstacle = try Obstacle(server)
        try flooder.send((0..<300).map { mark("flood \($0)") }.joined())
        try other.send(mark("other"))
        try obstacle.end()
        #expect(try other.reply().parameters?.text == "other")
        for number in 0..<300 { #expect(try flooder.reply().parameters?.text == "flood \(number)") }
        let place = try #require(try marks(control).firstIndex(of: "other"))
        // Its turn has come after one of the flooder, or two.
        #expect(place <= 64)
    }

    @Test("calls that take long are handled one at a time among the clients")
    func longCalls() throws {
        let server = try TestServer()
        let clients = try (0..<3).map { _ in try RawClient(server) }
        let control = try RawClient(server)
        let obstacle = try Obstacle(server)
        for (number, client) in clients.enumerated() {
            try client.send((0..<5).map { _ in mark("\(number)", milliseconds: 3) }.joined())
        }
        try obstacle.end()
        for client in clients { for _ in 0..<5 { _ = try client.reply() } }
        let order = try marks(control)
        for round in 0..<5 { #expect(Set(order[(3 * round)..<(3 * round + 3)]) == ["0", "1", "2"]) }
    }

    @Test("of the calls of a client that has gone only those without a reply are carried out, in their order")
    func departed() throws {
        let server = try TestServer()
        let control = try RawClient(server)
        let obstacle = try Obstacle(server)
        do {
            let leaver = try RawClient(server)
            try leaver.send(
                mark("a") + mark("b", oneway: true) + mark("oneway") + mark("d", oneway: true) + mark("e"))
        }
        try obstacle.end()
        try until(control) { $0.gone == 1 && $0.clients == 2 }
        #expect(try marks(control) == ["b", "d"])
        withExtendedLifetime(obstacle) {}
    }

    @Test("a client that only ends its own half has all its replies")
    func halfClosed() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        let obstacle = try Obstacle(server)
        try client.send((0..<100).map { mark("\($0)") }.joined())
        client.stream.shutdownSending()
        try obstacle.end()
        for number in 0..<100 { #expect(try client.reply().parameters?.text == "\(number)") }
        #expect(try client.isClosed())
    }

    @Test("a message that is no call ends a client that has gone, like one that has not")
    func departedNonsense() throws {
        let server = try TestServer()
        let control = try RawClient(server)
        let obstacle = try Obstacle(server)
        do {
            let leaver = try RawClient(server)
            try leaver.send(mark("a", oneway: true) + #"{"oneway"}"# + "\0" + mark("b", oneway: true))
        }
        try obstacle.end()
        try until(control) { $0.gone == 1 && $0.clients == 2 }
        #expect(try marks(control) == ["a"])
        withExtendedLifetime(obstacle) {}
    }

    @Test("messages that are skipped count as missed by the next one, also those that still waited")
    func skipped() throws {
        let server = try TestServer()
        let watcher = try RawClient(server)
        let control = try RawClient(server)
        try watcher.call("Watch", flags: #","more":true"#)
        try untilWatched(control, streams: 1)
        try control.call("Skip", #"{"count":3}"#)
        _ = try control.reply()
        try control.call("Publish", #"{"count":1}"#)
        _ = try control.reply()
        #expect(try watcher.reply().parameters?.tick == Reply.Tick(value: 4, missed: 3))
        try until(control) { $0.missed == 3 }
    }
}

@Suite struct ShareTests {
    /// Limits for users without privileges, such as the tests' own is here.
    private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        limits.privilegedUsers = []
        change(&limits)
        return limits
    }

    private func expectRefusal(_ client: RawClient, _ limit: String, _ maximum: Int) throws {
        let reply = try client.reply()
        #expect(reply.error == "org.example.test.LimitExceeded")
        #expect(reply.parameters?.limit == limit)
        #expect(reply.parameters?.maximum == maximum)
    }

    @Test("a user has its share of connections, and a new one when another has closed")
    func clients() throws {
        let server = try TestServer(limits: limits { $0.clientsOfUser = 3 })
        let control = try RawClient(server)
        var others = [try RawClient(server), try RawClient(server)]
        let refused = try RawClient(server)
        try expectRefusal(refused, "clientsOfUser", 3)
        #expect(try refused.isClosed())
        others.removeLast()
        try until(control) { $0.clients == 2 }
        let again = try RawClient(server)
        try again.call("Echo", #"{"text":"again"}"#)
        #expect(try again.reply().parameters?.text == "again")
    }

    @Test("a user has its share of streams")
    func streams() throws {
        let server = try TestServer(limits: limits { $0.streamsOfUser = 1 })
        let clients = [try RawClient(server), try RawClient(server)]
        let control = try RawClient(server)
        try clients[0].call("Watch", flags: #","more":true"#)
        try untilWatched(control, streams: 1)
        try clients[1].call("Watch", flags: #","more":true"#)
        try expectRefusal(clients[1], "streamsOfUser", 1)
        clients[0].stream.shutdownSending()
        try until(control) { $0.streams == 0 }
        try clients[1].call("Watch", flags: #","more":true"#)
        try untilWatched(control, streams: 1)
        withExtendedLifetime(clients) {}
    }

    @Test("the reserve is for privileged users alone, and a quarter of few connections")
    func reserve() throws {
        let limits = limits {
            $0.clients = 8
            $0.streams = 8
        }
        let server = try TestServer(limits: limits)
        let clients = try (0..<6).map { _ in try RawClient(server) }
        try untilWatched(clients[0], streams: 0)
        try expectRefusal(try RawClient(server), "clients", 6)
        withExtendedLifetime(clients) {}

        var privileged = limits
        privileged.privilegedUsers = [geteuid()]
        let open = try TestServer(limits: privileged)
        let all = try (0..<8).map { _ in try RawClient(open) }
        try until(all[0]) { $0.clients == 8 }
        try expectRefusal(try RawClient(open), "clients", 8)
        withExtendedLifetime(all) {}
    }

    @Test("beyond its share of unanswered calls a user's further calls wait until one of them ends")
    func calls() throws {
        let server = try TestServer(limits: limits { $0.callsOfUser = 2 })
        let (first, second, other) = (try RawClient(server), try RawClient(server), try RawClient(server))
        let obstacle = try Obstacle(server)
        for client in [first, second] { try client.send(nap("nap")) }
        try other.send(mark("other"))
        try obstacle.end()
        _ = try other.reply()
        #expect(try marks(other).first == "nap")
        for client in [first, second] { _ = try client.reply() }
    }

    @Test("a call counts in its user's share until it ends, also when its client has gone")
    func callsOfDeparted() throws {
        let server = try TestServer(limits: limits { $0.callsOfUser = 2 })
        let (other, beginnings) = (try RawClient(server), Beginnings())
        do {
            let leavers = [try RawClient(server), try RawClient(server)]
            for client in leavers { try client.send(Array(nap("nap").utf8), descriptors: beginnings.descriptors) }
            // Let go of after its last use, a client would be gone before its call begins.
            try withExtendedLifetime(leavers) { try beginnings.wait(for: 2) }
        }
        try other.send(mark("other"))
        _ = try other.reply()
        #expect(try marks(other).first == "nap")
    }

    @Test("a connection that is closed while it waits for its user's share gives its socket and its place back")
    func closedWhileHeldUp() throws {
        let server = try TestServer(limits: limits { ($0.callsOfUser, $0.clientsOfUser) = (1, 6) })
        let (holder, beginnings) = (try RawClient(server), Beginnings())
        try holder.send(
            Array((#"{"method":"org.example.test.Hold"}"# + "\0").utf8), descriptors: beginnings.descriptors)
        try beginnings.wait(for: 1)
        let before = try openDescriptors()
        // Descriptors also fall while the server has not accepted all clients yet: what it then kept shows in a later
        // round.
        for _ in 0..<3 {
            for _ in 0..<40 { try RawClient(server).send(mark("gone")) }
            #expect(try descriptorsFall(to: before))
        }
        withExtendedLifetime(holder) {}
    }

    @Test("calls behind a stream whose client has ended its half are answered, and then the connection ends")
    func streamAfterTheEnd() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.send(nap("nap"))
        try client.call("Watch", flags: #","more":true"#)
        try client.send(mark("behind"))
        client.stream.shutdownSending()
        _ = try client.reply()
        #expect(try client.reply().parameters?.text == "behind")
        #expect(try client.isClosed())
    }
}
