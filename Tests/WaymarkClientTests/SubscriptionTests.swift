import Foundation
import Glibc
import Linux
import Testing
import WaymarkClient
import WaymarkInterface

/// The daemon's end of subscriptions, which sends what the test wants.
private actor ScriptedDaemon {
    nonisolated let path = NSTemporaryDirectory() + "waymark-scripted-\(UUID().uuidString.prefix(8))"
    private let listener: UnixListener
    private var stream: UnixStream?

    init() throws { listener = try UnixListener(path: path, mode: 0o600) }

    /// Waits for the client and its call, of any length, and answers with a pose.
    func accept(sending sequence: Int) async throws {
        while stream == nil {
            stream = try listener.accept()
            try await pause()
        }
        while try receive() == nil { try await pause() }
        #expect(try send(sequence: sequence))
    }

    /// Nil if nothing has come; 0 once the client has closed the connection, also before it had read all.
    private func receive() throws -> Int? {
        var room = [UInt8](repeating: 0, count: 4096)
        do {
            return try room.withUnsafeMutableBytes { try stream?.receive(into: $0)?.count }
        } catch let error as SystemError where error.code == ECONNRESET {
            return 0
        }
    }

    /// False if the socket takes no more.
    func send(sequence: Int) throws -> Bool {
        let pose = FakeDaemon.pose.replacing(#""sequence":7"#, with: #""sequence":\#(sequence)"#)
        return try send(#"{"parameters":{"pose":\#(pose)},"continues":true}"#)
    }

    func send(_ message: String) throws -> Bool {
        let bytes = Array(message.utf8) + [0]
        var sent = 0
        while sent < bytes.count {
            let part = try bytes[sent...].withUnsafeBytes { try stream?.send($0) }
            // The rest of a message that was begun has to follow.
            guard let part else {
                if sent == 0 { return false }
                usleep(1000)
                continue
            }
            sent += part
        }
        return true
    }

    func hangUp() { stream = nil }

    func waitForEnd() async throws {
        for _ in 0..<2000 {
            if try receive() == 0 { return }
            try await pause()
        }
        Issue.record("the connection was not closed within 20 s")
    }

    private func pause() async throws { try await Task.sleep(for: .milliseconds(10)) }
}

@Suite("Subscriptions as asynchronous sequences", .serialized, .timeLimit(.minutes(2)))
struct SubscriptionTests {
    /// Threads of subscriptions that have not ended.
    private func threads() throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "waymark\n"
        }
    }

    private func waitForThreads() async throws {
        for _ in 0..<2000 {
            if try threads() == 0 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("a thread was not freed within 20 s")
    }

    @Test("values arrive, and the sequence is over when the daemon ends the subscription")
    func values() async throws {
        let daemon = try FakeDaemon()
        var sequences: [Int] = []
        for try await pose in Waymark.poses(rate: 60, socket: daemon.path) { sequences.append(pose.sequence) }
        #expect(sequences == [7])
        var yaws: [Double] = []
        for try await frame in Waymark.frames(socket: daemon.path) { yaws.append(frame.target.yaw) }
        #expect(yaws == [1.5, 1.5])
        let method = PoseInterface.Subscribe(frame: true)
        var kinds: [Bool] = []
        for try await reply in Waymark.replies(to: method, socket: daemon.path) { kinds.append(reply.pose != nil) }
        // The frame, the pose, and the last reply, which is empty.
        #expect(kinds == [false, true, false])
        var versions: [String] = []
        for try await status in Waymark.statuses(every: .milliseconds(1), socket: daemon.path) {
            versions.append(status.version)
            if versions.count == 3 { break }
        }
        #expect(versions == ["1.0", "1.0", "1.0"])
        try await waitForThreads()
        withExtendedLifetime(daemon) {}
    }

    @Test("errors of the method and of the connection are thrown by their names")
    func errors() async throws {
        let daemon = try FakeDaemon()
        await #expect(throws: WaymarkError.scene(.notLocalized(reason: "no fix yet"))) {
            for try await _ in Waymark.ahead(socket: daemon.path) {}
        }
        await #expect(throws: WaymarkError.unreachable(path: "/tmp/none", reason: "No such file or directory")) {
            for try await _ in Waymark.poses(socket: "/tmp/none") {}
        }
        let gone = try ScriptedDaemon()
        let poses = Waymark.poses(socket: gone.path).makeAsyncIterator()
        async let served: Void = gone.accept(sending: 1)
        #expect(try await poses.next()?.sequence == 1)
        try await served
        await gone.hangUp()
        await #expect(throws: WaymarkError.disconnected) { try await poses.next() }
        #expect(try await poses.next() == nil)
        try await waitForThreads()
        withExtendedLifetime(daemon) {}
    }

    @Test("a cancelled task ends the loop at once, closes the connection and frees the thread")
    func cancellation() async throws {
        let daemon = try ScriptedDaemon()
        let path = daemon.path
        let (arrivals, arrival) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            for try await pose in Waymark.poses(socket: path) { arrival.yield(pose.sequence) }
            return true
        }
        try await daemon.accept(sending: 1)
        #expect(await arrivals.first { _ in true } == 1)
        #expect(try threads() == 1)
        task.cancel()
        #expect(try await task.value)
        try await daemon.waitForEnd()
        try await waitForThreads()
    }

    @Test("leaving the loop closes the connection, and a task that was cancelled before connects to nothing")
    func leaving() async throws {
        let daemon = try ScriptedDaemon()
        let path = daemon.path
        let task = Task {
            for try await pose in Waymark.poses(socket: path) { return pose.sequence }
            return 0
        }
        try await daemon.accept(sending: 5)
        #expect(try await task.value == 5)
        try await daemon.waitForEnd()

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in Waymark.poses(socket: "/tmp/none") { return false }
            return true
        }
        #expect(try await late.value)
        try await waitForThreads()
    }

    @Test("a slow consumer keeps no more than the socket holds, and loses nothing of it")
    func slowConsumer() async throws {
        let daemon = try ScriptedDaemon()
        let poses = Waymark.poses(socket: daemon.path).makeAsyncIterator()
        async let served: Void = daemon.accept(sending: 1)
        #expect(try await poses.next()?.sequence == 1)
        try await served
        // The socket's two buffers, of about 200 kB each, and one read of 64 KiB: no more than 2000 poses of 500 bytes.
        var sent = 1
        var isFull = false
        while !isFull, sent < 20_000 {
            if try await daemon.send(sequence: sent + 1) {
                sent += 1
            } else {
                try await Task.sleep(for: .milliseconds(200))
                isFull = try await !daemon.send(sequence: sent + 1)
                if !isFull { sent += 1 }
            }
        }
        #expect(isFull && sent < 2000, "\(sent) poses were taken")
        for sequence in 2...sent { #expect(try await poses.next()?.sequence == sequence) }
    }
}
