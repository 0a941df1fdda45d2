import Foundation
import Linux
import Testing
import Varlink

/// Bytes that are no proper call, and the error reply to them.
struct HostileMessage: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let error: String
    var parameter: String?
    var closes = true

    var testDescription: String { name }

    init(_ name: String, _ text: String, error: String, parameter: String? = nil, closes: Bool = true) {
        self.init(name, Array(text.utf8) + [0], error: error, parameter: parameter, closes: closes)
    }

    init(_ name: String, _ bytes: [UInt8], error: String, parameter: String? = nil, closes: Bool = true) {
        self.name = name
        self.bytes = bytes
        self.error = error
        self.parameter = parameter
        self.closes = closes
    }

    static let invalid = "org.varlink.service.InvalidParameter"

    static let all: [HostileMessage] = [
        .init("an empty message", "", error: invalid, parameter: "message"),
        .init("only spaces", "   ", error: invalid, parameter: "message"),
        .init("half a message", #"{"method":"org.example.t"#, error: invalid, parameter: "message"),
        .init("an array", "[1,2]", error: invalid, parameter: "message"),
        .init("a number", "42", error: invalid, parameter: "message"),
        .init("null", "null", error: invalid, parameter: "message"),
        .init("two objects", "{}{}", error: invalid, parameter: "message"),
        .init("no method", "{}", error: invalid, parameter: "method"),
        .init("a method that is a number", #"{"method":1}"#, error: invalid, parameter: "method"),
        .init("a method that is null", #"{"method":null}"#, error: invalid, parameter: "method"),
        .init(
            "flags of another type", #"{"method":"org.example.test.Echo","more":"yes"}"#, error: invalid,
            parameter: "more"),
        .init(
            "parameters that are a list", #"{"method":"org.example.test.Echo","parameters":[]}"#, error: invalid,
            parameter: "parameters"),
        .init(
            "invalid UTF-8", Array(#"{"method":""#.utf8) + [0xC3, 0x28, 0xFF] + Array(#""}"#.utf8) + [0],
            error: invalid, parameter: "message"),
        .init(
            "a number that is too large before the method",
            #"{"parameters":{"text":{"a":[1,1E+400]}},"method":"org.example.test.Echo"}"#,
            error: invalid, parameter: "text.a", closes: false),
        .init(
            "a number that is too large for an unknown parameter",
            #"{"method":"org.example.test.Echo","parameters":{"text":"x","more":1e999}}"#,
            error: invalid, parameter: "more", closes: false),
        .init(
            "two numbers that are too large", #"{"method":1e999,"more":1e999}"#, error: invalid, parameter: "message"),
        .init("a lone surrogate", #"{"method":"\ud800"}"#, error: invalid, parameter: "message"),
        .init("60000 opening brackets", String(repeating: "[", count: 60_000), error: invalid, parameter: "message"),
        .init(
            "60000 nested objects", String(repeating: #"{"a":"#, count: 12_000), error: invalid, parameter: "message"),
        .init(
            "deep nesting inside the parameters",
            #"{"method":"org.example.test.Echo","parameters":{"text":"#
                + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}}",
            error: invalid, parameter: "message"),
        .init(
            "1 MiB without an end", [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20),
            error: "org.example.test.LimitExceeded"),
        .init(
            "1 MiB of a call", Array(#"{"method":""#.utf8) + [UInt8](repeating: 97, count: 1 << 20) + [0],
            error: "org.example.test.LimitExceeded"),
        .init(
            "a number beyond all doubles",
            #"{"method":"org.example.test.Echo","parameters":{"text":"x","number":-1e400}}"#, error: invalid,
            parameter: "number", closes: false),
        .init(
            "a fraction for an integer", #"{"method":"org.example.test.Echo","parameters":{"text":"x","number":1.5}}"#,
            error: invalid, parameter: "number", closes: false),
        .init(
            "a parameter of another type", #"{"method":"org.example.test.Echo","parameters":{"text":7}}"#,
            error: invalid, parameter: "text", closes: false),
        .init(
            "a parameter that is missing", #"{"method":"org.example.test.Echo","parameters":{}}"#, error: invalid,
            parameter: "text", closes: false),
        .init(
            "no parameters at all", #"{"method":"org.example.test.Echo"}"#, error: invalid, parameter: "text",
            closes: false),
        .init(
            "an unknown parameter", #"{"method":"org.example.test.Echo","parameters":{"text":"x","nunber":1}}"#,
            error: invalid, parameter: "nunber", closes: false),
    ]
}

@Suite struct HostileInputTests {
    @Test("gets a named error and disturbs no other client", arguments: HostileMessage.all)
    func hostile(_ message: HostileMessage) throws {
        let server = try TestServer()
        let bystander = try RawClient(server)
        let client = try RawClient(server)
        try client.send(message.bytes)
        let reply = try client.reply()
        #expect(reply.error == message.error)
        #expect(reply.parameters?.parameter == message.parameter)
        if message.closes {
            #expect(try client.next() == nil)
        } else {
            try client.call("Echo", #"{"text":"still here"}"#)
            #expect(try client.reply().parameters?.text == "still here")
        }
        try bystander.call("Echo", #"{"text":"undisturbed"}"#)
        #expect(try bystander.reply().parameters?.text == "undisturbed")
    }

    @Test("calls before the garbage are answered")
    func garbageBehindCalls() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("Echo", #"{"text":"good"}"#)
        try client.send("garbage\0")
        #expect(try client.reply().parameters?.text == "good")
        #expect(try client.reply().error == HostileMessage.invalid)
        #expect(try client.next() == nil)
    }

    @Test("an unknown method, an unknown interface and a name without a dot get errors that name them")
    func unknown() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        try client.call("Unknown")
        let method = try client.reply()
        #expect(method.error == "org.varlink.service.MethodNotFound")
        #expect(method.parameters?.method == "org.example.test.Unknown")
        try client.send(#"{"method":"org.example.other.Echo"}"# + "\0")
        let interface = try client.reply()
        #expect(interface.error == "org.varlink.service.InterfaceNotFound")
        #expect(interface.parameters?.interface == "org.example.other")
        try client.send(#"{"method":"Echo"}"# + "\0")
        #expect(try client.reply().error == "org.varlink.service.InterfaceNotFound")
    }

    @Test("a method that is described but not there, and a call without an answer, get MethodNotImplemented")
    func notImplemented() throws {
        let server = try TestServer()
        let client = try RawClient(server)
        for method in ["NotThere", "Forgotten"] {
            try client.call(method)
            let reply = try client.reply()
            #expect(reply.error == "org.varlink.service.MethodNotImplemented")
            #expect(reply.parameters?.method == "org.example.test." + method)
        }
    }

    @Test("half a message and then the end disturbs no other client")
    func halfAndGone() throws {
        let server = try TestServer()
        let control = try RawClient(server)
        do {
            let client = try RawClient(server)
            try client.send(#"{"method":"org.exam"#)
        }
        try until(control) { $0.clients == 1 }
    }

    @Test("a client beyond the limit gets an error and is closed; there is room again once another has left")
    func tooManyClients() throws {
        var limits = ServerLimits()
        limits.clients = 3
        let server = try TestServer(limits: limits)
        var clients = try (0..<3).map { _ in try RawClient(server) }
        for client in clients {
            try client.call("Echo", #"{"text":"in"}"#)
            #expect(try client.reply().parameters?.text == "in")
        }
        let excess = try RawClient(server)
        try excess.call("Echo", #"{"text":"one too many"}"#)
        let reply = try excess.reply()
        #expect(reply.error == "org.example.test.LimitExceeded")
        #expect(reply.parameters?.limit == "clients")
        #expect(reply.parameters?.maximum == 3)
        #expect(try excess.next() == nil)
        clients.removeLast()
        try until(clients[0]) { $0.clients == 2 && $0.refused == 1 }
        let next = try RawClient(server)
        try next.call("Echo", #"{"text":"in"}"#)
        #expect(try next.reply().parameters?.text == "in")
    }

    @Test("the stream that is one too many gets a named error, and its connection goes on")
    func tooManyStreams() throws {
        var limits = ServerLimits()
        limits.streams = 1
        let server = try TestServer(limits: limits)
        let control = try RawClient(server)
        let watcher = try RawClient(server)
        try watcher.call("Watch", flags: #","more":true"#)
        try untilWatched(control)
        try control.call("Watch", flags: #","more":true"#)
        let reply = try control.reply()
        #expect(reply.error == "org.example.test.LimitExceeded")
        #expect(reply.parameters?.limit == "streams")
        try control.call("Echo", #"{"text":"goes on"}"#)
        #expect(try control.reply().parameters?.text == "goes on")
    }
}
