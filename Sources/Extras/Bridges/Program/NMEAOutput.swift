import Linux

/// NMEA 0183 over TCP and on a Unix socket, for geoclue, OpenCPN and other readers.
package final class NMEAOutput: BridgeOutput {
    private typealias Server = StreamServer<Void>

    private let reactor: Reactor
    private let poses: PoseSource
    private let receiver: () -> ReceiverView
    private let interval: Int64
    private let place: String
    private var sentences: LiveSentences
    private var server: Server!
    private var timer: TimerIdentifier?

    private static let places = ShareLimit(all: 64)
    /// Limits of a connection. Input from readers is not used, and is discarded line by line.
    private static let limits = StreamConnection.Limits(line: 4096, unsent: 4096)

    package var description: String { "NMEA 0183 at \(place)" }

    /// - Parameters:
    ///   - rate: groups of sentences per second.
    ///   - place: address of the listener, for the log.
    private init(
        _ reactor: Reactor, rate: Double, sentences: LiveSentences, poses: PoseSource,
        receiver: @escaping () -> ReceiverView, place: String
    ) {
        self.reactor = reactor
        self.poses = poses
        self.receiver = receiver
        self.place = place
        self.sentences = sentences
        interval = Int64(1e9 / rate)
        server = Server(
            reactor, name: "NMEA", limits: Self.limits, places: Self.places, state: {},
            handlers: Server.Handlers(
                opened: { [unowned self] _ in adjust() }, closed: { [unowned self] _ in adjust() }))
    }

    package convenience init(
        _ reactor: Reactor, _ listener: TCPListener, rate: Double, sentences: LiveSentences = LiveSentences(),
        poses: PoseSource, receiver: @escaping () -> ReceiverView
    ) throws(SystemError) {
        self.init(
            reactor, rate: rate, sentences: sentences, poses: poses, receiver: receiver, place: "\(listener.address)")
        try server.listen(listener)
    }

    package convenience init(
        _ reactor: Reactor, _ listener: UnixListener, rate: Double, sentences: LiveSentences = LiveSentences(),
        poses: PoseSource, receiver: @escaping () -> ReceiverView
    ) throws(SystemError) {
        self.init(
            reactor, rate: rate, sentences: sentences, poses: poses, receiver: receiver,
            place: listener.path ?? "a socket")
        try server.listen(listener)
    }

    package func close() {
        server.close()
        adjust()
    }

    /// Acquires poses only while there is a reader.
    private func adjust() {
        if !server.peers.isEmpty, timer == nil {
            poses.acquire()
            timer = reactor.every(interval) { [unowned self] in send() }
        } else if server.peers.isEmpty, let timer {
            reactor.cancel(timer)
            self.timer = nil
            poses.release()
        }
    }

    private func send() {
        let text = sentences.write(poses.newest, receiver: receiver())
        for peer in server.peers { server.send(text, to: peer) }
    }
}
