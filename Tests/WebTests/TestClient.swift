import Glibc
import Linux
import Testing
import Web

/// TCP client that sends what it likes, and waits long for what it expects.
final class TestClient {
    let descriptor: Int32
    private var pending: [UInt8] = []

    /// Long enough for any loaded machine; only a failing test waits that long. Unit: s.
    static let patience = 20

    /// - Parameter user: whose the client is to be, which root alone can choose.
    init(_ port: UInt16, user: UInt32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let user { try #require(fchown(descriptor, user, .max) == 0, "root is needed") }
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "cannot connect: \(errno)")
    }

    deinit { close(descriptor) }

    /// Returns whether all of it was sent.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Reads at least one byte more; false at the end, or when patience ends.
    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        pending += buffer[..<count]
        return true
    }

    /// All until the server closes; nil if it does not.
    func readToEnd() -> String? {
        while fill() {}
        let hasTimedOut = errno == EAGAIN
        defer { pending = [] }
        return hasTimedOut && pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
    }

    /// The next bytes; nil if the connection ends before.
    func read(_ count: Int) -> [UInt8]? {
        while pending.count < count { guard fill() else { return nil } }
        defer { pending.removeFirst(count) }
        return Array(pending[..<count])
    }

    /// The header of a response, until its empty line.
    func readHead() -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(1) { head += byte }
        return String(decoding: head, as: UTF8.self)
    }

    /// Whether the server closes, with whatever response before.
    func isClosed() -> Bool {
        while true {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            if count == 0 || count < 0 && errno != EAGAIN { return true }
            if count < 0 { return false }
        }
    }

    // MARK: WebSockets

    /// Asks for a WebSocket and returns the header of the response.
    func upgrade(_ path: String, port: UInt16, subprotocols: String? = nil, origin: String? = nil) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: keep-alive, Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if let subprotocols { lines.append("Sec-WebSocket-Protocol: \(subprotocols)") }
        if let origin { lines.append("Origin: \(origin)") }
        write(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return readHead()
    }

    /// Sends a frame, masked by zeros.
    @discardableResult
    func sendFrame(_ opcode: UInt8, _ content: [UInt8], isFinal: Bool = true) -> Bool {
        var frame = [opcode | (isFinal ? 0x80 : 0)]
        switch content.count {
        case ..<126: frame.append(0x80 | UInt8(content.count))
        case ..<65536:
            frame.append(0x80 | 126)
            frame += UInt16(content.count).bigEndianBytes
        default:
            frame.append(0x80 | 127)
            frame += UInt64(content.count).bigEndianBytes
        }
        return write(frame + [0, 0, 0, 0] + content)
    }

    /// The next frame; nil if the connection ends before.
    func readFrame() -> (opcode: UInt8, content: [UInt8])? {
        guard let head = read(2) else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            guard let more = read(length == 126 ? 2 : 8) else { return nil }
            length = more.reduce(0) { $0 << 8 | Int($1) }
        }
        return read(length).map { (head[0] & 0x0F, $0) }
    }
}

/// Site with two pages, one that echoes on a WebSocket, and what the socket's handler saw.
struct TestSite {
    static func make(_ limits: WebLimits = WebLimits(), _ change: (inout WebSite) -> Void = { _ in }) throws
        -> WebServer
    {
        var site = WebSite()
        site.pages["/"] = { _ in WebResponse(text: "root") }
        site.pages["/metrics"] = { WebResponse(text: "accept=\($0.accept)") }
        site.sockets = [WebSocketRoute(path: "/echo", handler: Echo())]
        change(&site)
        return try WebServer(site, at: NetworkAddress.loopback(port: 0), limits: limits)
    }

    /// Whether the server still answers.
    static func answers(_ server: WebServer) throws -> Bool {
        try get("/", server).hasPrefix("HTTP/1.1 200 OK\r\n")
    }

    static func get(_ path: String, _ server: WebServer, method: String = "GET", host: String? = nil) throws -> String {
        let client = try TestClient(server.address.port)
        client.write("\(method) \(path) HTTP/1.1\r\nHost: \(host ?? server.address.description)\r\n\r\n")
        return client.readToEnd() ?? ""
    }
}

/// Sends each message back.
struct Echo: WebSocketHandler {
    func opened(_ socket: WebSocket) {}
    func received(_ message: WebSocketMessage, from socket: WebSocket) { socket.send(message) }
    func closed(_ socket: WebSocket) {}
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
