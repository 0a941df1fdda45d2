import Foundation
import Testing

/// What the fake daemon is judged by has to see what is wrong.
@Suite struct InterfaceTypesTests {
    private static let text = """
        interface org.example.types
        # A type with ( in its comment.
        type Inner (size: float, kind: (small, large))
        method Ask(count: int, also: ?bool) -> (inner: Inner, more: ?[]Inner, names: [string]string, any: ?object)
        error Wrong (why: string)
        """

    private static let good = #"{"inner":{"size":1.5,"kind":"small"},"names":{"a":"b"}}"#

    private static func problems(_ reply: String) throws -> [String] {
        let types = try InterfaceTypes(text: text)
        let kind = try #require(types.replies["Ask"])
        return types.problems(try JSONDecoder().decode(JSON.self, from: Data(reply.utf8)), kind, at: "Ask")
    }

    @Test(
        "what fits has no problem",
        arguments: [
            good, good.replacing("1.5", with: "2"), good.replacing("}}", with: #"},"any":[1]}"#),
            good.replacing("}}", with: #"},"more":[{"size":1,"kind":"large"}]}"#),
        ])
    func fits(_ reply: String) throws {
        #expect(try Self.problems(reply) == [])
    }

    @Test(
        "what does not fit is named with its path",
        arguments: [
            (#""size":1.5,"#, "", "Ask.inner.size: missing"), ("1.5", "true", "Ask.inner.size: "),
            ("small", "tiny", "Ask.inner.kind: tiny is none of"), (#""b""#, "3", "Ask.names.a: "),
            ("}}", #"},"more":[{"size":1}]}"#, "Ask.more[0].kind: missing"),
            ("}}", #"},"less":1}"#, "Ask.less: no such field"), (#"{"a":"b"}"#, #"["b"]"#, "Ask.names: "),
        ])
    func breaks(part: String, change: String, problem: String) throws {
        let reply = Self.good.replacing(part, with: change)
        let found = try Self.problems(reply)
        #expect(found.count == 1 && found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test("the daemon's own interfaces are read", arguments: FakeDaemon.interfaces)
    func own(_ name: String) throws {
        let types = try InterfaceTypes(ofDaemon: name)
        #expect(types.description.name == "org.waymark.\(name)")
        #expect(types.replies.count == types.description.methods.count && !types.replies.isEmpty)
    }
}
