import Foundation
import JSON
import Linux
import Testing
import Varlink

/// The other end of a client's connection, which says what the test wants.
private final class ScriptedService {
    let client: VarlinkClient
    private let listener: UnixListener
    private let path: String
    private var stream: UnixStream?

    init() throws {
        path = NSTemporaryDirectory() + "waymark-scripted-\(UUID().uuidString.prefix(8))"
        listener = try UnixListener(path: path, mode: 0o600)
        client = try VarlinkClient(path: path, timeout: .seconds(20))
        stream = try listener.accept()
    }

    /// Says it before it was asked: the socket keeps it until the client reads.
    func say(_ text: String) throws {
        let bytes = Array(text.utf8)
        let sent = try bytes.withUnsafeBytes { try stream?.send($0) }
        #expect(sent == bytes.count)
    }

    func hangUp() { stream = nil }
}

@Suite struct ClientTests {
    private struct Text: JSONReadable, Equatable {
        let text: String

        init(text: String) { self.text = text }

        init(_ node: JSONNode) throws(DocumentProblem) { text = try node.required("text") }
    }

    private static let nothing: [String: Int] = [:]

    private static func failure(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch VarlinkClient.Failure.error(let error) {
            return "\(error)"
        } catch VarlinkClient.Failure.malformed {
            return "malformed"
        } catch VarlinkClient.Failure.disconnected {
            return "disconnected"
        } catch {
            return "\(error)"
        }
    }

    /// Each without its NUL, and what becomes of it.
    private static let improper: [(String, String)] = [
        ("garbage", "malformed"),
        ("", "malformed"),
        ("[]", "malformed"),
        (#"{"parameters":[]}"#, "malformed"),
        (#"{"parameters":{"text":1}}"#, "malformed"),
        (#"{"parameters":{}}"#, "malformed"),
        (#"{"error":7}"#, "malformed"),
        (String(repeating: "[", count: 50_000), "malformed"),
        (#"{"error":"org.example.Bad","parameters":{"b":[1,2.5,null],"a":"x"}}"#, badWithParameters),
        (#"{"error":"org.example.Bad"}"#, "org.example.Bad {}"),
    ]
    private static let badWithParameters = #"org.example.Bad {"a":"x","b":[1,2.5,null]}"#

    @Test("what is no proper reply is a failure of its own kind", arguments: improper)
    func improperReply(_ reply: String, expected: String) throws {
        let service = try ScriptedService()
        try service.say(reply + "\0")
        let failure = Self.failure { _ = try service.client.call("org.example.Say", Self.nothing, reply: Text.self) }
        #expect(failure == expected)
    }

    @Test("a service that goes, before its reply or in the middle of it, has disconnected", arguments: ["", "{\"par"])
    func gone(_ part: String) throws {
        let service = try ScriptedService()
        if !part.isEmpty { try service.say(part) }
        service.hangUp()
        let failure = Self.failure { _ = try service.client.call("org.example.Say", Self.nothing, reply: Text.self) }
        #expect(failure == "disconnected")
    }

    @Test("after garbage the connection is not used again, after an error reply it is")
    func afterwards() throws {
        let broken = try ScriptedService()
        try broken.say("garbage\0" + #"{"parameters":{"text":"late"}}"# + "\0")
        #expect(
            Self.failure { _ = try broken.client.call("org.example.Say", Self.nothing, reply: Text.self) }
                == "malformed")
        #expect(
            Self.failure { _ = try broken.client.call("org.example.Say", Self.nothing, reply: Text.self) }
                == "disconnected")

        let whole = try ScriptedService()
        try whole.say(#"{"error":"org.example.Bad"}"# + "\0" + #"{"parameters":{"text":"fine"}}"# + "\0")
        #expect(
            Self.failure { _ = try whole.client.call("org.example.Say", Self.nothing, reply: Text.self) }
                == "org.example.Bad {}")
        #expect(try whole.client.call("org.example.Say", Self.nothing, reply: Text.self) == Text(text: "fine"))
    }

    @Test("a stream gives its replies one by one, ends with the last, and may end with an error")
    func stream() throws {
        let service = try ScriptedService()
        try service.say(
            #"{"parameters":{"text":"1"},"continues":true}"# + "\0" + #"{"parameters":{"text":"2"}}"# + "\0")
        let replies = try service.client.stream("org.example.Watch", Self.nothing)
        #expect(try replies.next(Text.self) == Text(text: "1"))
        #expect(try replies.next(Text.self) == Text(text: "2"))
        #expect(try replies.next(Text.self) == nil)

        try service.say(#"{"error":"org.example.Over"}"# + "\0")
        let failing = try service.client.stream("org.example.Watch", Self.nothing)
        #expect(Self.failure { _ = try failing.next(Text.self) } == "org.example.Over {}")
        #expect(try failing.next(Text.self) == nil)
    }

    @Test("after a timeout the next reply of a stream can be asked for again, also where the first half was there")
    func streamAfterTimeout() throws {
        let service = try ScriptedService()
        let replies = try service.client.stream("org.example.Watch", Self.nothing)
        #expect(Self.failure { _ = try replies.next(Text.self, timeout: .zero) } == "timedOut")
        try service.say(#"{"parameters":{"text":"1"},"cont"#)
        #expect(Self.failure { _ = try replies.next(Text.self, timeout: .milliseconds(5)) } == "timedOut")
        try service.say(#"inues":true}"# + "\0")
        #expect(try replies.next(Text.self) == Text(text: "1"))
    }

    private struct Rate: JSONWritable {
        let rate: Double

        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("rate", rate, .exact)
            json.endObject()
        }
    }

    @Test("a number that JSON cannot express is refused before it is sent, and the connection goes on")
    func notFinite() throws {
        let service = try ScriptedService()
        for rate in [Double.nan, .infinity] {
            let failure = Self.failure {
                _ = try service.client.call("org.example.Say", Rate(rate: rate), reply: Text.self)
            }
            #expect(failure == "malformed")
        }
        try service.say(#"{"parameters":{"text":"fine"}}"# + "\0")
        #expect(try service.client.call("org.example.Say", Rate(rate: 1), reply: Text.self) == Text(text: "fine"))
    }
}
