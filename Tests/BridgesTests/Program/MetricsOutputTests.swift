import Bridges
import DaemonFixtures
import Glibc
import Linux
import TestTools
import Testing

@Suite("Health of the daemon for readers of metrics", .timeLimit(.minutes(2)))
struct MetricsOutputTests {
    private let daemon = StandInDaemon(["Status.GetStatus": .reply(SampleMessage.status())])

    private func wait(until isSo: () -> Bool) {
        while !isSo(), !Task.isCancelled { usleep(1000) }
    }

    private func text(_ answer: StatusSource.Answer?, after seconds: Double = 0) -> String {
        let now = (answer?.time ?? 0) + Int64(seconds * 1e9)
        return String(decoding: MetricsOutput.page(.prometheus, answer, now: now).body, as: UTF8.self)
    }

    @Test("An answer holds for five seconds; then the daemon is down, and none of its values is given")
    func age() throws {
        let source = StatusSource(socket: daemon.path)
        var newest: StatusSource.Answer?
        wait {
            newest = source.newest
            return newest != nil
        }
        let answer = try #require(newest)
        for seconds in [0, 4.9] {
            let page = text(answer, after: seconds)
            #expect(page.contains("waymark_up 1") && page.contains("waymark_poses_total 12"), "\(seconds) s")
        }
        for page in [text(answer, after: 5.1), text(nil)] {
            #expect(page.contains("waymark_up 0") && !page.contains("waymark_poses_total"))
        }
    }

    @Test("The answer is forgotten with the connection, and there is another when the daemon is back")
    func restart() {
        let source = StatusSource(socket: daemon.path)
        wait { source.newest != nil }
        daemon.end()
        wait { source.newest == nil }
        daemon["Status.GetStatus"] = .reply(
            SampleMessage.status().replacing(#""poses":12"#, with: #""poses":13"#))
        daemon.start()
        wait { source.newest?.status.poses == 13 }
    }

    @Test("Without a daemon the page is served, and says so")
    func served() throws {
        daemon.end()
        let output = try MetricsOutput(at: .loopback(port: 0), statuses: StatusSource(socket: daemon.path))
        defer { output.close() }
        let client = LoopbackClient(port: output.address.port)
        client.send("GET /metrics HTTP/1.1\r\nHost: \(output.address)\r\nConnection: close\r\n\r\n")
        var reply: [UInt8] = []
        while let bytes = client.received(), !Task.isCancelled {
            reply += bytes
            usleep(1000)
        }
        let text = String(decoding: reply, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("waymark_up 0"), "\(text)")
    }
}
