import Foundation
import Linux
import Testing
import Varlink

/// A client that sends any bytes, and takes what comes back apart at the NULs.
final class RawClient {
    let stream: UnixStream
    private var received: [UInt8] = []

    /// Long enough for any loaded machine; only a failing test waits that long.
    private static let patience: Int64 = 20_000_000_000

    struct Timeout: Error {}

    init(_ server: TestServer) throws {
        stream = try UnixStream.connect(path: server.path, until: Reactor.now + Self.patience)
    }

    /// Sends all of it; false if the server closed before.
    @discardableResult
    func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws -> Bool {
        var rest = bytes[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            do {
                let sent = try rest.withUnsafeBytes { try stream.send($0, descriptors: descriptors) }
                if let sent {
                    rest = rest.dropFirst(sent)
                    descriptors = []
                    continue
                }
            } catch { return false }
            let outcome = try Waiting.wait(stream.descriptor, events: POLLOUT, until: Reactor.now + Self.patience)
            guard outcome == .ready else { throw Timeout() }
        }
        return true
    }

    @discardableResult
    func send(_ text: String) throws -> Bool { try send(Array(text.utf8)) }

    @discardableResult
    func call(_ method: String, _ parameters: String = "{}", flags: String = "") throws -> Bool {
        try send(#"{"method":"org.example.test.\#(method)","parameters":\#(parameters)\#(flags)}"# + "\0")
    }

    /// The next message; nil at the end of the connection.
    func next() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0) {
                let message = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                return message
            }
            guard try receive() else { return nil }
        }
    }

    /// The next message as JSON.
    func reply() throws -> Reply {
        let message = try #require(try next(), "the server closed the connection")
        return try JSONDecoder().decode(Reply.self, from: Data(message.utf8))
    }

    /// Whether the server has closed, whatever it still sent.
    func isClosed() throws -> Bool {
        while try next() != nil {}
        return true
    }

    private func receive() throws -> Bool {
        let outcome = try Waiting.wait(stream.descriptor, events: POLLIN, until: Reactor.now + Self.patience)
        guard outcome == .ready else { throw Timeout() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        do {
            guard let got = try buffer.withUnsafeMutableBytes({ try stream.receive(into: $0) }) else { return true }
            received += buffer.prefix(got.count)
            return got.count > 0
        } catch { return false }
    }
}

/// One reply of the test interface, whichever it is.
struct Reply: Decodable, Equatable {
    struct Tick: Decodable, Equatable {
        var value: Int
        var missed: Int?
    }

    struct Parameters: Decodable, Equatable {
        var text: String?
        var number: Int?
        var tick: Tick?
        var tock: Tick?
        var watchers: Int?
        var held: Bool?
        var descriptors: Int?
        var process: Int?
        var user: Int?
        var clients: Int?
        var streams: Int?
        var missed: Int?
        var stalled: Int?
        var refused: Int?
        var client: Int?
        var gone: Int?
        var idle: Int?
        var parameter: String?
        var method: String?
        var interface: String?
        var limit: String?
        var maximum: Int?
        var reason: String?
        var marks: [String]?
    }

    var parameters: Parameters?
    var error: String?
    var continues: Bool?
}
