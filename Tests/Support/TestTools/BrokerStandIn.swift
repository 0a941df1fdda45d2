import Glibc

/// A broker of MQTT 3.1.1 that answers as a test wants. It works in `turn()` alone, which the test calls often.
public final class BrokerStandIn {
    /// A message of a client: its kind and flags, by section 2.2, and what follows the length.
    public struct Message: Equatable, Sendable {
        public var kind: UInt8
        public var flags: UInt8
        public var body: [UInt8]

        /// Whether a publication is to be kept for those who subscribe later.
        public var isRetained: Bool { flags & 1 != 0 }

        /// Topic and payload of a publication of QoS 1.
        public var publication: (topic: String, payload: String)? {
            guard kind == BrokerStandIn.publish, body.count >= 4 else { return nil }
            let topicEnd = 2 + Int(body[0]) << 8 + Int(body[1])
            guard topicEnd + 2 <= body.count else { return nil }
            return (
                String(decoding: body[2..<topicEnd], as: UTF8.self),
                String(decoding: body[(topicEnd + 2)...], as: UTF8.self)
            )
        }

        fileprivate var number: [UInt8] {
            let topicEnd = 2 + Int(body[0]) << 8 + Int(body[1])
            return Array(body[topicEnd..<(topicEnd + 2)])
        }
    }

    public static let (connect, publish, subscribe, disconnect) = (UInt8(1), UInt8(3), UInt8(8), UInt8(14))
    /// The answer to a client that is welcome.
    public static let acceptance: [UInt8] = [0x20, 2, 0, 0]

    public let port: UInt16
    /// Sent to each client that connects.
    public var greeting: [UInt8]
    /// Whether a publication is acknowledged.
    public var acknowledges: (Message) -> Bool = { _ in true }
    /// Whether subscriptions are granted; nil for one that does not answer them.
    public var grants: Bool? = true
    /// Whether it reads at all.
    public var listens = true
    /// Messages of each connection, the oldest first; those that said nothing left out.
    public private(set) var conversations: [[Message]] = []
    /// Number of connections that the client has ended.
    public private(set) var ended = 0

    private let listener: Int32
    private var client: Int32 = -1
    private var input: [UInt8] = []
    private var hasSpoken = false

    public init(greeting: [UInt8] = acceptance) {
        self.greeting = greeting
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        let listener = listener
        let isListening = LoopbackAddress(port: 0).withSocketAddress {
            bind(listener, $0, $1) == 0 && listen(listener, 8) == 0
        }
        precondition(isListening, "a broker cannot listen")
        port = LoopbackAddress.port(of: listener)
    }

    deinit {
        end()
        close(listener)
    }

    /// Accepts, reads and answers what there is.
    public func turn() {
        guard listens else { return }
        if client < 0 { accept() }
        guard client >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(client, &bytes, bytes.count, 0)
        if count > 0 {
            input += bytes[..<count]
            while let message = nextMessage() { answer(message) }
        } else if count == 0 || errno != EAGAIN {
            if hasSpoken { ended += 1 }
            end()
        }
    }

    /// Sends bytes to the client, as much as it takes.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Int {
        client < 0 ? 0 : max(0, Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)))
    }

    /// Closes the connection to the client.
    public func end() {
        if client >= 0 { close(client) }
        client = -1
        input = []
        hasSpoken = false
    }

    private func accept() {
        client = Glibc.accept(listener, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFL, O_NONBLOCK) }
    }

    /// By sections 2.2.1 and 2.2.3.
    private func nextMessage() -> Message? {
        var (length, shift, head) = (0, 0, 1)
        while true {
            guard head < input.count, shift < 28 else { return nil }
            let digit = input[head]
            length |= Int(digit & 0x7F) << shift
            (shift, head) = (shift + 7, head + 1)
            if digit & 0x80 == 0 { break }
        }
        guard input.count >= head + length else { return nil }
        let message = Message(kind: input[0] >> 4, flags: input[0] & 0x0F, body: Array(input[head..<(head + length)]))
        input.removeFirst(head + length)
        return message
    }

    private func answer(_ message: Message) {
        // A connection without a word only tries whether the broker can be reached.
        if !hasSpoken { conversations.append([]) }
        hasSpoken = true
        conversations[conversations.count - 1].append(message)
        switch message.kind {
        case Self.connect: send(greeting)
        case Self.publish where acknowledges(message): send([0x40, 2] + message.number)
        case Self.subscribe: if let grants { send([0x90, 3] + message.body[..<2] + [grants ? 1 : 0x80]) }
        default: break
        }
    }
}
