import Foundation
import Linux
import Testing
import Varlink

@Suite struct FlowControlTests {
    /// Ticks and tocks as a slow reader got them.
    private struct Log {
        var last = 0
        var accounted = 0
        var received = 0

        /// Values rise, and those received and those missed are together all there were.
        mutating func take(_ tick: Reply.Tick) {
            #expect(tick.value > last)
            #expect(tick.missed != 0)
            last = tick.value
            accounted += 1 + (tick.missed ?? 0)
            received += 1
            #expect(accounted == tick.value)
        }
    }

    @Test("a slow reader gets the newest message of each topic and the number of those it missed")
    func slowReader() throws {
        let server = try TestServer()
        let slow = try RawClient(server)
        let fast = try RawClient(server)
        let control = try RawClient(server)
        for watcher in [slow, fast] { try watcher.call("Watch", flags: #","more":true"#) }
        try untilWatched(control, streams: 2)
        let count = 2000
        var fastLog = Log()
        for _ in 0..<count {
            try control.call("Publish", #"{"count":1,"padding":500}"#)
            _ = try control.reply()
            fastLog.take(try #require(try fast.reply().parameters?.tick))
            _ = try fast.reply()
        }
        #expect(fastLog.received == count)

        var (ticks, tocks) = (Log(), Log())
        while ticks.last < count || tocks.last < count {
            let reply = try slow.reply()
            #expect(reply.continues == true)
            if let tick = reply.parameters?.tick { ticks.take(tick) }
            if let tock = reply.parameters?.tock { tocks.take(tock) }
        }
        // What the kernel kept was read, then at once the newest.
        #expect(ticks.received < count / 4)
        #expect(tocks.received < count / 4)
        try until(control) { $0.missed == 2 * count - ticks.received - tocks.received }
    }

    @Test("a stream is idle until its reader leaves something lying, and again when that is taken")
    func idle() throws {
        let server = try TestServer()
        let slow = try RawClient(server)
        let control = try RawClient(server)
        try slow.call("Watch", flags: #","more":true"#)
        try untilWatched(control, streams: 1)
        try until(control) { $0.idle == 1 }
        // More than the buffers of the kernel hold.
        try control.call("Publish", #"{"count":1,"padding":600000}"#)
        _ = try control.reply()
        try until(control) { $0.idle == 0 }
        #expect(try slow.reply().parameters?.tick?.value == 1)
        #expect(try slow.reply().parameters?.tock?.value == 1)
        try until(control) { $0.idle == 1 }
    }

    @Test("replies are all there in their order, however late they are read")
    func controlReplies() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        var calls = ""
        for number in 0..<300 {
            calls += #"{"method":"org.example.test.Fill","parameters":{"size":\#(10_000 + number)}}"# + "\0"
        }
        // Not read before all is sent: by then the server has stopped reading, and this would block for ever if the
        // calls did not fit into the kernel's buffer.
        try client.send(calls)
        for number in 0..<300 { #expect(try client.reply().parameters?.text?.utf8.count == 10_000 + number) }
    }

    @Test("a client that floods calls without reading is not read from, costs little memory, and disturbs no other")
    func flood() throws {
        let server = try TestServer()
        let flooder = try RawClient(server)
        let control = try RawClient(server)
        let call = Array((#"{"method":"org.example.test.Fill","parameters":{"size":30000}}"# + "\0").utf8)
        let before = try #require(ProcessResources.residentBytes)
        var sent = 0
        // 200 MB of replies, were they all made.
        for _ in 0..<7000 {
            let taken = try call.withUnsafeBytes { try flooder.stream.send($0) }
            guard let taken else { break }
            sent += taken
        }
        try control.call("Echo", #"{"text":"served"}"#)
        #expect(try control.reply().parameters?.text == "served")
        #expect(sent < 7000 * call.count)
        // Other tests run in this process too: far above a bounded queue, far below all the replies.
        #expect(try #require(ProcessResources.residentBytes) < before + 100_000_000)
    }

    @Test("a client that stops reading is closed, one with nothing to read and one that reads are not")
    func stalled() throws {
        var limits = ServerLimits()
        limits.stallTimeout = 200_000_000
        let server = try TestServer(limits: limits)
        let control = try RawClient(server)
        let idle = try RawClient(server)
        let stuck = try RawClient(server)
        let stuckReply = try RawClient(server)
        try stuck.call("Watch", flags: #","more":true"#)
        try stuckReply.call("Fill", #"{"size":1000000}"#)
        try untilWatched(control)
        try control.call("Publish", #"{"count":1000,"padding":500}"#)
        _ = try control.reply()
        try until(control) { $0.stalled == 2 && $0.streams == 0 && $0.clients == 2 }
        try idle.call("Echo", #"{"text":"idle"}"#)
        #expect(try idle.reply().parameters?.text == "idle")
        #expect(try stuck.isClosed())
    }

    @Test("a client that reads slowly but steadily is not closed")
    func slowButSteady() throws {
        var limits = ServerLimits()
        // Beside other tests a thread may be suspended for longer than it sleeps, but not for this long.
        limits.stallTimeout = 1_000_000_000
        let server = try TestServer(limits: limits)
        let client = try RawClient(server)
        let size = 300_000
        try client.call("Fill", #"{"size":\#(size)}"#)
        var buffer = [UInt8](repeating: 0, count: 8192)
        var total = 0
        while total < size {
            if let got = try buffer.withUnsafeMutableBytes({ try client.stream.receive(into: $0) }) {
                guard got.count > 0 else { break }
                total += got.count
            }
            // Twice the stall timeout in all.
            usleep(60_000)
        }
        #expect(total > size)
    }

    @Test("64 clients at once are all served the same messages")
    func manyClients() throws {
        let server = try TestServer()
        let watchers = try (0..<64).map { _ in try RawClient(server) }
        let control = try RawClient(server)
        for watcher in watchers { try watcher.call("Watch", flags: #","more":true"#) }
        try untilWatched(control, streams: 64)
        for value in 1...20 {
            try control.call("Publish", #"{"count":1,"padding":300}"#)
            #expect(try control.reply().parameters?.watchers == 64)
            for watcher in watchers {
                #expect(try watcher.reply().parameters?.tick == Reply.Tick(value: value))
                #expect(try watcher.reply().parameters?.tock == Reply.Tick(value: value))
            }
        }
    }

    @Test("clients that come and go leave no descriptor behind", .timeLimit(.minutes(2)))
    func noLeak() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let control = try RawClient(server)
            try until(control) { $0.clients == 1 }
            let before = try #require(ProcessResources.openDescriptors)
            for _ in 0..<50 {
                let clients = try (0..<8).map { _ in try RawClient(server) }
                for client in clients { try client.call("Watch", flags: #","more":true"#) }
                try untilWatched(control, streams: 8)
                withExtendedLifetime(clients) {}
            }
            try until(control) { $0.clients == 1 && $0.streams == 0 }
            // 400 came and went; they are closed on threads that have a few of their own.
            while try #require(ProcessResources.openDescriptors) >= before + 16 { usleep(1000) }
            exit(EXIT_SUCCESS)
        }
    }
}

@Suite struct ExhaustionTests {
    @Test("without descriptors left a client waits, and is served when there are some again")
    func noDescriptorsLeft() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let early = try RawClient(server)
            try early.call("Echo", #"{"text":"early"}"#)
            _ = try early.reply()
            let late = try #require(ProcessResources.openDescriptors)
            var limit = rlimit(rlim_cur: rlim_t(late + 40), rlim_max: rlim_t(late + 40))
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(EXIT_FAILURE) }
            var hogs: [Int32] = []
            while true {
                let hog = dup(STDERR_FILENO)
                guard hog >= 0 else { break }
                hogs.append(hog)
            }
            // Room for the client's own end, none for the server's.
            close(hogs.removeLast())
            let client = try RawClient(server)
            try client.call("Echo", #"{"text":"late"}"#)
            try early.call("Echo", #"{"text":"still served"}"#)
            guard try early.reply().parameters?.text == "still served" else { exit(EXIT_FAILURE) }
            for hog in hogs { close(hog) }
            exit(try client.reply().parameters?.text == "late" ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
