import CAllocations
import JSON
import Testing
import Varlink

@Suite("Calls and replies as trees of JSON") struct JSONCallTests {
    @Test("a call is written, read, answered and read without an encoder") func mirror() throws {
        let server = try TestServer()
        let client = try VarlinkClient(path: server.path, timeout: .seconds(20))
        for sent in [Mirrored(text: "a\"\\\n\u{0}", number: -12), Mirrored(text: "")] {
            let reply = try client.call("org.example.test.Mirror", sent, reply: Mirrored.self)
            #expect(reply == sent)
        }
    }

    @Test("a problem has the path of the parameter within the message") func path() throws {
        let server = try TestServer()
        let client = try VarlinkClient(path: server.path, timeout: .seconds(20))
        #expect(
            Self.reason { _ = try client.call("org.example.test.Mirror", ["text": 1], reply: Mirrored.self) }
                == "$.parameters.text")
        #expect(
            Self.reason { _ = try client.call("org.example.test.Mirror", [String: Int](), reply: Mirrored.self) }
                == "$.parameters.text")
    }

    /// That of the error Refused.
    private static func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch VarlinkClient.Failure.error(let error) where error.name == "org.example.test.Refused" {
            return error.node.flatMap { try? $0.required("reason") }
        } catch {
            return "\(error)"
        }
    }

    @Test("a reply of another shape ends the connection") func malformed() throws {
        let server = try TestServer()
        let client = try VarlinkClient(path: server.path, timeout: .seconds(20))
        let failed = Self.reason {
            _ = try client.call("org.example.test.WhoAmI", [String: Int](), reply: Mirrored.self)
        }
        #expect(failed?.contains("malformed") == true && failed?.contains("$.parameters.text") == true)
        let after = Self.reason {
            _ = try client.call("org.example.test.Mirror", ["text": "a"], reply: Mirrored.self)
        }
        #expect(after?.contains("disconnected") == true)
    }

    private struct Tick: JSONWritable {
        var value = 1

        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("value", value)
            json.mark()
            json.endObject()
        }
    }

    @Test("a message leaves its writer empty, also one with a place for the number of missed messages") func missed() {
        var json = JSONWriter()
        _ = EncodedMessage(json: Tick(), with: &json, countsMissed: true)
        #expect(json.bytes.isEmpty && json.marks.isEmpty)
    }

    @Test("a message is replaced in its own memory") func replaced() {
        var json = JSONWriter()
        let message = EncodedMessage(json: Tick(value: 1234), with: &json, countsMissed: true)
        let before = waymark_allocations()
        message.replace(json: Tick(value: 5), with: &json, countsMissed: true)
        #expect(waymark_allocations() == before || waymark_counts_memory() == 0)
        #expect(message.frame == EncodedMessage(json: Tick(value: 5)).frame)
    }
}
