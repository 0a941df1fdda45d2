import Linux

/// Connection of one client: its calls in, one at a time in their order, and its replies out (in the extension).
final class Connection {
    enum Phase {
        case open
        /// The last reply is on its way; what still comes in is thrown away.
        case closing
        case closed
    }

    /// Time that a client has to close after its last reply. Unit: nanoseconds.
    private static let closingTime: Int64 = 1_000_000_000

    let identifier: ClientIdentifier
    let peer: PeerCredentials
    unowned let server: VarlinkServer
    let reactor: Reactor
    let limits: ServerLimits
    var stallTimeout: Int64 { limits.stallTimeout }
    let stream: UnixStream
    private var watch: Reactor.Watch?
    private var interest: Reactor.Interest = [.reading, .halfClose]
    var phase = Phase.open
    private var input: FrameBuffer
    var output = OutputBuffer()
    /// A call has no answer yet, or its stream goes on: the calls behind it wait.
    var isBusy = false
    var activeStream: ReplyStream?
    var isProcessing = false
    var endOfInput = false
    var peerHalfClosed = false
    private var lingers = false
    var lastProgress: Int64 = 0
    var stallTimer: TimerIdentifier?
    private var closingTimer: TimerIdentifier?

    init(
        _ stream: UnixStream, identifier: ClientIdentifier, peer: PeerCredentials, server: VarlinkServer
    ) throws(SystemError) {
        self.stream = stream
        self.identifier = identifier
        self.peer = peer
        self.server = server
        reactor = server.reactor
        limits = server.limits
        input = FrameBuffer(messageLimit: limits.messageLength)
        stream.setSendBuffer(limits.sendBufferBytes)
        watch = try reactor.watch(stream.descriptor, interest) { [weak self] in self?.ready($0) }
    }

    var isOpen: Bool { phase == .open }

    // MARK: events

    private func ready(_ readiness: Reactor.Readiness) {
        if !readiness.isDisjoint(with: [.halfClosed, .hangup]) { clientEndsItsHalf() }
        if !readiness.isDisjoint(with: [.readable, .hangup]), !endOfInput { readInput() }
        process()
        // Calls that were sent before the client left have been handled; no client takes replies any more.
        if readiness.contains(.hangup) { close() }
    }

    private func clientEndsItsHalf() {
        peerHalfClosed = true
        endStream()
    }

    func endStream() {
        guard let stream = activeStream else { return }
        activeStream = nil
        isBusy = false
        server.streamEnded()
        stream.end()
    }

    private func readInput() {
        // A few rounds, and then the others' turn: the descriptor stays ready if there is more.
        for _ in 0..<4 where !endOfInput && !isPaused && phase != .closed {
            do throws(SystemError) {
                guard let received = try server.receive(from: stream) else { return }
                if received.count == 0 {
                    endOfInput = true
                    clientEndsItsHalf()
                } else if phase == .open {
                    input.append(server.received(received.count), descriptors: received.descriptors)
                    process()
                }
            } catch {
                return close()
            }
        }
    }

    /// Whether the client has to wait before more is read of what it sends.
    private var isPaused: Bool {
        phase == .open
            && (input.messageCount >= limits.pendingCalls || (isHeldUp && input.byteCount > limits.messageLength))
    }

    private var isHeldUp: Bool { isBusy || output.count > limits.pendingReplyBytes }

    /// Handles the calls that may be handled now, sends what may be sent, and waits for what is missing.
    func process() {
        guard !isProcessing, phase != .closed else { return }
        isProcessing = true
        repeat {
            while phase == .open, !isHeldUp, handleNext() {}
            flush()
        } while phase == .open && !isHeldUp && input.messageCount > 0
        isProcessing = false
        if phase == .open, endOfInput, !isBusy, input.messageCount == 0 { startClosing(lingering: false) }
        if phase == .closing, output.isEmpty { flushed() }
        updateInterest()
    }

    private func handleNext() -> Bool {
        switch input.next() {
        case .none: return false
        case .overlong:
            refuse(limitError("messageLength"))
        case .message(let bytes, let descriptors):
            isBusy = true
            do throws(VarlinkError) {
                server.handle(try CallMessage(bytes), descriptors: descriptors, connection: self)
            } catch {
                refuse(error)
            }
        }
        return true
    }

    func updateInterest() {
        guard phase != .closed, let watch else { return }
        var wanted: Reactor.Interest = []
        if !endOfInput, !isPaused { wanted.insert(.reading) }
        if !peerHalfClosed { wanted.insert(.halfClose) }
        if isWaitingForReader { wanted.insert(.writing) }
        guard wanted != interest else { return }
        interest = wanted
        reactor.change(watch, to: wanted)
    }

    // MARK: the end

    /// Sends what waits and closes then; with `lingering`, not before the client has closed or a while has passed, so that
    /// it sees the last reply even if it is still sending.
    func startClosing(lingering: Bool) {
        guard phase != .closed else { return }
        endStream()
        lingers = lingering
        if phase == .open {
            phase = .closing
            server.connectionCloses()
        }
        if !isProcessing { process() }
    }

    private func flushed() {
        guard lingers, !endOfInput, !peerHalfClosed else { return close() }
        guard closingTimer == nil else { return }
        stream.shutdownSending()
        closingTimer = reactor.after(Self.closingTime) { [weak self] in self?.close() }
    }

    func close() {
        guard phase != .closed else { return }
        if phase == .open { server.connectionCloses() }
        phase = .closed
        if let watch { reactor.remove(watch) }
        for timer in [stallTimer, closingTimer].compactMap({ $0 }) { reactor.cancel(timer) }
        endStream()
        server.connectionClosed(self)
    }
}
