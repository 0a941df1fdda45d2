import JSON
import Linux

/// Description of the service that `org.varlink.service.GetInfo` returns.
package struct ServiceInformation: Sendable {
    package var vendor: String
    package var product: String
    package var version: String
    package var url: String

    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// Observes closed connections, and ends everything that lasts only as long as the client's connection.
package protocol ClientObserver: AnyObject {
    /// Called once for each connection that has closed.
    func clientHasGone(_ client: ClientIdentifier)
}

/// A Varlink service (https://varlink.org) on listening Unix sockets, driven by a reactor.
///
/// The calls of one client are answered in order. A client that floods the service, sends garbage or does not read does
/// not affect other clients. Users take turns, and so do the clients of each user. Everything runs on the reactor's
/// thread.
package final class VarlinkServer {
    /// Answers the calls of one interface, now or later. An error that it throws is sent as the reply.
    package typealias Handler = (Call) throws(VarlinkError) -> Void

    let reactor: Reactor
    /// Limits. A change applies to connections that are made after it.
    package var limits: ServerLimits
    /// Counters since the start, and the current numbers of clients and streams.
    package var statistics: ServerStatistics {
        var statistics = counters
        (statistics.clients, statistics.streams) = (clients.total, streams.total)
        return statistics
    }
    private var counters = ServerStatistics()
    package weak var observer: (any ClientObserver)?
    private let limitErrorName: String
    private var interfaces: [String: (description: InterfaceDescription, handler: Handler)] = [:]
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// Number of connections of each user that were not refused and are not closed, and number of streams of each user.
    private var clients = UserShares()
    private var streams = UserShares()
    /// Number of unanswered calls of each user, without streams. Calls of departed clients count too.
    private var callsUnderWay = UserShares()
    /// Connections whose calls wait to be handled.
    private var turns = FairQueue<UInt32, Connection>()
    /// Connections whose user has too many calls under way. They return to `turns` when one of these calls has ended.
    private var heldUp = FairQueue<UInt32, Connection>()
    private var isTakingTurns = false
    /// Connections whose input may wait. They are read together when the timer fires.
    private var patient: [Connection] = []
    private var readingTimer: TimerIdentifier?
    private var acceptors: [Acceptor] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var json = JSONWriter()
    private var shutdownCompletion: (() -> Void)?
    private let acceptLog = LogLimiter("clients rejected", lines: 2, interval: 60_000_000_000)
    private let streamLog = LogLimiter("streams rejected", lines: 2, interval: 60_000_000_000)
    private let stallLog = LogLimiter("clients closed that did not read")

    /// Parameter name that every method with a descriptor uses. The parameter's value is the index of the descriptor.
    private static let descriptorParameter = "descriptor"
    /// Maximum number of refused connections that are kept until their clients have read the refusal. Any more are
    /// closed at once.
    private static let lingeringLimit = 16
    /// Capacity above which a writer is freed. Most replies need less. Unit: bytes.
    private static let keptCapacity = 64 * 1024
    /// Time for all calls in one turn of the reactor, and time for the calls of one connection. Unit: nanoseconds.
    private static let portion: Int64 = 1_500_000
    private static let connectionPortion: Int64 = 500_000

    /// - Parameter limitError: full name of the error that reports an exceeded limit. Its parameters are `limit`, a
    ///   string, and `maximum`, an integer. The limits are messageLength, clients, clientsOfUser, streams and
    ///   streamsOfUser.
    package init(_ reactor: Reactor, information: ServiceInformation, limits: ServerLimits, limitError: String) {
        self.reactor = reactor
        self.limits = limits
        limitErrorName = limitError
        registerServiceInterface(information)
    }

    deinit { buffer.deallocate() }

    /// Serves an interface. The handler is called only for methods and parameters that the description contains. An
    /// error that it throws is sent as the reply.
    package func register(_ description: InterfaceDescription, handler: @escaping Handler) {
        precondition(interfaces[description.name] == nil, "\(description.name) is registered twice")
        interfaces[description.name] = (description, handler)
    }

    /// Accepts clients of `listener` from now on, and closes the listener at shutdown.
    package func listen(on listener: UnixListener) throws(SystemError) {
        acceptors.append(
            try Acceptor(reactor, listener, of: listener.path ?? "the socket") {
                [weak self] stream throws(SystemError) in
                try self?.take(stream)
            })
    }

    /// Shuts the server down. It accepts no more clients and calls, gives connected clients up to `nanoseconds` to read
    /// their output, and calls `completion` when all connections are closed.
    package func shutDown(within nanoseconds: Int64 = 500_000_000, completion: @escaping () -> Void) {
        for acceptor in acceptors { acceptor.close() }
        acceptors = []
        shutdownCompletion = completion
        reactor.after(nanoseconds) { [weak self] in self?.closeAll() }
        for connection in connections.values { connection.startClosing(lingering: false) }
        reactor.after(0) { [weak self] in self?.completeShutdown() }
    }

    private func closeAll() {
        for connection in connections.values { connection.close() }
        completeShutdown()
    }

    private func completeShutdown() {
        guard connections.isEmpty, let completion = shutdownCompletion else { return }
        shutdownCompletion = nil
        completion()
    }

    // MARK: clients

    private func take(_ stream: UnixStream) throws(SystemError) {
        counters.accepted += 1
        let identifier = ClientIdentifier(number: UInt64(counters.accepted))
        let connection = try Connection(stream, identifier: identifier, peer: try stream.peer(), server: self)
        let user = connection.peer.user
        let limit = limits.reachedLimit(ofClients: clients, user: user)
        connections[ObjectIdentifier(connection)] = connection
        guard let limit else {
            connection.isCounted = true
            return clients.add(user)
        }
        counters.refused += 1
        acceptLog.write(.warning, "client \(connection.peer.process) of user \(user) was rejected: \(limit)")
        if connections.count - clients.total > Self.lingeringLimit {
            connection.close()
        } else {
            connection.refuse(limitError(limit))
        }
    }

    func connectionClosed(_ connection: Connection) {
        let user = connection.peer.user
        if connection.isCounted { clients.remove(user) }
        connections[ObjectIdentifier(connection)] = nil
        // Otherwise the queue would keep the connection's socket and all of its input.
        turns.remove(of: user) { $0 === connection }
        heldUp.remove(of: user) { $0 === connection }
        patient.removeAll { $0 === connection }
        observer?.clientHasGone(connection.identifier)
        completeShutdown()
    }

    // MARK: reading together

    /// Reads a connection later, together with all other connections whose input may wait.
    func readLater(_ connection: Connection) {
        patient.append(connection)
        guard readingTimer == nil else { return }
        readingTimer = reactor.after(limits.patience) { [weak self] in self?.readPatient() }
    }

    private func readPatient() {
        readingTimer = nil
        var due = patient[...]
        patient = []
        reactor.perform(inPortions: {
            let end = Reactor.now + Self.portion
            while Reactor.now < end, let connection = due.popFirst() { connection.readWithOthers() }
            return !due.isEmpty
        })
    }

    // MARK: turns

    /// Queues a connection whose calls may be handled.
    func waitsForTurn(_ connection: Connection) {
        turns.add(connection, of: connection.peer.user)
        guard !isTakingTurns else { return }
        isTakingTurns = true
        reactor.perform(inPortions: { [weak self] in self?.takeTurns() ?? false })
    }

    /// Handles calls for a limited time; returns whether more calls are waiting.
    private func takeTurns() -> Bool {
        let end = Reactor.now + Self.portion
        while let connection = turns.next() {
            let user = connection.peer.user
            if limits.holdsUp(callsOf: user, callsUnderWay) {
                heldUp.add(connection, of: user)
            } else {
                connection.takeTurn(until: min(end, Reactor.now + Self.connectionPortion))
            }
            guard Reactor.now < end else { break }
        }
        isTakingTurns = !turns.isEmpty
        return isTakingTurns
    }

    func callBegins(of user: UInt32) { callsUnderWay.add(user) }

    /// Notes that a call is answered or has become a stream. Its client may already have gone.
    func callEnds(of user: UInt32) {
        callsUnderWay.remove(user)
        guard !heldUp.isEmpty, !limits.holdsUp(callsOf: user, callsUnderWay) else { return }
        for waiting in heldUp.removeAll(of: user) { waitsForTurn(waiting) }
    }

    // MARK: calls

    /// Finds the method's handler and passes the call to it.
    func handle(_ message: CallMessage, descriptors: [OwnedDescriptor], connection: Connection) {
        counters.calls += 1
        func refuse(_ error: VarlinkError) { connection.finishCall(.error(error), oneway: message.oneway) }
        let name = MethodName(message.method)
        guard let (description, handler) = interfaces[name.interface] else {
            return refuse(.interfaceNotFound(name.interface))
        }
        guard let parameters = description.methods[name.method] else { return refuse(.methodNotFound(message.method)) }
        if let unknown = message.unknownParameter(besides: parameters) { return refuse(.invalidParameter(unknown)) }
        if let flaw = message.flaw { return refuse(flaw) }
        // If the method uses no descriptors, they are closed before the call is answered.
        let taken = parameters.contains(Self.descriptorParameter) ? descriptors : []
        let call = Call(
            interface: name.interface, method: name.method, message: message, descriptors: taken,
            connection: connection, server: self)
        do {
            try handler(call)
        } catch {
            call.fail(error)
        }
    }

    /// Description of an interface, for introspection.
    func description(of interface: String) -> InterfaceDescription? { interfaces[interface]?.description }
    var interfaceNames: [String] { interfaces.keys.sorted() }

    func limitError(_ limit: ReachedLimit) -> VarlinkError {
        let parameters = JSONWriter.object { json in
            json.member("limit", limit.name)
            json.member("maximum", limit.maximum)
        }
        return VarlinkError(name: limitErrorName, parameters: parameters)
    }

    // MARK: shared by the connections

    /// Encodes a reply with a writer that is reused; nil if a required number is missing.
    func encoded(_ value: some JSONWritable) -> [UInt8]? {
        if json.bytes.capacity > Self.keptCapacity { json = JSONWriter() }
        json.removeAll()
        value.write(into: &json)
        return json.lacksNumber ? nil : json.bytes
    }

    /// Receives into a buffer that all connections share.
    func receive(from stream: UnixStream) throws(SystemError) -> UnixStream.Received? {
        try stream.receive(into: buffer)
    }

    func received(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

    func streamBegins(_ connection: Connection) throws(VarlinkError) {
        let user = connection.peer.user
        if let limit = limits.reachedLimit(ofStreams: streams, user: user) {
            streamLog.write(.warning, "a stream of user \(user) was rejected: \(limit)")
            throw limitError(limit)
        }
        streams.add(user)
    }

    func streamEnded(_ connection: Connection) { streams.remove(connection.peer.user) }
    func countFailure() { counters.failures += 1 }
    func countMissed() { counters.missed += 1 }

    func countStalled(_ connection: Connection) {
        counters.stalled += 1
        let seconds = Double(connection.stallTimeout) / 1e9
        stallLog.write(
            .warning,
            "client \(connection.peer.process) of user \(connection.peer.user) read nothing for \(seconds) s: closed")
    }
}
