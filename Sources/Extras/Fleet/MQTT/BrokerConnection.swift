import Linux
import Synchronization

/// A connection to a broker, or to one of a cluster, that is made anew whenever it has ended.
///
/// A thread connects and waits for the broker, since libmosquitto looks up names and connects in calls that wait; the
/// rest is for the reactor's thread. Each connection begins without messages of the one before: what was not
/// acknowledged the caller sends again, from its own queue.
package final class BrokerConnection {
    /// What has happened, in order.
    package enum Event: Sendable {
        case connected(BrokerAddress)
        /// There is no connection, or no more, and why; another attempt follows.
        case failed(BrokerAddress, reason: String)
        /// A message with this number is the broker's now. Acknowledgements come several at a time: see
        /// `takeArrived()`.
        case acknowledged(Int32)
        case received(BrokerMessage)
        /// The broker has granted the subscription, or not.
        case subscribed(isGranted: Bool)
    }

    private let reactor: Reactor
    private let handler: (Event) -> Void
    private let shared: BrokerLink
    private let thread: WorkerThread
    private var watch: Reactor.Watch?
    /// The connection that the events handled now are of. The thread may have made the next one already, whose broker
    /// must get nothing before the handler knows of it.
    private var current: BrokerClient?

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - brokers: tried one after the other.
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

    /// Sends a message of QoS 1, to be retained or not.
    ///
    /// - Returns: the number of its acknowledgement; nil without a connection.
    package func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> Int32? {
        current?.publish(topic, payload, isRetained: isRetained)
    }

    /// Handles what has come. Without it a few acknowledgements may wait for others, since waking this thread for each
    /// would cost as much as sending a message: to be called once in a while.
    package func takeArrived() { deliver() }

    /// Leaves a broker that does not do its work, for the next one.
    package func leave() { shared.leave() }

    /// Takes leave of the broker and waits a moment for the end; hands over the acknowledgements that have come until
    /// then.
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

/// What the thread of the connections and the reactor's thread share.
final class BrokerLink: Sendable {
    /// An event, with the connection that it is the beginning of.
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
        /// Whether `arrived` was signalled for them.
        var isSignalled = false
    }

    /// Readable while there are events.
    let arrived = EventDescriptor()
    private let state = Mutex(State())

    /// The most events that wait: a broker that sends more has to wait itself.
    static let mostEvents = 4096
    /// Number of acknowledgements that wait for each other: a quarter of the messages that are sent before one is
    /// acknowledged, by default.
    private static let acknowledgementsTogether = 5

    /// Whether the connection is to be given up.
    var isLeft: Bool { state.withLock { $0.isLeft } }

    var isFull: Bool { state.withLock { $0.entries.count >= Self.mostEvents } }

    func add(_ event: BrokerConnection.Event) { add(Entry(event: event)) }

    func takeEvents() -> [Entry] {
        state.withLock { state in
            if state.isSignalled { arrived.clear() }
            defer { state = State(isOpen: state.isOpen, isLeft: state.isLeft) }
            return state.entries
        }
    }

    /// The broker has accepted a connection.
    func open(_ client: BrokerClient, _ broker: BrokerAddress) {
        state.withLock { $0.isOpen = true }
        add(Entry(event: .connected(broker), client: client))
    }

    /// The connection has ended.
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
