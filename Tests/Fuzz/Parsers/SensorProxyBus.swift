import Bridges
import CSensorProxy
import Glibc
import Linux
import TestTools

/// A bus with one service, the bridge's sensors, made anew for each input: the service is sent real messages of D-Bus
/// over a socket.
///
/// An input is lines: `call` or `signal`, with path, interface, member, sender and arguments, apart by spaces, numbers
/// as arguments being unsigned; and `name`, with the bus's answer to the request for a name: a number, or an error with
/// its text. Other inputs are sent to the service as they are, once it has its name.
final class SensorProxyBus {
    private let reactor: Reactor
    private let folder = ScratchFolder()
    private let listener: UnixListener
    private let poses: PoseSource

    init() {
        do {
            reactor = try Reactor()
            listener = try UnixListener(path: folder.path + "/bus", mode: 0o600)
        } catch {
            preconditionFailure("no bus: \(error)")
        }
        poses = absentPoses(folder)
    }

    /// libFuzzer's timer interrupts calls.
    private func accepted() -> Int32 {
        while true {
            let descriptor = accept(listener.descriptor, nil, nil)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    func serve(_ bytes: [UInt8]) {
        let output = SensorProxyOutput(reactor, poses: poses, bus: "unix:path=\(folder.path)/bus") { true }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(64).map { BusLine(bytes: $0) }
        let client = BusClient(accepted(), nameAnswer: lines.first { $0.kind == "name" })
        for _ in 0..<8 { turn(client) }
        for line in lines { client.send(line) }
        turn(client)
        if lines.allSatisfy({ !$0.isKnown }) { client.send(raw: bytes) }
        for _ in 0..<4 { turn(client) }
        output.close()
        client.end()
    }

    private func turn(_ client: BusClient) {
        reactor.runOnce(milliseconds: 0)
        client.answer()
    }
}

/// Words of a line, apart by spaces.
private struct BusLine {
    let kind: String
    let words: [String]

    init(bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).prefix(32)
        // Texts of C end at a zero.
        let texts = parts.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        kind = texts[0]
        words = Array(texts.dropFirst())
    }

    var isKnown: Bool { ["call", "signal", "name"].contains(kind) }
}

/// The bus's end of a connection, by sd-bus as a server.
private final class BusClient {
    private let bus: OpaquePointer
    private let nameAnswer: BusLine?

    init(_ descriptor: Int32, nameAnswer: BusLine?) {
        var made: OpaquePointer?
        precondition(descriptor >= 0 && sd_bus_new(&made) >= 0, "the service does not connect")
        bus = made!
        self.nameAnswer = nameAnswer
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let isStarted =
            sd_bus_set_fd(bus, descriptor, descriptor) >= 0 && sd_bus_set_server(bus, 1, sd_id128_t()) >= 0
            && sd_bus_start(bus) >= 0
        precondition(isStarted, "the bus does not start")
    }

    func end() { sd_bus_close_unref(bus) }

    /// Answers what the service has asked for.
    func answer() {
        var message: OpaquePointer?
        while sd_bus_process(bus, &message) > 0 {
            guard let asked = message else { continue }
            if sd_bus_message_is_method_call(asked, nil, nil) > 0 { answer(asked) }
            sd_bus_message_unref(asked)
            message = nil
        }
    }

    private func answer(_ call: OpaquePointer) {
        switch sd_bus_message_get_member(call).map({ String(cString: $0) }) {
        case "Hello": send(reply(to: call), arguments: [":1.0"])
        case "RequestName":
            guard let nameAnswer else { return send(reply(to: call), arguments: ["1"]) }
            let isError = nameAnswer.words.first.map { UInt32($0) == nil } ?? false
            send(isError ? refusal(of: call, nameAnswer) : reply(to: call), arguments: isError ? [] : nameAnswer.words)
        default: send(reply(to: call), arguments: [])
        }
    }

    private func reply(to call: OpaquePointer) -> OpaquePointer? {
        var made: OpaquePointer?
        return sd_bus_message_new_method_return(call, &made) < 0 ? nil : made
    }

    private func refusal(of call: OpaquePointer, _ line: BusLine) -> OpaquePointer? {
        var made: OpaquePointer?
        return line.words[0].withCString { name in
            line.words.dropFirst().joined(separator: " ").withCString { text in
                var error = sd_bus_error()
                error.name = name
                error.message = text
                return sd_bus_message_new_method_error(call, &made, &error) < 0 ? nil : made
            }
        }
    }

    /// Sends a call or a signal; nothing for what D-Bus itself does not permit.
    func send(_ line: BusLine) {
        guard line.kind == "call" || line.kind == "signal", line.words.count >= 4 else { return }
        var made: OpaquePointer?
        let (path, interface, member) = (line.words[0], line.words[1], line.words[2])
        let result =
            line.kind == "call"
            ? sd_bus_message_new_method_call(bus, &made, "net.hadess.SensorProxy", path, interface, member)
            : sd_bus_message_new_signal(bus, &made, path, interface, member)
        guard result >= 0, let made else { return }
        if !line.words[3].isEmpty { sd_bus_message_set_sender(made, line.words[3]) }
        send(made, arguments: Array(line.words.dropFirst(4)))
    }

    private func send(_ message: OpaquePointer?, arguments: [String]) {
        guard let message else { return }
        for argument in arguments {
            if var number = UInt32(argument) {
                sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number)
            } else {
                argument.withCString { _ = sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
            }
        }
        sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
    }

    /// Sends bytes as they are.
    func send(raw bytes: [UInt8]) { _ = Glibc.send(sd_bus_get_fd(bus), bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
}
