import Glibc
import Linux
import Web

/// Serves Foxglove's protocol to all clients, on the reactor's thread.
///
/// The daemon's streams are open while any client subscribes to a channel that needs them.
package final class FoxgloveServer {
    /// Path, subprotocols and origins for the web server.
    package let route: WebSocketRoute

    private let reactor: Reactor
    private let socketPath: String
    private let inbox = WebSocketInbox()
    private let serverInfo: [UInt8]
    private let advertise = FoxgloveProtocol.advertise(FoxgloveChannel.allCases)
    private var streams: DaemonStreams?
    private var sessions: [WebSocket: FoxgloveSession] = [:]
    private var messages = FoxgloveMessages()
    private var isLost = false
    private var watch: Reactor.Watch?

    /// Starts accepting clients.
    ///
    /// - Parameter origins: origins of other hosts' pages that may connect. Programs other than browsers have no
    ///   origin.
    package init(
        _ reactor: Reactor, socketPath: String, version: String, origins: [String] = []
    ) throws(SystemError) {
        self.reactor = reactor
        self.socketPath = socketPath
        serverInfo = FoxgloveProtocol.serverInfo(version: version, session: "\(BootClock.nanoseconds)-\(getpid())")
        route = WebSocketRoute(
            path: "/", subprotocols: FoxgloveProtocol.subprotocols, origins: .these(origins),
            handler: inbox)
        watch = try inbox.watch(reactor) { [unowned self] in handle($0) }
        streams = DaemonStreams(reactor, socket: socketPath) { [unowned self] in take($0) }
    }

    /// Stops serving clients, and closes the daemon's streams.
    func close() {
        if let watch { reactor.remove(watch) }
        streams?.close()
        sessions = [:]
    }

    // MARK: - Clients

    private func handle(_ event: WebSocketInbox.Event) {
        switch event {
        case .opened(let socket):
            let session = FoxgloveSession(socket)
            sessions[socket] = session
            session.begin(serverInfo: serverInfo, advertise: advertise)
        case .received(let message, let socket):
            guard let session = sessions[socket] else { return }
            session.handle(message)
            updateNeeds()
            if isLost { session.report(isLost: true, lossText) }
            send([], to: [session])
        case .drained(let socket): if let session = sessions[socket] { send([], to: [session]) }
        case .closed(let socket):
            sessions[socket] = nil
            updateNeeds()
        }
    }

    private func updateNeeds() {
        let needs: DaemonNeeds = sessions.values.reduce(into: []) { $0.formUnion($1.needs) }
        // While no stream is needed, it is not known whether the daemon answers.
        if needs.isEmpty { isLost = false }
        streams?.needs = needs
    }

    private var lossText: String {
        "waymarkd does not answer at \(socketPath); it is called again every second. Is it running? "
            + "systemctl status waymarkd"
    }

    // MARK: - Messages

    private func take(_ event: DaemonStreams.Event) {
        if case .unneeded(let needs) = event { return messages.forget(needs) }
        if case .lost = event {
            guard !isLost else { return }
            isLost = true
            send(messages.clear(), to: sessions.values)
            for session in sessions.values where !session.needs.isEmpty { session.report(isLost: true, lossText) }
            return
        }
        isLost = false
        for session in sessions.values { session.report(isLost: false, "waymarkd answers again") }
        if case .route(let reply) = event, let next = messages.take(route: reply) {
            if let index = next.following { streams?.askForRoute(from: index) }
            return send(next.outputs, to: sessions.values)
        }
        send(messages.take(event) { channel in sessions.values.contains { $0.wants(channel) } }, to: sessions.values)
    }

    private func send(_ outputs: [FoxgloveOutput], to receivers: some Sequence<FoxgloveSession>) {
        for session in receivers { session.take(outputs, now: messages.now) { messages.newest($0) } }
    }
}
