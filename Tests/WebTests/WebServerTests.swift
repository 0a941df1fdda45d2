import Glibc
import Linux
import Testing
import Web

@Suite struct WebServerTests {
    @Test("a page has its content, and headers that keep it from other pages")
    func page() throws {
        let server = try TestSite.make()
        let response = try TestSite.get("/", server)
        #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(response.hasSuffix("\r\n\r\nroot\n"))
        for header in [
            "Content-Type: text/plain; charset=utf-8", "Content-Length: 5", "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
            "Connection: close",
        ] {
            #expect(response.contains("\r\n\(header)\r\n"), "\(header)")
        }
        #expect(!response.lowercased().contains("server:"))
    }

    @Test("a page is made for each request, and knows what the client accepts")
    func dynamicPage() throws {
        let server = try TestSite.make()
        let client = try TestClient(server.address.port)
        client.write(
            "GET /metrics?query=1 HTTP/1.1\r\nHost: localhost:\(server.address.port)\r\nAccept: text/x\r\n\r\n")
        #expect(client.readToEnd()?.hasSuffix("accept=text/x\n") == true)
    }

    @Test("HEAD gets the headers of GET")
    func head() throws {
        let server = try TestSite.make()
        let response = try TestSite.get("/", server, method: "HEAD")
        #expect(response.contains("\r\nContent-Length: 5\r\n"))
        #expect(response.hasSuffix("\r\n\r\n"))
    }

    @Test("a long page arrives whole, also at a client that reads late")
    func longPage() throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let server = try TestSite.make { $0.pages["/long"] = { _ in WebResponse(type: "x/y", body: body) } }
        let client = try TestClient(server.address.port)
        client.write("GET /long HTTP/1.1\r\nHost: \(server.address)\r\n\r\n")
        #expect(try TestSite.answers(server))
        #expect(client.readHead().contains("Content-Length: 3000000\r\n"))
        #expect(client.read(body.count) == body)
        #expect(client.isClosed())
    }

    @Test("other methods get 405, also with a body", arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func otherMethods(method: String) throws {
        let server = try TestSite.make()
        let client = try TestClient(server.address.port)
        let body = String(repeating: "x", count: 20_000)
        client.write("\(method) / HTTP/1.1\r\nHost: \(server.address)\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
        let response = client.readToEnd() ?? ""
        #expect(response.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(response.contains("\r\nAllow: GET, HEAD\r\n"))
    }

    @Test("a path that is not served gets 404 with those that are")
    func unknownPath() throws {
        let server = try TestSite.make()
        for path in ["/nothing", "/metrics/", "/../etc/passwd"] {
            let response = try TestSite.get(path, server)
            #expect(response.hasPrefix("HTTP/1.1 404") || response.isEmpty, "\(path): \(response)")
        }
        #expect(try TestSite.get("/nothing", server).hasSuffix("there are: /, /echo, /metrics\n"))
    }

    @Test("only requests that call the server by a name of its own are answered")
    func hosts() throws {
        let server = try TestSite.make { $0.hostNames = ["board.local"] }
        let port = server.address.port
        for host in [
            "127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)", "board.local:\(port)",
        ] {
            #expect(try TestSite.get("/", server, host: host).hasPrefix("HTTP/1.1 200"), "\(host)")
        }
        for host in [
            "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:\(port)", "x",
            "192.168.0.1:\(port)",
        ] {
            #expect(try TestSite.get("/", server, host: host).hasPrefix("HTTP/1.1 421"), "\(host)")
        }
        let client = try TestClient(port)
        client.write("GET / HTTP/1.0\r\n\r\n")
        #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 400") == true)
        let twice = try TestClient(port)
        twice.write("GET / HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(twice.readToEnd()?.contains(" 200 ") != true)
    }

    @Test("an address in use, one that this machine has not, and a reserved port are named")
    func startFailures() throws {
        let server = try TestSite.make()
        #expect(throws: WebServerError.addressInUse(server.address)) {
            _ = try WebServer(WebSite(), at: server.address)
        }
        let foreign = try NetworkAddress("192.0.2.1:9469")
        #expect(throws: WebServerError.noSuchHost(foreign)) { _ = try WebServer(WebSite(), at: foreign) }
        #expect("\(WebServerError.addressInUse(server.address))".contains("ss -tlnp"))
        #expect("\(WebServerError.libraryMissing(reason: "x"))".contains("libwebsockets19t64"))
    }

    @Test("beyond the loopback, any numeric address names the server, and no other name")
    func remoteHosts() throws {
        var site = WebSite()
        site.pages["/"] = { _ in WebResponse(text: "root") }
        let server = try WebServer(site, at: NetworkAddress("0.0.0.0:0"))
        let port = server.address.port
        #expect(try TestSite.get("/", server, host: "192.168.0.1:\(port)").hasPrefix("HTTP/1.1 200"))
        #expect(try TestSite.get("/", server, host: "evil.example:\(port)").hasPrefix("HTTP/1.1 421"))
    }

    @Test("IPv6 is served, where the machine has it")
    func version6() throws {
        guard let server = try? WebServer(WebSite(), at: NetworkAddress("[::1]:0")) else { return }
        #expect("\(server.address)".hasPrefix("[::1]:"))
    }

    @Test("a server that was stopped frees its port, and another one starts there")
    func restart() throws {
        let first = try TestSite.make()
        #expect(try TestSite.answers(first))
        #expect(first.stop(timeoutSeconds: 20))
        #expect(first.hasEnded)
        let second = try WebServer(WebSite(), at: first.address)
        #expect(try TestSite.get("/", second).hasPrefix("HTTP/1.1 404"))
    }

    @Test("the handling of SIGPIPE stays the program's own")
    func signals() throws {
        var before = sigaction()
        var after = sigaction()
        sigaction(SIGPIPE, nil, &before)
        _ = try TestSite.make()
        sigaction(SIGPIPE, nil, &after)
        #expect(
            before.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) }
                == after.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) })
    }
}
