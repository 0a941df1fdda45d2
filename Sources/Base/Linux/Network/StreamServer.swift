/// Server of line-based protocols for several peers over TCP and Unix sockets, on the thread of its reactor.
///
/// The number of peers is limited, in total and for each user; peers on other computers count as one user. A new peer
/// beyond the limit is closed, unless another peer is idle. In that case the oldest idle peer is closed instead,
/// preferably a peer of the same user. A peer that reads nothing for half a minute is disconnected to free its place.
package final class StreamServer<State> {
    package final class Peer {
        package let connection: StreamConnection
        /// State that the protocol keeps for this peer.
        package var state: State
        fileprivate let user: UInt32
        fileprivate var watch: Reactor.Watch?

        fileprivate init(_ connection: StreamConnection, _ user: UInt32, _ state: State) {
            self.connection = connection
            self.user = user
            self.state = state
        }
    }

    package struct Handlers {
        /// Called when a peer has connected; may send it a greeting.
        package var opened: (Peer) -> Void
        /// Called when a peer has sent a line, which is passed without its end.
        package var line: (Peer, [UInt8]) -> Void
        package var closed: (Peer) -> Void
        /// Whether a peer is idle and may be closed to make room for another.
        package var isIdle: (Peer) -> Bool

        package init(
            opened: @escaping (Peer) -> Void = { _ in }, line: @escaping (Peer, [UInt8]) -> Void = { _, _ in },
            closed: @escaping (Peer) -> Void = { _ in }, isIdle: @escaping (Peer) -> Bool = { _ in false }
        ) {
            self.opened = opened
            self.line = line
            self.closed = closed
            self.isIdle = isIdle
        }
    }

    private let reactor: Reactor
    private let name: String
    private let limits: StreamConnection.Limits
    private var places: SharedPlaces
    private let separator: UInt8
    private let makeState: () -> State
    private let handlers: Handlers
    private var listenerWatches: [Reactor.Watch] = []
    private var acceptors: [Acceptor] = []
    private var stuckTimer: TimerIdentifier?
    private let refusals = LogLimiter("clients of the bridge", interval: 60_000_000_000)
    /// Connected peers in the order of arrival.
    package private(set) var peers: [Peer] = []

    /// Time after which a peer that reads nothing is disconnected. Unit: ns.
    private static var patience: Int64 { 30_000_000_000 }

    /// Makes a server without a listener.
    ///
    /// - Parameters:
    ///   - name: name of the protocol, for log lines.
    ///   - places: limits of the number of peers.
    ///   - separator: byte that ends a line, in addition to a line feed.
    package init(
        _ reactor: Reactor, name: String, limits: StreamConnection.Limits, places: ShareLimit, separator: UInt8 = 10,
        state: @escaping () -> State, handlers: Handlers
    ) {
        self.reactor = reactor
        self.name = name
        self.limits = limits
        self.places = SharedPlaces(places)
        self.separator = separator
        makeState = state
        self.handlers = handlers
        stuckTimer = reactor.every(Self.patience / 6) { [weak self] in self?.disconnectStuck() }
    }

    /// Accepts peers from a TCP socket. It accepts only one per turn, so that many pending peers delay nothing else.
    package func listen(_ listener: TCPListener) throws(SystemError) {
        listenerWatches.append(
            try reactor.watch(listener.descriptor, .reading) { [weak self] _ in
                guard let self else { return }
                do throws(SystemError) {
                    if let socket = try listener.accept() { try add(socket, TCPPeer.user(socket.descriptor)) }
                } catch {
                    refusals.write(.warning, "\(name): \(error)")
                }
            })
    }

    /// Accepts peers from a Unix socket. A peer that sends descriptors is disconnected.
    package func listen(_ listener: UnixListener) throws(SystemError) {
        listener.refuseDescriptors()
        acceptors.append(
            try Acceptor(reactor, listener, of: name) { [weak self] socket throws(SystemError) in
                try self?.add(socket, try socket.peer().user)
            })
    }

    private func add(_ socket: any StreamSocket, _ user: UInt32) throws(SystemError) {
        guard takePlace(user) else { return }
        let peer = Peer(StreamConnection(socket, limits: limits), user, makeState())
        do throws(SystemError) {
            peer.watch = try reactor.watch(socket.descriptor, .reading) { [weak self, weak peer] readiness in
                guard let self, let peer else { return }
                self.serve(peer, readiness)
            }
        } catch {
            places.giveBack(user)
            throw error
        }
        peers.append(peer)
        handlers.opened(peer)
    }

    private func takePlace(_ user: UInt32) -> Bool {
        guard let reached = places.take(user) else { return true }
        if let idle = idlePeer(for: user) {
            close(idle)
            return places.take(user) == nil
        }
        refusals.write(.notice, "\(name): more than \(reached.maximum) clients; the newest is refused")
        return false
    }

    /// Idle peer to close for a new peer of a user. Peers of the same user come before peers of other users.
    private func idlePeer(for user: UInt32) -> Peer? {
        let (total, own) = (places.held.total, places.held[user])
        let candidates = peers.filter {
            handlers.isIdle($0) && places.limit.yields($0.user, to: user, total: total, own: own)
        }
        return candidates.first { $0.user == user } ?? candidates.first
    }

    private func serve(_ peer: Peer, _ readiness: Reactor.Readiness) {
        do throws(StreamConnection.End) {
            if readiness.contains(.writable) { try peer.connection.flush() }
            if readiness.contains(.readable) || readiness.contains(.hangup) {
                try peer.connection.receive(separator: separator) { handlers.line(peer, $0) }
            }
            setInterest(peer)
        } catch {
            if error == .lineTooLong { refusals.write(.notice, "\(name): a client sent an overlong line") }
            close(peer)
        }
    }

    /// Sends a message to a peer: see `StreamConnection.send`.
    package func send(_ message: [UInt8], to peer: Peer, isRequired: Bool = false) {
        do throws(StreamConnection.End) {
            try peer.connection.send(message, isRequired: isRequired)
            setInterest(peer)
        } catch {
            close(peer)
        }
    }

    private func setInterest(_ peer: Peer) {
        guard let watch = peer.watch else { return }
        reactor.change(watch, to: peer.connection.hasUnsent ? [.reading, .writing] : .reading)
    }

    package func close(_ peer: Peer) {
        guard let index = peers.firstIndex(where: { $0 === peer }) else { return }
        peers.remove(at: index)
        if let watch = peer.watch.take() { reactor.remove(watch) }
        places.giveBack(peer.user)
        handlers.closed(peer)
    }

    private func disconnectStuck() {
        let now = Reactor.now
        for peer in peers where peer.connection.stuckSince.map({ now - $0 > Self.patience }) ?? false {
            refusals.write(.notice, "\(name): a client that reads nothing is disconnected")
            close(peer)
        }
    }

    package func close() {
        if let stuckTimer = stuckTimer.take() { reactor.cancel(stuckTimer) }
        for watch in listenerWatches { reactor.remove(watch) }
        listenerWatches = []
        for acceptor in acceptors { acceptor.close() }
        acceptors = []
        for peer in peers { close(peer) }
    }
}
