import Configuration
import Fleet
import Linux
import TestTools
import Testing

@Suite("Wearer at a broker")
struct WearerPublisherTests {
    private let folder = ScratchFolder()
    private let topics = FleetTopics(root: "waymark", identifier: "ada")

    /// A wearer and a stand-in on one reactor.
    private final class Wearer {
        let broker: BrokerStandIn
        let queue: OutboundQueue
        let publisher: WearerPublisher
        private let reactor: Reactor

        init(_ broker: BrokerStandIn, _ folder: ScratchFolder, _ topics: FleetTopics) throws {
            self.broker = broker
            reactor = try Reactor()
            reactor.every(1_000_000) { broker.turn() }
            queue = try OutboundQueue(
                folder: folder.path, limit: 1_000_000, owner: "ada", bootIdentifier: "first",
                clock: ClockReading(offset: 0, quality: .system), now: BootClock.nanoseconds)
            publisher = try WearerPublisher(
                reactor, topics, BrokerAccess(clientIdentifier: "ada"),
                brokers: [BrokerAddress("mqtt://127.0.0.1:\(broker.port)")], queue: queue, version: "1")
        }

        deinit { publisher.close() }

        func pose(_ number: Int) {
            publisher.publish(.pose, time: Int64(number), body: Array(#""number":\#(number)"#.utf8))
        }

        func run(until isDone: () -> Bool) {
            let isSettled = reactor.settle(isDone)
            #expect(isSettled)
        }

        /// Numbers of the poses that came over a connection, in order.
        func poses(_ connection: Int, _ topics: FleetTopics) -> [Int] {
            guard connection < broker.conversations.count else { return [] }
            return broker.conversations[connection].compactMap(\.publication).filter { $0.topic == topics.pose }
                .compactMap { $0.payload.split(separator: "number\":").last.flatMap { Int($0.dropLast()) } }
        }
    }

    @Test("What waited for the broker comes in order, and no more is under way than a restart may repeat")
    func window() throws {
        let broker = BrokerStandIn()
        broker.listens = false
        broker.acknowledges = { [topics] in $0.publication?.topic != topics.pose }
        let wearer = try Wearer(broker, folder, topics)
        for number in 0..<50 { wearer.pose(number) }
        #expect(wearer.publisher.statusLine.hasSuffix("50 messages wait"))
        broker.listens = true
        wearer.run { wearer.poses(0, topics).count == WearerPublisher.window }
        broker.end()
        wearer.run { wearer.poses(1, topics).count == WearerPublisher.window }
        #expect(wearer.poses(0, topics) == Array(0..<WearerPublisher.window))
        #expect(wearer.poses(1, topics) == Array(0..<WearerPublisher.window))
    }

    @Test("What was not acknowledged before a connection ended is sent again over the next, ahead of all else")
    func again() throws {
        let broker = BrokerStandIn()
        let wearer = try Wearer(broker, folder, topics)
        for number in 0..<10 { wearer.pose(number) }
        wearer.run { wearer.publisher.counts.published >= 10 && wearer.publisher.counts.poses == 0 }
        broker.acknowledges = { _ in false }
        for number in 10..<15 { wearer.pose(number) }
        wearer.run { wearer.poses(0, topics).count == 15 }
        broker.end()
        for number in 15..<18 { wearer.pose(number) }
        broker.acknowledges = { _ in true }
        wearer.run { wearer.publisher.counts.poses == 0 }
        #expect(wearer.poses(1, topics) == Array(10..<18))
        #expect(wearer.publisher.counts.connections == 2)
    }

    @Test("State is retained, first to come, and the broker has a will for the wearer's loss")
    func state() throws {
        let broker = BrokerStandIn()
        let wearer = try Wearer(broker, folder, topics)
        wearer.pose(0)
        wearer.run { wearer.publisher.counts.published >= 1 }
        let messages = broker.conversations[0]
        #expect(messages[0].kind == BrokerStandIn.connect)
        let greeting = String(decoding: messages[0].body, as: UTF8.self)
        #expect(greeting.contains(topics.state))
        #expect(messages[1].publication?.topic == topics.state && messages[1].isRetained)
        #expect(messages[2].publication?.topic == topics.pose && !messages[2].isRetained)
    }

    @Test("A broker that refuses is named with its reason, and what is published waits")
    func refused() throws {
        let broker = BrokerStandIn(greeting: [0x20, 2, 0, 4])
        let wearer = try Wearer(broker, folder, topics)
        for number in 0..<3 { wearer.pose(number) }
        wearer.run { wearer.publisher.statusLine.contains("refuses") }
        let reason = "mqtt://127.0.0.1:\(broker.port): the broker refuses user name or password"
        #expect(wearer.publisher.statusLine == "no connection (\(reason)), 3 messages wait")
        broker.greeting = BrokerStandIn.acceptance
        wearer.run { wearer.publisher.counts.poses == 0 }
        #expect(wearer.poses(broker.conversations.count - 1, topics) == [0, 1, 2])
    }
}
