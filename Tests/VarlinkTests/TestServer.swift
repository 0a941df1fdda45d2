import Glibc
import JSON
import Linux
import TestTools
import Synchronization
import Testing

import Varlink

/// The interface that the tests' server has.
let testInterface = """
    # For tests.
    interface org.example.test

    type Tick (value: int, missed: ?int)

    # Gives back what it was given.
    method Echo(text: string, number: ?int) -> (text: string, number: ?int)

    # The same, read as a tree and written without an encoder.
    method Mirror(text: string, number: ?int) -> (text: string, number: ?int)

    # As many bytes as asked for.
    method Fill(size: int) -> (text: string)

    # Every tick that Publish makes, with `more`.
    method Watch() -> (tick: ?Tick, tock: ?Tick)

    # Makes `count` ticks and as many tocks.
    method Publish(count: int, padding: ?int) -> (watchers: int)

    # Answers only after another call of Release, from another client.
    method Hold(descriptor: ?int) -> (held: bool)
    method Release() -> ()

    # Counts `count` ticks as missed.
    method Skip(count: int) -> ()

    # Writes a byte into the second descriptor of the call, and waits for one from the first; nothing else is done then.
    method Block(descriptor: ?int) -> ()

    # Notes a text, after as many milliseconds of work; `patient` lets the calls that follow wait.
    method Mark(text: string, milliseconds: ?int, patient: ?bool) -> (text: string)

    # Notes the text and answers after a while, in which others are served.
    method Nap(text: string, milliseconds: int, descriptor: ?int) -> ()

    # The texts noted so far.
    method Marks() -> (marks: []string)

    # Ends all streams: with a last reply, or with an error.
    method EndStreams(fail: bool) -> ()

    # Who the caller is.
    method WhoAmI() -> (process: int, user: int, client: int)

    # Writes into the descriptor that came with the call.
    method WriteInto(text: string, descriptor: ?int) -> (descriptors: int)

    # How the server does.
    method Statistics() -> (clients: int, streams: int, missed: int, stalled: int, refused: int, gone: int, idle: int)

    method NotThere() -> ()
    method Forgotten() -> ()

    error Refused (reason: string)
    error LimitExceeded (limit: string, maximum: int)

    """

/// A server with the test interface on a thread and a socket of its own, until it is let go.
final class TestServer {
    let path: String
    private let thread: WorkerThread
    private let stop = EventDescriptor()
    private let folder = ScratchFolder()

    init(limits: ServerLimits = ServerLimits()) throws {
        path = folder.path + "/socket"
        let (path, stop) = (path, stop)
        let listening = StopFlag()
        thread = WorkerThread(name: "test server") { _ in
            do {
                try TestService(limits: limits).run(path: path, stop: stop) { listening.set() }
            } catch {
                Issue.record("the server failed: \(error)")
            }
        }
        #expect(listening.wait(seconds: 20), "the server does not listen")
    }

    deinit {
        stop.signal()
        #expect(thread.stop(timeoutSeconds: 20), "the server did not end")
        #expect(access(path, F_OK) != 0, "the socket is left behind")
    }
}

/// Parameters and reply of Mirror.
struct Mirrored: JSONReadable, JSONWritable, Equatable {
    var text: String
    var number: Int?

    init(text: String, number: Int? = nil) {
        self.text = text
        self.number = number
    }

    init(_ node: JSONNode) throws(DocumentProblem) {
        text = try node.required("text")
        number = try node.optional("number")
    }

    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("text", text)
        json.member("number", number)
        json.endObject()
    }
}

/// What runs on the server's thread.
private final class TestService: ClientObserver {
    private let reactor: Reactor
    private let server: VarlinkServer
    private var watchers: [ReplyStream] = []
    private var held: [Call] = []
    private var value = 0
    private var gone: [ClientIdentifier] = []
    private var marks: [String] = []

    private func mirror(_ call: Call) throws(VarlinkError) {
        let parameters = call.parameters
        do throws(DocumentProblem) {
            call.reply(json: try Mirrored(parameters))
        } catch {
            throw VarlinkError(name: "Refused", json: ["reason": error.path])
        }
    }

    private struct PublishParameters: JSONReadable {
        let count: Int
        let padding: Int?

        init(_ node: JSONNode) throws(DocumentProblem) {
            count = try node.required("count")
            padding = try node.optional("padding")
        }
    }

    init(limits: ServerLimits) throws {
        reactor = try Reactor()
        server = VarlinkServer(
            reactor,
            information: ServiceInformation(
                vendor: "Example", product: "Test", version: "1", url: "https://example.org"),
            limits: limits, limitError: "org.example.test.LimitExceeded")
        let description = try InterfaceText(text: testInterface).description
        server.observer = self
        server.register(description) { [unowned self] call throws(VarlinkError) in try answer(call) }
    }

    func run(path: String, stop: EventDescriptor, listening: () -> Void) throws {
        try server.listen(on: try UnixListener(path: path, mode: 0o600))
        try reactor.watch(stop.descriptor, .reading) { [unowned reactor, unowned server] _ in
            stop.clear()
            server.shutDown { reactor.stop() }
        }
        listening()
        reactor.run()
    }

    func clientHasGone(_ client: ClientIdentifier) { gone.append(client) }

    private func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "Echo": call.reply(json: try call.decode(Mirrored.self))
        case "Mirror": try mirror(call)
        case "Fill":
            let size = try call.decode([String: Int].self)["size"] ?? 0
            guard (0...10_000_000).contains(size) else {
                throw VarlinkError(name: "Refused", json: ["reason": "size"])
            }
            call.reply(json: ["text": String(repeating: "x", count: size)])
        case "Watch": watch(call)
        case "Publish": publish(call, try call.decode())
        case "Hold":
            begin(call)
            held.append(call)
        case "Release":
            for call in held { call.reply(json: ["held": true]) }
            held = []
            call.reply()
        case "EndStreams": endStreams(call, fail: try call.decode([String: Bool].self)["fail"] ?? false)
        case "WhoAmI":
            call.reply(json: [
                "process": Int(call.peer.process), "user": Int(call.peer.user), "client": Int(call.client.number),
            ])
        case "WriteInto":
            let text = try call.decode([String: String].self)["text"] ?? ""
            for file in call.descriptors { _ = write(file.descriptor, text, text.utf8.count) }
            call.reply(json: ["descriptors": call.descriptors.count])
        case "Statistics":
            let now = server.statistics
            call.reply(json: [
                "clients": now.clients, "streams": now.streams, "missed": now.missed, "stalled": now.stalled,
                "refused": now.refused, "gone": gone.count, "idle": watchers.count { $0.isIdle },
            ])
        case "Skip": skip(call, try call.decode([String: Int].self)["count"] ?? 0)
        case "Block":
            var byte: UInt8 = 1
            _ = write(call.descriptors[1].descriptor, &byte, 1)
            _ = read(call.descriptors[0].descriptor, &byte, 1)
            call.reply()
        case "Mark": mark(call, try call.decode())
        case "Nap": nap(call, try call.decode())
        case "Marks": call.reply(json: ["marks": marks])
        case "Forgotten": break
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private func watch(_ call: Call) {
        guard let stream = call.stream(topics: 2) else { return }
        watchers.append(stream)
        stream.onEnd = { [unowned self, unowned stream] in watchers.removeAll { $0 === stream } }
    }

    private func publish(_ call: Call, _ parameters: PublishParameters) {
        let padding = String(repeating: "p", count: parameters.padding ?? 0)
        for _ in 0..<parameters.count {
            value += 1
            for (topic, name) in ["tick", "tock"].enumerated() {
                let head = #"{"\#(name)":{"value":\#(value)"#
                let message = EncodedMessage(
                    parameters: Array((head + #","padding":"\#(padding)"}}"#).utf8), missedOffset: head.utf8.count)
                for watcher in watchers { watcher.offer(message, topic: topic) }
            }
        }
        call.reply(json: ["watchers": watchers.count])
    }

    private func skip(_ call: Call, _ count: Int) {
        for _ in 0..<count {
            value += 1
            for watcher in watchers { watcher.skip(topic: 0) }
        }
        call.reply()
    }

    private struct MarkParameters: JSONReadable {
        let text: String
        let milliseconds: Int?
        let patient: Bool?

        init(_ node: JSONNode) throws(DocumentProblem) {
            text = try node.required("text")
            milliseconds = try node.optional("milliseconds")
            patient = try node.optional("patient")
        }
    }

    private func nap(_ call: Call, _ parameters: MarkParameters) {
        begin(call)
        reactor.after(Int64(parameters.milliseconds ?? 0) * 1_000_000) { [unowned self] in
            marks.append(parameters.text)
            call.reply()
        }
    }

    /// Notes in the descriptors that came with a call that it has begun.
    private func begin(_ call: Call) { for file in call.descriptors { _ = write(file.descriptor, "b", 1) } }

    private func mark(_ call: Call, _ parameters: MarkParameters) {
        let end = Reactor.now + Int64(parameters.milliseconds ?? 0) * 1_000_000
        while Reactor.now < end {}
        marks.append(parameters.text)
        if parameters.patient == true { call.letFollowingWait() }
        call.reply(json: ["text": parameters.text])
    }

    private func endStreams(_ call: Call, fail: Bool) {
        for watcher in watchers {
            if fail {
                watcher.fail(VarlinkError(name: "org.example.test.Refused", json: ["reason": "the end"]))
            } else {
                watcher.finish()
            }
        }
        watchers = []
        call.reply()
    }
}
