import Linux
import Synchronization

/// A connection to a broker, or to a node of a cluster, that is re-established whenever it ends.
///
/// A thread connects and waits for the broker, because libmosquitto blocks in both. Everything else is for the
/// reactor's thread. A new connection carries over no messages of the previous one: the caller resends unacknowledged
/// messages from its own queue.
package final class BrokerConnection {
    package enum Event: Sendable {
        case connected(BrokerAddress)
        /// The connection could not be made or has ended, for the given reason; another attempt follows.
        case failed(BrokerAddress, reason: String)
        /// The broker has accepted the message with this number. Acknowledgements come several at a time: see
        /// `takeArrived()`.
        case acknowledged(Int32)
        case received(BrokerMessage)
        /// The broker has granted or refused the subscription.
        case subscribed(isGranted: Bool)
    }

    private let reactor: Reactor
    private let handler: (Event) -> Void
    private let shared: BrokerLink
    private let thread: WorkerThread
    private var watch: Reactor.Watch?
    /// The connection whose events are being handled. The thread may already have made the next connection, but nothing
    /// may be sent on that connection before the handler has been informed of it.
    private var current: BrokerClient?

    /// Starts connecting.
    ///
    /// - Parameters:
    ///   - brokers: addresses that are tried one after the other.
    ///   - handler: called on the reactor's thread.
    package init(
        _ reactor: Reactor, _ access: BrokerAccess, brokers: [BrokerAddress], handler: @escaping (Event) -> Void
    ) throws(SystemError) {
        precondition(!brokers.isEmpty, "a connection needs a broker")
        self.reactor = reactor
        self.handler = handler
        let shared = BrokerLink()
        self.shared = shared
        thread = WorkerThread(name: "broker") { stop in
            BrokerSessions(access, brokers: brokers, link: shared, stop: stop).run()
        }
        watch = try reactor.watch(shared.arrived.descriptor, .reading) { [unowned self] _ in deliver() }
    }

    deinit {
        if let watch { reactor.remove(watch) }
        thread.requestStop()
    }

    /// Sends a message of QoS 1, optionally retained.
    ///
    /// - Returns: the number with which the broker will acknowledge it; nil without a connection.
    package func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> Int32? {
        current?.publish(topic, payload, isRetained: isRetained)
    }

    /// Handles the events that have arrived; to be called regularly. Otherwise a few acknowledgements may wait until
    /// more have arrived, because waking this thread for each of them would cost as much as sending a message.
    package func takeArrived() { deliver() }

    /// Disconnects from a broker that does not respond as it should, and continues with the next broker.
    package func leave() { shared.leave() }

    /// Disconnects cleanly, waits a moment for the end, and hands over the acknowledgements that arrived until then.
    package func close() {
        if let watch { reactor.remove(watch) }
        watch = nil
        current = nil
        thread.stop(timeoutSeconds: 1)
        for entry in shared.takeEvents() {
            if case .acknowledged = entry.event { handler(entry.event) }
        }
    }

    private func deliver() {
        for entry in shared.takeEvents() {
            guard watch != nil else { return }
            switch entry.event {
            case .connected: current = entry.client
            case .failed: current = nil
            case .acknowledged, .received, .subscribed: break
            }
            handler(entry.event)
        }
    }
}

/// State that the thread of the connections and the reactor's thread share.
final class BrokerLink: Sendable {
    /// An event. The first event of a connection comes with the connection itself.
    struct Entry: Sendable {
        let event: BrokerConnection.Event
        var client: BrokerClient?
    }

    private struct State {
        var entries: [Entry] = []
        var isOpen = false
        var isLeft = false
        /// Number of acknowledgements among the entries.
        var acknowledgements = 0
        /// Whether `arrived` was signalled for the entries.
        var isSignalled = false
    }

    /// Becomes readable when events are to be handled.
    let arrived = EventDescriptor()
    private let state = Mutex(State())

    /// Maximum number of waiting events. If there are more, the broker has to wait.
    static let maximumEventCount = 4096
    /// Number of acknowledgements that are delivered together: a quarter of the default window of unacknowledged
    /// messages.
    private static let acknowledgementsTogether = 5

    /// Whether the connection should be ended.
    var isLeft: Bool { state.withLock { $0.isLeft } }

    var isFull: Bool { state.withLock { $0.entries.count >= Self.maximumEventCount } }

    func add(_ event: BrokerConnection.Event) { add(Entry(event: event)) }

    func takeEvents() -> [Entry] {
        state.withLock { state in
            if state.isSignalled { arrived.clear() }
            defer { state = State(isOpen: state.isOpen, isLeft: state.isLeft) }
            return state.entries
        }
    }

    /// Records that the broker has accepted a connection.
    func open(_ client: BrokerClient, _ broker: BrokerAddress) {
        state.withLock { $0.isOpen = true }
        add(Entry(event: .connected(broker), client: client))
    }

    /// Records that the connection has ended.
    func end() {
        state.withLock { state in
            state.isOpen = false
            state.isLeft = false
        }
    }

    func leave() {
        state.withLock { $0.isLeft = $0.isOpen }
    }

    private func add(_ entry: Entry) {
        state.withLock { state in
            state.entries.append(entry)
            if case .acknowledged = entry.event {
                state.acknowledgements += 1
                guard state.acknowledgements >= Self.acknowledgementsTogether else { return }
            }
            state.isSignalled = true
            arrived.signal()
        }
    }
}
