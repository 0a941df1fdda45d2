import JSON
import Linux
import Synchronization
import TestTools
import Varlink
import WaymarkInterface

/// A daemon's socket whose answers a test chooses, on a thread of its own.
public final class StandInDaemon {
    /// What a method is answered with, as JSON.
    public enum Answer: Sendable {
        case reply(String)
        /// An error of the method's interface, with its parameters.
        case refusal(String, String = "{}")
        /// One reply of a stream, which goes on without another.
        case stream(String)
        /// None, however long one waits.
        case silence
    }

    public let path: String
    private let folder = ScratchFolder()
    private let script = Script()
    private var stop = EventDescriptor()
    private var thread: WorkerThread?

    /// Names of the methods that were called, such as `Scene.GetRoute`, with their parameters.
    private final class Script: Sendable {
        let answers = Mutex<[String: Answer]>([:])
        let calls = Mutex<[(method: String, parameters: String)]>([])
    }

    /// - Parameter answers: by interface and method, such as `Scene.GetRoute`; others are not implemented.
    public init(_ answers: [String: Answer] = [:]) {
        path = folder.path + "/socket"
        script.answers.withLock { $0 = answers }
        start()
    }

    deinit { end() }

    public subscript(method: String) -> Answer? {
        get { script.answers.withLock { $0[method] } }
        set { script.answers.withLock { $0[method] = newValue } }
    }

    /// Parameters of the calls of a method, the oldest first.
    public func calls(of method: String) -> [String] {
        script.calls.withLock { $0.filter { $0.method == method }.map(\.parameters) }
    }

    /// Begins to listen, also after `end`.
    public func start() {
        let (path, stop, script, listening) = (path, EventDescriptor(), script, StopFlag())
        self.stop = stop
        thread = WorkerThread(name: "stand-in") { _ in
            do {
                try Self.serve(path, stop, script) { listening.set() }
            } catch {
                preconditionFailure("the stand-in failed: \(error)")
            }
        }
        precondition(listening.wait(seconds: 60), "the stand-in does not listen")
    }

    /// As the end of a daemon: connections are closed.
    public func end() {
        stop.signal()
        precondition(thread?.stop(timeoutSeconds: 60) != false, "the stand-in did not end")
        thread = nil
    }

    private static func serve(
        _ path: String, _ stop: EventDescriptor, _ script: Script, listening: () -> Void
    ) throws {
        let reactor = try Reactor()
        let server = VarlinkServer(
            reactor, information: ServiceInformation(vendor: "", product: "", version: "", url: ""),
            limits: ServerLimits(), limitError: "org.waymark.Status.LimitExceeded")
        let kept = Kept()
        let interfaces = [
            PoseInterface.text, SceneInterface.text, StatusInterface.text, CalibrationInterface.text, AidInterface.text,
        ]
        for text in interfaces {
            server.register(try InterfaceText(text: text).description) { answer($0, script, kept) }
        }
        try server.listen(on: try UnixListener(path: path, mode: 0o600))
        try reactor.watch(stop.descriptor, .reading) { [unowned reactor, unowned server] _ in
            server.shutDown { reactor.stop() }
        }
        listening()
        withExtendedLifetime((server, kept)) { reactor.run() }
    }

    /// What ends as soon as it is let go of.
    private final class Kept {
        var streams: [ReplyStream] = []
        var calls: [Call] = []
    }

    private static func answer(_ call: Call, _ script: Script, _ kept: Kept) {
        let method = "\(call.interface.split(separator: ".").last ?? "").\(call.method)"
        var parameters = JSONWriter()
        call.parameters.write(into: &parameters)
        let text = String(decoding: parameters.bytes, as: UTF8.self)
        script.calls.withLock { $0.append((method, text)) }
        switch script.answers.withLock({ $0[method] }) {
        case .reply(let text): call.reply(bytes: Array(text.utf8))
        case .refusal(let name, let parameters):
            call.fail(VarlinkError(name: name, parameters: Array(parameters.utf8)))
        case .stream(let text):
            guard let stream = call.stream() else { return }
            stream.offer(EncodedMessage(parameters: Array(text.utf8)))
            kept.streams.append(stream)
        case .silence: kept.calls.append(call)
        case nil: call.fail(.methodNotImplemented(method))
        }
    }
}
