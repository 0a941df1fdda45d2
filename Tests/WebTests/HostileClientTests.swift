import Glibc
import Testing
import Web

@Suite struct HostileClientTests {
    @Test("garbage, half requests and broken ones disturb no one else")
    func garbage() throws {
        let server = try TestSite.make()
        let port = server.address.port
        var others: [TestClient] = []
        for text in [
            "\u{0}\u{1}\u{2}\r\n\r\n", "GET", "GET / HTTP/1.1\r\nHo", "\r\n\r\n\r\n", "FOO / HTTP/1.1\r\n\r\n",
            "GET /%00x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: other\r\nConnection: keep-alive\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: -5\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\nGET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}",
        ] {
            let client = try TestClient(port)
            client.write(text)
            others.append(client)
            #expect(try TestSite.answers(server), "after \(text)")
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let client = try TestClient(port)
            client.write(
                (0..<Int.random(in: 1...3000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            others.append(client)
        }
        #expect(try TestSite.answers(server))
    }

    @Test("a request with oversized headers is refused or closed")
    func oversized() throws {
        let server = try TestSite.make()
        let host = "Host: \(server.address)\r\n"
        for request in [
            "GET /\(String(repeating: "a", count: 2000)) HTTP/1.1\r\n\(host)\r\n",
            "GET / HTTP/1.1\r\n\(host)Accept: \(String(repeating: "a", count: 2000))\r\n\r\n",
        ] {
            let client = try TestClient(server.address.port)
            client.write(request)
            #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 431") == true)
        }
        for name in ["Accept", "X-Unknown", "Cookie"] {
            let client = try TestClient(server.address.port)
            client.write("GET / HTTP/1.1\r\n\(host)")
            for _ in 0..<100 where client.write("\(name): \(String(repeating: "a", count: 5000))\r\n") {}
            client.write("\r\n")
            #expect(client.isClosed(), "\(name)")
        }
        #expect(try TestSite.answers(server))
    }

    @Test("while a thousand clients are connected and silent, another one is served")
    func thousandConnections() throws {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limits.rlim_cur = limits.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        let server = try TestSite.make()
        var silent: [TestClient] = []
        for index in 0..<1000 {
            let client = try TestClient(server.address.port)
            if index % 2 == 0 { client.write("GET / HTTP/1.1\r\nHost:") }
            silent.append(client)
            if index % 100 == 99 { #expect(try TestSite.answers(server)) }
        }
        #expect(try TestSite.answers(server))
        #expect(silent[0].isClosed())
    }

    @Test("a client that sends its request too slowly is closed")
    func slowRequest() throws {
        var limits = WebLimits()
        limits.requestSeconds = 1
        let server = try TestSite.make(limits)
        let silent = try TestClient(server.address.port)
        let half = try TestClient(server.address.port)
        half.write("GET / HTTP/1.1\r\nHost: 127")
        let trickling = try TestClient(server.address.port)
        trickling.write("GET / HTTP/1.1\r\nX:")
        var isSent = true
        for _ in 0..<(TestClient.patience * 10) where isSent {
            usleep(100_000)
            isSent = trickling.write("x")
        }
        #expect(!isSent, "a byte at a time is accepted for ever")
        #expect(silent.isClosed())
        #expect(half.isClosed())
    }

    @Test(
        "silent clients of a user are closed for others of that user, and for no other; root's for root alone",
        .enabled(if: geteuid() == 0, "only root can have clients of several users"))
    func silentClientsOfUsers() throws {
        let (greedy, other) = (UInt32(64001), UInt32(64002))
        var limits = WebLimits()
        limits.connections = 8
        limits.requestSeconds = 600
        let server = try TestSite.make(limits)
        let port = server.address.port
        let request = "GET / HTTP/1.1\r\nHost: \(server.address)\r\n\r\n"
        let first = try TestClient(port, user: other)
        let ofRoot = try TestClient(port)
        // A share is six, of which one is the first to go; the last place is root's.
        let silent = try (0..<7).map { _ in try TestClient(port, user: greedy) }
        #expect(silent[0].isClosed())
        for each in [first, ofRoot, silent[6]] {
            each.write(request)
            #expect(each.readToEnd()?.hasPrefix("HTTP/1.1 200") == true)
        }
    }

    @Test("clients that never read their response are closed, and others are served meanwhile")
    func neverReading() throws {
        var limits = WebLimits()
        limits.responseSeconds = 1
        limits.connections = 8
        let body = [UInt8](repeating: 120, count: 20_000_000)
        let server = try TestSite.make(limits) { $0.pages["/long"] = { _ in WebResponse(type: "x/y", body: body) } }
        let clients = try (0..<4).map { _ in try TestClient(server.address.port) }
        for client in clients { client.write("GET /long HTTP/1.1\r\nHost: \(server.address)\r\n\r\nmore") }
        #expect(try TestSite.answers(server))
        let end = time(nil) + TestClient.patience
        // The end of a connection whose data was not read is an error of the next write.
        while clients.contains(where: { $0.write("x") }), time(nil) < end { usleep(50_000) }
        #expect(time(nil) < end)
        #expect(try TestSite.answers(server))
    }
}
