import Foundation
import Linux
import Testing
import Varlink

@Suite struct ServerTests {
    @Test("calls sent at once are answered in their order")
    func pipelined() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        let calls = (0..<100).map {
            #"{"method":"org.example.test.Echo","parameters":{"text":"täst","number":\#($0)}}"# + "\0"
        }
        try client.send(calls.joined())
        for number in 0..<100 {
            let reply = try client.reply()
            #expect(reply.parameters?.number == number)
            #expect(reply.parameters?.text == "täst")
        }
    }

    @Test("a call whose answer takes time holds back those behind it, and no other client's")
    func deferred() throws {
        let server = try TestServer()
        let waiting = try RawClient(server)
        let other = try RawClient(server)
        try waiting.call("Hold")
        try waiting.call("Echo", #"{"text":"behind"}"#)
        try other.call("Echo", #"{"text":"other"}"#)
        #expect(try other.reply().parameters?.text == "other")
        // The held call may not have arrived yet when the first release comes.
        while true {
            try other.call("Release")
            _ = try other.reply()
            if try Waiting.wait(waiting.stream.descriptor, events: POLLIN, until: Reactor.now + 1_000_000) == .ready {
                break
            }
        }
        #expect(try waiting.reply().parameters?.held == true)
        #expect(try waiting.reply().parameters?.text == "behind")
    }

    @Test("connections are distinguished, and the end of each is reported once")
    func clients() throws {
        let server = try TestServer()
        let control = try RawClient(server)
        func client(_ caller: RawClient) throws -> Int? {
            try caller.call("WhoAmI")
            return try caller.reply().parameters?.client
        }
        let own = try client(control)
        #expect(try client(control) == own)
        do {
            let other = try RawClient(server)
            #expect(try client(other) != own)
        }
        var gone = 0
        while gone == 0 {
            try control.call("Statistics")
            gone = try control.reply().parameters?.gone ?? 0
        }
        #expect(gone == 1)
    }

    @Test("a oneway call gets no reply, not even an error")
    func oneway() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("Echo", #"{"text":"silent"}"#, flags: #","oneway":true"#)
        try client.call("Unknown", flags: #","oneway":true"#)
        try client.call("Watch", flags: #","oneway":true,"more":true"#)
        try client.call("Echo", #"{"text":"loud"}"#)
        #expect(try client.reply().parameters?.text == "loud")
    }

    @Test("oneway calls are carried out though their client has left")
    func onewayAndGone() throws {
        let server = try TestServer()
        let watcher = try RawClient(server)
        try watcher.call("Watch", flags: #","more":true"#)
        do {
            let other = try RawClient(server)
            // Both are answered in the order of arrival: the watch is on when this is.
            try other.call("Echo", #"{"text":"x"}"#)
            _ = try other.reply()
            try other.call("Publish", #"{"count":1}"#, flags: #","oneway":true"#)
        }
        #expect(try watcher.reply().parameters?.tick?.value == 1)
    }

    /// Waits until the server has noted these texts.
    private static func untilMarked(_ texts: [String], _ control: RawClient) throws {
        for _ in 0..<100_000 {
            try control.call("Marks")
            if try control.reply().parameters?.marks == texts { return }
        }
        Issue.record("\(texts) are not noted")
    }

    private static func mark(_ text: String, patient: Bool, _ client: RawClient) throws {
        try client.call("Mark", #"{"text":"\#(text)","patient":\#(patient)}"#, flags: #","oneway":true"#)
    }

    @Test("calls of a client in no hurry wait to be read together, and are carried out in their order once it has left")
    func readTogether() throws {
        var limits = ServerLimits()
        limits.patience = 3_600_000_000_000
        let server = try TestServer(limits: limits)
        let control = try RawClient(server)
        do {
            let client = try RawClient(server)
            for text in ["1", "2"] { try Self.mark(text, patient: true, client) }
            try Self.untilMarked(["1", "2"], control)
            for text in ["3", "4"] { try Self.mark(text, patient: false, client) }
            for _ in 0..<20 {
                try control.call("Marks")
                #expect(try control.reply().parameters?.marks == ["1", "2"])
            }
        }
        try Self.untilMarked(["1", "2", "3", "4"], control)
    }

    @Test("a client in no hurry is read again and again, also after others have left, until it wants a reply")
    func readAgain() throws {
        var limits = ServerLimits()
        limits.patience = 5_000_000
        let server = try TestServer(limits: limits)
        let (control, client) = (try RawClient(server), try RawClient(server))
        for number in 0..<20 {
            let other = try RawClient(server)
            for text in ["a\(number)", "b\(number)"] { try Self.mark(text, patient: true, client) }
            try other.call("Mark", #"{"text":"x","patient":true}"#)
            _ = try other.reply()
        }
        try client.call("Mark", #"{"text":"last"}"#)
        #expect(try client.reply().parameters?.text == "last")
        try control.call("Marks")
        let marks = try #require(try control.reply().parameters?.marks).filter { $0 != "x" }
        #expect(marks == (0..<20).flatMap { ["a\($0)", "b\($0)"] } + ["last"])
    }

    @Test("replies before the last one say that more will come")
    func stream() throws {
        let server = try TestServer()
        let watcher = try RawClient(server)
        let control = try RawClient(server)
        try watcher.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        try control.call("Publish", #"{"count":1}"#)
        _ = try control.reply()
        let tick = try watcher.reply()
        #expect(tick.continues == true)
        #expect(tick.parameters?.tick == Reply.Tick(value: 1))
        #expect(try watcher.reply().parameters?.tock == Reply.Tick(value: 1))
        try control.call("EndStreams", #"{"fail":false}"#)
        let last = try watcher.reply()
        #expect(last.continues == nil)
        #expect(last.error == nil)
        // The stream is over: the connection serves calls again.
        try watcher.call("Echo", #"{"text":"again"}"#)
        #expect(try watcher.reply().parameters?.text == "again")
    }

    @Test("a stream that fails ends with its error")
    func failingStream() throws {
        let server = try TestServer()
        let watcher = try RawClient(server)
        let control = try RawClient(server)
        try watcher.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        try control.call("EndStreams", #"{"fail":true}"#)
        let last = try watcher.reply()
        #expect(last.error == "org.example.test.Refused")
        #expect(last.parameters?.reason == "the end")
    }

    @Test("a stream ends when its client closes, and when it closes its sending half")
    func streamEnds() throws {
        let server = try TestServer()
        let control = try RawClient(server)
        var closing: RawClient? = try RawClient(server)
        try closing?.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        closing = nil
        try until(control) { $0.streams == 0 }

        let half = try RawClient(server)
        try half.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        half.stream.shutdownSending()
        try until(control) { $0.streams == 0 && $0.clients == 1 }
        #expect(try half.isClosed())
    }

    @Test("a client that closes its sending half still gets its replies")
    func halfClosed() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("Fill", #"{"size":1000000}"#)
        try client.call("Echo", #"{"text":"last"}"#)
        client.stream.shutdownSending()
        #expect(try client.reply().parameters?.text?.utf8.count == 1_000_000)
        #expect(try client.reply().parameters?.text == "last")
        #expect(try client.next() == nil)
    }

    @Test("a method with one reply may be called with more, one with many may not be called without")
    func more() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("Echo", #"{"text":"x"}"#, flags: #","more":true"#)
        let reply = try client.reply()
        #expect(reply.parameters?.text == "x")
        #expect(reply.continues == nil)
        try client.call("Watch")
        #expect(try client.reply().error == "org.varlink.service.ExpectedMore")
    }

    @Test("the server knows who calls")
    func peer() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("WhoAmI")
        let reply = try client.reply()
        #expect(reply.parameters?.process == Int(getpid()))
        #expect(reply.parameters?.user == Int(geteuid()))
    }

    @Test("a file descriptor arrives with its call, and is closed after it")
    func descriptors() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        try client.call("Echo", #"{"text":"before"}"#)
        let call = #"{"method":"org.example.test.WriteInto","parameters":{"text":"written"}}"# + "\0"
        try client.send(Array(call.utf8), descriptors: [pipes[1]])
        close(pipes[1])
        try client.call("WriteInto", #"{"text":"without"}"#)
        #expect(try client.reply().parameters?.text == "before")
        #expect(try client.reply().parameters?.descriptors == 1)
        #expect(try client.reply().parameters?.descriptors == 0)
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(read(pipes[0], &buffer, 100) == 7)
        // The server's copy was the last: this would wait for ever were it still open.
        #expect(read(pipes[0], &buffer, 100) == 0)
        close(pipes[0])
    }

    @Test("a shutdown ends streams and connections")
    func shutdown() throws {
        var server: TestServer? = try TestServer()
        let watcher = try RawClient(server!)
        let idle = try RawClient(server!)
        let control = try RawClient(server!)
        try watcher.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        server = nil
        #expect(try watcher.next() == nil)
        #expect(try idle.next() == nil)
    }
}

/// Asks for the statistics until they are as wanted.
func until(_ control: RawClient, _ isWanted: (Reply.Parameters) -> Bool) throws {
    let deadline = Reactor.now + 20_000_000_000
    while true {
        try control.call("Statistics")
        let statistics = try #require(try control.reply().parameters)
        if isWanted(statistics) { return }
        guard Reactor.now < deadline else { throw RawClient.Timeout() }
        usleep(1000)
    }
}

/// Waits until a stream is open.
func untilWatched(_ control: RawClient, streams: Int = 1) throws {
    try until(control) { $0.streams == streams }
}
