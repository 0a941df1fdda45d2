import Glibc
import Linux
import Testing

/// A listening socket on 127.0.0.1 that does with a client what a test wants.
private final class Server {
    let port: Int
    private let listener: Int32
    private var client: Int32 = -1

    init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
            _ = bind(descriptor, pointer, size)
            _ = listen(descriptor, 1)
            _ = getsockname(descriptor, pointer, &size)
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(listener)
        hangUp()
    }

    func accept() { client = Glibc.accept(listener, nil, nil) }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func hears() -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(client, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func hangUp() {
        if client >= 0 { close(client) }
        client = -1
    }
}

@Suite("A connection over which lines come")
struct LineConnectionTests {
    private let stop = StopFlag()

    private func connect(_ port: Int, capacity: Int = 100) throws(ConnectionError) -> LineConnection {
        try LineConnection(host: "127.0.0.1", port: port, timeoutSeconds: 2, capacity: capacity, stop: stop)
    }

    private func lines(_ connection: LineConnection) -> [String] {
        var lines: [String] = []
        while let line = connection.withNextLine({ String(cString: $0) }) { lines.append(line) }
        return lines
    }

    /// Waits until something can be read, and takes it.
    private func receive(_ connection: LineConnection) throws -> Bool {
        stop.wait(seconds: 5, orReadable: connection.descriptor)
        return try connection.receive()
    }

    @Test("lines come whole, in whatever pieces they were sent, with either line end")
    func pieces() throws {
        let server = Server()
        let connection = try connect(server.port)
        server.accept()
        #expect(try !connection.receive())
        server.say("one\r\ntwo\nthr")
        #expect(try receive(connection))
        #expect(lines(connection) == ["one", "two"])
        server.say("ee\n\n")
        #expect(try receive(connection))
        #expect(lines(connection) == ["three", ""])
        for number in 0..<100 {
            server.say("line \(number)\n")
            #expect(try receive(connection))
            #expect(lines(connection) == ["line \(number)"])
        }
        try connection.send("hello\n")
        #expect(server.hears() == "hello\n")
    }

    @Test("a line that fits is taken, one byte more is refused")
    func long() throws {
        let server = Server()
        let connection = try connect(server.port, capacity: 20)
        server.accept()
        server.say(String(repeating: "x", count: 19) + "\n")
        #expect(try receive(connection))
        #expect(lines(connection) == [String(repeating: "x", count: 19)])
        server.say(String(repeating: "y", count: 40))
        #expect(try receive(connection))
        #expect(lines(connection).isEmpty)
        let error = try #require(throws: ConnectionError.self) { _ = try receive(connection) }
        #expect(error.description == "sent a line longer than 20 bytes")
    }

    @Test("a closed, a refused and an unresolvable connection are errors that say so")
    func end() throws {
        let server = Server()
        let connection = try connect(server.port)
        server.accept()
        server.hangUp()
        let error = try #require(throws: ConnectionError.self) { _ = try receive(connection) }
        #expect(error.description == "closed the connection")
        let refused = try #require(throws: ConnectionError.self) { _ = try connect(1) }
        #expect(refused.description == "cannot be reached: Connection refused")
        let unknown = try #require(throws: ConnectionError.self) {
            _ = try LineConnection(host: "no host", port: 1, timeoutSeconds: 1, capacity: 10, stop: stop)
        }
        #expect(unknown.description.hasPrefix("cannot be resolved"))
    }
}
