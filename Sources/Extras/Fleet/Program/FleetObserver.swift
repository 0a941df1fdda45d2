import Configuration
import Linux
import WaymarkInterface

/// Reads the messages of a broker, and keeps the newest ones of all wearers.
///
/// It does not ask the broker to keep a session while it is disconnected, because missed messages are useless for a
/// view of the present. Retained states are sent again with each connection.
package final class FleetObserver {
    package enum Link: Sendable {
        case connecting
        case connected(BrokerAddress)
        /// There is no connection; the case has the time of the loss and its reason. Another attempt follows.
        case away(since: UTCTime, problem: String)
    }

    package private(set) var roster: FleetRoster
    package private(set) var link = Link.connecting
    /// Number of failed attempts since the last connection.
    package private(set) var failures = 0
    private let reactor: Reactor
    private let filter: String
    private var connection: BrokerConnection?
    private var broker: BrokerAddress?
    private var changed: [String] = []
    private var isChanged: Set<String> = []

    /// Starts connecting.
    ///
    /// - Parameters:
    ///   - root: first part of the topics.
    ///   - access: identity of the reader; the client identifier is replaced by a random one.
    package init(root: String, _ access: BrokerAccess, brokers: [BrokerAddress]) throws(SystemError) {
        roster = FleetRoster(root: root)
        filter = FleetTopics.all(root: root)
        reactor = try Reactor()
        var access = access
        // Of two clients with the same identifier, the broker would disconnect the older one.
        access.clientIdentifier = "waymark-watch-" + String(UInt64.random(in: .min ... .max), radix: 16)
        access.subscription = filter
        connection = try BrokerConnection(reactor, access, brokers: brokers) { [unowned self] in take($0) }
    }

    /// UTC by this computer's clock.
    package static var now: UTCTime {
        UTCTime(nanoseconds: BootClock.nanoseconds + BootClock.realtimeOffsetNanoseconds)
    }

    /// Processes the messages that have arrived; waits for messages for at most `milliseconds`.
    package func run(milliseconds: Int32) { reactor.runOnce(milliseconds: milliseconds) }

    /// Identifiers of wearers with messages since the previous call, in order of arrival.
    package func takeChanges() -> [String] {
        defer {
            changed.removeAll(keepingCapacity: true)
            isChanged.removeAll(keepingCapacity: true)
        }
        return changed
    }

    package func close() {
        connection?.close()
        connection = nil
    }

    private func take(_ event: BrokerConnection.Event) {
        switch event {
        case .connected(let broker): self.broker = broker
        case .subscribed(let isGranted):
            guard isGranted, let broker else { return lose("the broker does not permit this client to read \(filter)") }
            link = .connected(broker)
            failures = 0
        case .failed(let broker, let reason):
            failures += 1
            // The reason why this program left the connection is more informative than the end of the connection.
            if case .away = link, self.broker != nil { return self.broker = nil }
            self.broker = nil
            setAway("\(broker): \(reason)")
        case .acknowledged: break
        case .received(let message): take(message)
        }
    }

    private func lose(_ problem: String) {
        setAway(problem)
        connection?.leave()
    }

    private func setAway(_ problem: String) {
        var since = Self.now
        if case .away(let time, _) = link { since = time }
        link = .away(since: since, problem: problem)
    }

    private func take(_ message: BrokerMessage) {
        let identifier = roster.take(
            topic: message.topic, payload: message.payload, length: message.length, isRetained: message.isRetained,
            now: Self.now)
        guard let identifier, isChanged.insert(identifier).inserted else { return }
        changed.append(identifier)
    }
}
