import Configuration
import Linux

/// Publishes one wearer's messages at a broker. Poses and events go through the queue on disk, and state and health go
/// to the broker directly.
///
/// Messages are sent in the order of the queue. The number of unacknowledged messages is limited, so that a restart
/// repeats no more than the window.
package final class WearerPublisher {
    private let reactor: Reactor
    private let topics: FleetTopics
    private let version: String
    private let queue: OutboundQueue
    private var connection: BrokerConnection?
    private var timer: TimerIdentifier?

    /// A message that was sent but not acknowledged.
    private struct Sent {
        /// Position in the queue; nil for state and health.
        var id: Int64?
        /// Time of sending, CLOCK_BOOTTIME. Unit: ns.
        var time: Int64
    }

    /// Unacknowledged messages. The key is the number with which the broker will acknowledge a message.
    private var inFlight: [Int32: Sent] = [:]
    private var isConnected = false
    private var published: Int64 = 0
    private var connections: Int64 = 0
    /// Last logged reason why there is no connection.
    private var failure: String?

    /// The state; a change is published within a second, if there is a connection.
    package var state = StateMessage() { didSet { isStateNew = isStateNew || state != oldValue } }
    private var isStateNew = false

    /// Maximum number of messages that a restart of the program repeats.
    package static let window = 20
    /// Maximum number of unacknowledged state and health messages.
    private static let maximumUnqueuedCount = 4
    /// Time without an acknowledgement after which the publisher switches to the next broker. Unit: ns.
    private static let patience: Int64 = 20_000_000_000
    /// Interval of the timer. Unit: ns.
    private static let interval: Int64 = 1_000_000_000

    /// Starts connecting.
    ///
    /// - Parameter access: identity of the wearer at the broker; the last will is set here.
    package init(
        _ reactor: Reactor, _ topics: FleetTopics, _ access: BrokerAccess, brokers: [BrokerAddress],
        queue: OutboundQueue, version: String
    ) throws(SystemError) {
        self.reactor = reactor
        self.topics = topics
        self.queue = queue
        self.version = version
        var access = access
        access.will = BrokerAccess.Will(topic: topics.state, payload: StateMessage.will)
        access.window = Self.window
        connection = try BrokerConnection(reactor, access, brokers: brokers) { [unowned self] in take($0) }
        timer = reactor.every(Self.interval) { [unowned self] in tick() }
    }

    /// Counts of the queue and of this run, for the health message.
    package var counts: HealthMessage.Counts {
        var counts = queue.counts
        counts.published = published
        counts.connections = connections
        return counts
    }

    /// Text for the service manager's status line.
    package var statusLine: String {
        let waiting = counts.poses + counts.events
        if let problem = queue.problem { return "the queue cannot be written: \(problem)" }
        guard isConnected else { return "no connection (\(failure ?? "connecting")), \(waiting) messages wait" }
        return "connected, \(waiting) messages wait"
    }

    // MARK: - Input

    /// Publishes a pose, which is encoded for Waymark's topic or for OwnTracks' topic.
    package func publish(_ topic: OutboundQueue.Topic, time: Int64, body: [UInt8]) {
        // Acknowledged messages are removed in the transaction that adds this message, so that the table stays within
        // one page.
        connection?.takeArrived()
        queue.add(topic, time: time, body: body)
        send()
    }

    package func publishEvent(time: Int64, body: [UInt8], cursor: Int64?) {
        queue.addEvent(time: time, body: body, cursor: cursor)
        send()
    }

    /// Publishes health; only the newest is relevant, so it is not queued.
    package func publish(_ health: HealthMessage) {
        sendUnqueued(topics.health, health.message(time: BootClock.nanoseconds, clock: queue.clock), isRetained: false)
    }

    /// Disconnects from the broker. Waiting messages stay in the file.
    package func close() {
        if let timer { reactor.cancel(timer) }
        timer = nil
        if isConnected {
            let farewell = StateMessage.farewell(time: BootClock.nanoseconds, clock: queue.clock)
            _ = connection?.publish(topics.state, farewell, isRetained: true)
        }
        connection?.close()
        connection = nil
        queue.flush()
    }

    // MARK: - Output

    private func send() {
        guard isConnected, room > 0, let connection else { return }
        let now = BootClock.nanoseconds
        for entry in queue.entries(after: queue.sentUpTo, count: room) {
            guard let number = connection.publish(topic(entry.topic), payload(entry, now)) else { return }
            inFlight[number] = Sent(id: entry.id, time: now)
            queue.sentUpTo = entry.id
        }
    }

    /// Number of messages that may be sent. Acknowledged messages that are still in the file count as sent, because a
    /// restart repeats them.
    private var room: Int {
        Self.window - inFlight.values.count(where: { $0.id != nil }) - queue.unremoved
    }

    private func topic(_ topic: OutboundQueue.Topic) -> String {
        switch topic {
        case .pose: topics.pose
        case .event: topics.event
        case .ownTracks: topics.ownTracks
        }
    }

    private func payload(_ entry: OutboundQueue.Entry, _ now: Int64) -> [UInt8] {
        let head = MessageHead(
            sequence: entry.sequence, time: entry.time, clock: entry.clock, sent: queue.clock.utc(now),
            isOfEarlierRun: entry.isOfEarlierRun)
        return entry.topic == .ownTracks ? head.ownTracksMessage(entry.body) : head.message(entry.body)
    }

    private func publishState() {
        guard isStateNew else { return }
        let message = state.message(version: version, time: BootClock.nanoseconds, clock: queue.clock)
        if sendUnqueued(topics.state, message, isRetained: true) { isStateNew = false }
    }

    /// Sends state or health, unless too many earlier state and health messages are unacknowledged; returns whether it
    /// was sent.
    @discardableResult
    private func sendUnqueued(_ topic: String, _ message: [UInt8], isRetained: Bool) -> Bool {
        guard isConnected, inFlight.values.count(where: { $0.id == nil }) < Self.maximumUnqueuedCount,
            let number = connection?.publish(topic, message, isRetained: isRetained)
        else { return false }
        inFlight[number] = Sent(id: nil, time: BootClock.nanoseconds)
        return true
    }

    private func tick() {
        connection?.takeArrived()
        publishState()
        queue.flush()
        send()
        guard isConnected, let oldest = inFlight.values.map(\.time).min() else { return }
        if BootClock.nanoseconds - oldest > Self.patience { connection?.leave() }
    }

    // MARK: - Broker

    private func take(_ event: BrokerConnection.Event) {
        switch event {
        case .connected(let broker):
            connections += 1
            isConnected = true
            failure = nil
            Log.notice("connected to \(broker)")
            begin()
        case .failed(let broker, let reason): fail(broker, reason)
        case .acknowledged(let number): acknowledge(number)
        case .received, .subscribed: break
        }
    }

    /// Sends unacknowledged messages again.
    private func begin() {
        inFlight.removeAll(keepingCapacity: true)
        queue.flush()
        queue.sentUpTo = 0
        isStateNew = true
        publishState()
        send()
    }

    private func fail(_ broker: BrokerAddress, _ reason: String) {
        isConnected = false
        inFlight.removeAll(keepingCapacity: true)
        let text = "\(broker): \(reason)"
        if failure != text { Log.warning("no connection to \(text); trying again") }
        failure = text
    }

    private func acknowledge(_ number: Int32) {
        guard let id = inFlight.removeValue(forKey: number)?.id else { return }
        published += 1
        queue.acknowledge(id)
        // While many messages wait, acknowledged messages are removed half a window at a time. Otherwise they are
        // removed with the next message or after a second.
        guard queue.unremoved >= Self.window / 2 else { return }
        queue.flush()
        send()
    }
}
