import Linux
import Fleet
import TestTools
import Testing

@Suite("Broker connection")
struct BrokerConnectionTests {
    /// A connection to stand-ins on one reactor, and what it reported.
    private final class Meeting {
        let brokers: [BrokerStandIn]
        let reactor: Reactor
        private(set) var events: [BrokerConnection.Event] = []
        /// Numbers of two kinds among them, which may be many.
        private(set) var messageCount = 0
        private(set) var failureCount = 0
        private(set) var connection: BrokerConnection!

        init(_ brokers: [BrokerStandIn], _ access: BrokerAccess = BrokerAccess(clientIdentifier: "ada")) throws {
            self.brokers = brokers
            reactor = try Reactor()
            reactor.every(1_000_000) { brokers.forEach { $0.turn() } }
            connection = try BrokerConnection(
                reactor, access, brokers: try brokers.map { try BrokerAddress("mqtt://127.0.0.1:\($0.port)") }
            ) { [unowned self] in
                events.append($0)
                switch $0 {
                case .received: messageCount += 1
                case .failed: failureCount += 1
                default: break
                }
            }
        }

        deinit { connection.close() }

        func run(until isDone: () -> Bool) {
            while !isDone() {
                connection.takeArrived()
                reactor.runOnce()
            }
        }

        var acknowledged: [Int32] {
            events.compactMap { if case .acknowledged(let number) = $0 { number } else { nil } }
        }
        var received: [BrokerMessage] {
            events.compactMap { if case .received(let message) = $0 { message } else { nil } }
        }
        var failures: [String] {
            events.compactMap { if case .failed(_, let reason) = $0 { reason } else { nil } }
        }
        /// Ports of the brokers that accepted, in order.
        var accepted: [UInt16] {
            events.compactMap { if case .connected(let broker) = $0 { UInt16(broker.port) } else { nil } }
        }
        var granted: [Bool] {
            events.compactMap { if case .subscribed(let isGranted) = $0 { isGranted } else { nil } }
        }
    }

    private static func reader() -> BrokerAccess {
        var access = BrokerAccess(clientIdentifier: "ada")
        access.subscription = "waymark/#"
        return access
    }

    /// A publication of QoS 0.
    private static func publication(_ topic: String, _ payload: [UInt8]) -> [UInt8] {
        let body = [0, UInt8(topic.utf8.count)] + Array(topic.utf8) + payload
        return [0x30] + remainingLength(body.count) + body
    }

    /// By section 2.2.3.
    private static func remainingLength(_ count: Int) -> [UInt8] {
        var (rest, digits) = (count, [UInt8]())
        repeat {
            digits.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return digits
    }

    // MARK: - Sessions

    @Test("Messages arrive in order, and each is acknowledged by its own number")
    func acknowledgements() throws {
        let broker = BrokerStandIn()
        let meeting = try Meeting([broker])
        meeting.run { !meeting.accepted.isEmpty }
        let numbers = (0..<10).compactMap { meeting.connection.publish("a/\($0)", [UInt8(ascii: "x")]) }
        #expect(Set(numbers).count == 10)
        meeting.run { meeting.acknowledged.count == 10 }
        #expect(meeting.acknowledged == numbers)
        #expect(broker.conversations[0].compactMap { $0.publication?.topic } == (0..<10).map { "a/\($0)" })
    }

    @Test("A connection begins without the messages of the one before")
    func fresh() throws {
        let broker = BrokerStandIn()
        broker.acknowledges = { _ in false }
        let meeting = try Meeting([broker])
        meeting.run { !meeting.accepted.isEmpty }
        let first = try #require(meeting.connection.publish("a", [UInt8(ascii: "1")]))
        meeting.run { broker.conversations[0].contains { $0.publication != nil } }
        broker.end()
        meeting.run { meeting.failures.count == 1 }
        #expect(meeting.connection.publish("a", [UInt8(ascii: "2")]) == nil)
        broker.acknowledges = { _ in true }
        meeting.run { meeting.accepted.count == 2 }
        _ = try #require(meeting.connection.publish("a", [UInt8(ascii: "3")]))
        meeting.run { !meeting.acknowledged.isEmpty }
        #expect(broker.conversations[1].compactMap { $0.publication?.payload } == ["3"])
        #expect(meeting.failures == ["the broker closed the connection"])
        // Numbers are those of a connection: the caller forgets those of the one before.
        #expect(meeting.acknowledged.count == 1 && first > 0)
    }

    @Test("Of several brokers the next one is tried at once, and one that is left is not taken again first")
    func cluster() throws {
        let (refusing, accepting) = (BrokerStandIn(greeting: [0x20, 2, 0, 3]), BrokerStandIn())
        let meeting = try Meeting([refusing, accepting])
        meeting.run { !meeting.accepted.isEmpty }
        #expect(meeting.failures == ["the broker is not available"])
        #expect(meeting.accepted == [accepting.port])
        refusing.greeting = BrokerStandIn.acceptance
        meeting.connection.leave()
        meeting.run { meeting.accepted.count == 2 }
        #expect(meeting.failures.last == "the broker does not acknowledge what it is sent")
        #expect(meeting.accepted.last == refusing.port)
    }

    @Test("A client that ends takes leave, after its last message")
    func farewell() throws {
        let broker = BrokerStandIn()
        let meeting = try Meeting([broker])
        meeting.run { !meeting.accepted.isEmpty }
        _ = meeting.connection.publish("a", [UInt8(ascii: "x")])
        meeting.connection.close()
        while broker.ended == 0 { broker.turn() }
        #expect(broker.conversations[0].map(\.kind).suffix(2) == [BrokerStandIn.publish, BrokerStandIn.disconnect])
    }

    @Test("A subscription is granted or not, and its messages come in order", arguments: [true, false])
    func subscription(isGranted: Bool) throws {
        let broker = BrokerStandIn()
        broker.grants = isGranted
        let meeting = try Meeting([broker], Self.reader())
        meeting.run { !meeting.granted.isEmpty }
        #expect(meeting.granted == [isGranted])
        broker.send(Self.publication("waymark/a", [1]) + Self.publication("waymark/b", []))
        meeting.run { meeting.received.count == 2 }
        #expect(meeting.received.map(\.topic) == ["waymark/a", "waymark/b"])
        #expect(meeting.received.map(\.payload) == [[1], []])
    }

    @Test("A reader that is behind makes the broker wait, and loses nothing")
    func flood() throws {
        let broker = BrokerStandIn()
        let meeting = try Meeting([broker], Self.reader())
        meeting.run { !meeting.granted.isEmpty }
        // More bytes than both sockets hold, in few messages: each costs the library several system calls.
        let message = Self.publication("waymark/a", [UInt8](repeating: 0, count: 3000))
        var flood: [UInt8] = []
        for _ in 0..<4000 { flood += message }
        var (sent, hasWaited) = (0, false)
        meeting.run {
            let offer = flood[sent..<min(sent + 1_000_000, flood.count)]
            let taken = offer.isEmpty ? 0 : broker.send(Array(offer))
            hasWaited = hasWaited || taken < offer.count
            sent += taken
            // The flood is sent once: after a lost connection there is nothing to wait for.
            return meeting.messageCount == 4000 || meeting.failureCount > 0
        }
        #expect(meeting.failures.isEmpty)
        #expect(hasWaited)
    }

    @Test("A broker that does not answer, to the connection or to the subscription, is left by name for the next one")
    func silence() throws {
        let (mute, deaf, next) = (BrokerStandIn(greeting: []), BrokerStandIn(), BrokerStandIn())
        deaf.grants = nil
        var access = Self.reader()
        access.patience = 0.3
        let meeting = try Meeting([mute, deaf, next], access)
        meeting.run { !meeting.granted.isEmpty }
        #expect(
            meeting.failures == [
                "the broker does not accept the connection", "the broker does not answer the subscription",
            ])
        #expect(meeting.accepted == [deaf.port, next.port])
    }

    // MARK: - Brokers that lie

    @Test(
        "What a broker may not say ends the connection, by a reason",
        arguments: [
            ([], "the broker closed the connection"),
            // Within the answer to the first message.
            ([0x20, 2], "the broker closed the connection"),
            ([0x20, 2, 0, 0], "the broker closed the connection"),
            (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "the broker closed the connection"),
            ([0x20, 2, 0, 4], "the broker refuses user name or password"),
            ([0x20, 2, 0, 5], "the broker does not permit this client"),
            ([0x20, 2, 0, 0x77], "the broker refuses the connection"),
            ([0x20, 2, 0, 0, 0x20, 2, 0, 0], "the broker accepts the connection twice"),
        ] as [([UInt8], String)])
    func end(answer: [UInt8], reason: String) throws {
        let broker = BrokerStandIn(greeting: answer)
        let meeting = try Meeting([broker])
        // One that has nothing wrong to say yet closes.
        meeting.run { !broker.conversations.isEmpty }
        broker.end()
        meeting.run { !meeting.failures.isEmpty }
        #expect(meeting.failures.first == reason)
    }

    private static let offences: [[UInt8]] = {
        let zeros = [UInt8](repeating: 0, count: 64)
        let ones = [UInt8](repeating: 0xFF, count: 5000)
        let message = publication("waymark/bob/pose", [UInt8](repeating: 0, count: 1000))
        // Of QoS 2, about a topic "a".
        var second: [UInt8] = [0x34, 69, 0, 1, 0x61, 0, 1]
        second += zeros
        let reserved: [UInt8] = [0xF0, 0]
        return [zeros, ones] + [message, second, reserved].map { BrokerStandIn.acceptance + $0 }
    }()

    @Test(
        "Bytes that are no MQTT, and messages without a subscription, end the connection and bring nothing",
        arguments: offences)
    func offence(answer: [UInt8]) throws {
        let broker = BrokerStandIn(greeting: answer)
        let meeting = try Meeting([broker])
        meeting.run { !meeting.failures.isEmpty }
        #expect(meeting.received.isEmpty && meeting.acknowledged.isEmpty)
        #expect(try #require(meeting.failures.first).isEmpty == false)
    }

    private static let answers: [[UInt8]] = [
        // PINGRESP, PUBACK, UNSUBACK and SUBACK.
        [0xD0, 0], [0x40, 2, 0xFF, 0xFF], [0xB0, 2, 0, 1], [0x90, 3, 0, 1, 1],
    ]

    @Test("Endless answers to what was never asked end the connection, of readers too", arguments: answers)
    func unasked(answer: [UInt8]) throws {
        for access in [BrokerAccess(clientIdentifier: "ada"), Self.reader()] {
            let broker = BrokerStandIn(
                greeting: BrokerStandIn.acceptance + [UInt8]((0..<1100).map { _ in answer }.joined()))
            let meeting = try Meeting([broker], access)
            meeting.run { !meeting.failures.isEmpty }
            #expect(meeting.failures == ["the broker sends answers that nothing asked for"])
        }
    }

    @Test("An answer of any length ends the connection before it is whole")
    func giant() throws {
        let begin: [UInt8] = [0xD0, 0xFF, 0xFF, 0xFF, 0x7F]
        let broker = BrokerStandIn(
            greeting: BrokerStandIn.acceptance + begin + [UInt8](repeating: 0, count: 300_000))
        let meeting = try Meeting([broker])
        meeting.run { !meeting.failures.isEmpty }
        #expect(meeting.failures == ["the broker sends more than answers need"])
    }

    @Test("Answers that are owed never end a connection, however many")
    func owed() throws {
        let broker = BrokerStandIn()
        let meeting = try Meeting([broker])
        meeting.run { !meeting.accepted.isEmpty }
        for _ in 0..<2500 { _ = meeting.connection.publish("a", [UInt8(ascii: "x")]) }
        meeting.run { meeting.acknowledged.count == 2500 || !meeting.failures.isEmpty }
        #expect(meeting.failures.isEmpty)
    }

    @Test("Acknowledgements of what was never sent are not taken for those of what was")
    func unknown() throws {
        let broker = BrokerStandIn(
            greeting: BrokerStandIn.acceptance + [UInt8]((0..<100).map { _ in [0x40, 2, 0xFF, 0xFF] }.joined()))
        let meeting = try Meeting([broker])
        meeting.run { !meeting.accepted.isEmpty }
        let number = try #require(meeting.connection.publish("a", [UInt8(ascii: "x")]))
        meeting.run { meeting.acknowledged.contains(number) || !meeting.failures.isEmpty }
        #expect(meeting.acknowledged == [number])
    }
}
