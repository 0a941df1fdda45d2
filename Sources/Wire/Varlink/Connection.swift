import Linux

/// Connection of one client. Receives its calls, one at a time and in order, and sends its replies (in the extension).
///
/// Received calls wait for the connection's turn, which the server assigns (`FairQueue`).
final class Connection {
    enum Phase {
        case open
        /// The client has closed its end and can read no reply. Only received calls that want no reply are still
        /// handled.
        case departed
        /// The last reply is being sent; further input is discarded.
        case closing
        case closed
    }

    /// Reason why further calls wait.
    enum Occupation {
        case none
        /// A call has not been answered yet.
        case call
        /// A call's stream is open.
        case stream
    }

    /// Time that a client has to close the connection after its last reply. Unit: nanoseconds.
    private static let closingTime: Int64 = 1_000_000_000
    /// Maximum number of calls per turn. Sending their replies together costs less than sending them one by one.
    private static let callsPerTurn = 32
    /// Maximum number of reads of the remaining input after a client has closed its end. These reads can take more than
    /// the kernel buffers.
    private static let lastReads = 1024

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
    var occupation = Occupation.none
    /// Whether the connection counts towards the limit of its user. A refused connection does not.
    var isCounted = false
    var activeStream: ReplyStream?
    /// Whether the connection's calls are being handled. Their output is sent when the turn ends.
    var isInTurn = false
    private var waitsForTurn = false
    /// Whether the last call delays further calls.
    private var isPatient = false
    /// Time at which the last call that delays further calls was handled. Unit: nanoseconds, monotonic.
    private var lastPatience = Int64.min
    /// Whether the connection's data is read together with that of others, not as soon as it arrives.
    private var waitsForOthers: Bool { isPatient && isListed && phase == .open }
    /// Whether the server has listed the connection for joint reading.
    private var isListed = false
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
        if readiness.contains(.hangup) { return clientIsGone() }
        if readiness.contains(.halfClosed) { clientEndsItsHalf() }
        if readiness.contains(.readable), !endOfInput, !isPaused { readInput() }
        settle()
    }

    private func clientEndsItsHalf() {
        peerHalfClosed = true
        endStream()
    }

    func endStream() {
        guard let stream = activeStream else { return }
        activeStream = nil
        occupation = .none
        server.streamEnded(self)
        stream.end()
    }

    /// Reads once per turn, to be fair to other connections. If there is more input, the descriptor stays ready.
    private func readInput() {
        do throws(SystemError) {
            guard let received = try server.receive(from: stream) else { return }
            if received.count == 0 {
                endOfInput = true
                clientEndsItsHalf()
            } else if phase == .open {
                input.append(server.received(received.count), descriptors: received.descriptors)
            }
        } catch {
            close()
        }
    }

    /// Delays reading the client's further input, so that it is read together with that of other clients. If the
    /// client's calls are less frequent than these joint readings, its input is read at once, because a delay would
    /// save nothing.
    func letFollowingWait() {
        let now = Reactor.now
        defer { lastPatience = now }
        guard phase == .open, isListed || lastPatience > now - limits.patience else { return }
        isPatient = true
        readLater()
    }

    private func readLater() {
        guard !isListed else { return }
        isListed = true
        server.readLater(self)
    }

    /// Reads the input that arrived during the delay. If there is none, the delay ends.
    func readWithOthers() {
        isListed = false
        guard phase == .open, isPatient else { return }
        let before = input.byteCount
        if !endOfInput, !isPaused { readInput() }
        if input.byteCount > before, phase == .open { readLater() }
        settle()
    }

    /// Drops everything that can no longer reach the client: replies, streams, and calls that want a reply.
    func clientIsGone() {
        guard phase == .open else { return close() }
        phase = .departed
        stopWatching()
        endStream()
        output.removeAll()
        readRest()
        guard CallMessage.mayBeOneway(input.waiting) else { return close() }
        settle()
    }

    private func readRest() {
        for _ in 0..<Self.lastReads where !endOfInput {
            guard let received = try? server.receive(from: stream), received.count > 0 else { return }
            input.append(server.received(received.count), descriptors: received.descriptors)
        }
    }

    /// Whether reading from the client is paused.
    private var isPaused: Bool {
        phase == .open
            && (input.messageCount >= limits.pendingCalls
                || (isHeldUp || waitsForTurn) && input.byteCount > limits.messageLength)
    }

    private var isHeldUp: Bool { occupation != .none || output.count > limits.pendingReplyBytes }

    private var hasCallToHandle: Bool { (phase == .open || phase == .departed) && !isHeldUp && input.hasNext }

    // MARK: calls

    /// Handles one call, and then further calls until the time `end`, but no more than `callsPerTurn`.
    func takeTurn(until end: Int64) {
        waitsForTurn = false
        isInTurn = true
        var calls = 0
        while hasCallToHandle, calls == 0 || (calls < Self.callsPerTurn && Reactor.now < end) {
            handleNext()
            calls += 1
        }
        isInTurn = false
        settle()
    }

    /// Sends pending output and watches for the events that are needed next. Requests a turn if there are calls to
    /// handle.
    func settle() {
        guard !isInTurn, phase != .closed else { return }
        flush()
        if phase == .open, endOfInput, occupation == .none, !input.hasNext { return startClosing(lingering: false) }
        if phase == .departed, occupation == .none, !input.hasNext { return close() }
        if phase == .closing, output.isEmpty { flushed() }
        waitForTurn()
        updateInterest()
    }

    private func waitForTurn() {
        guard hasCallToHandle, !waitsForTurn else { return }
        waitsForTurn = true
        server.waitsForTurn(self)
    }

    private func handleNext() {
        switch input.next() {
        case .none: break
        case .overlong:
            if phase == .departed { close() } else { refuse(server.limitError(limits.reachedMessageLength)) }
        case .message(let bytes, let descriptors):
            guard phase == .open || CallMessage.mayBeOneway(bytes) else { return }
            do throws(VarlinkError) {
                let message = try CallMessage(bytes)
                guard phase == .open || message.oneway else { return }
                occupation = .call
                isPatient = false
                server.handle(message, descriptors: descriptors, connection: self)
            } catch {
                if phase == .departed { close() } else { refuse(error) }
            }
        }
    }

    func updateInterest() {
        guard phase != .closed, let watch else { return }
        var wanted: Reactor.Interest = []
        if !endOfInput, !isPaused, !waitsForOthers { wanted.insert(.reading) }
        if !peerHalfClosed { wanted.insert(.halfClose) }
        if isWaitingForReader { wanted.insert(.writing) }
        guard wanted != interest else { return }
        interest = wanted
        reactor.change(watch, to: wanted)
    }

    // MARK: the end

    /// Closes the connection after pending output has been sent. With `lingering`, it waits until the client has closed
    /// its end or some time has passed, so that the client receives the last reply even if it is still sending.
    func startClosing(lingering: Bool) {
        guard phase != .closed else { return }
        if phase == .departed { return close() }
        endStream()
        lingers = lingering
        phase = .closing
        settle()
    }

    private func flushed() {
        guard lingers, !endOfInput, !peerHalfClosed else { return close() }
        guard closingTimer == nil else { return }
        stream.shutdownSending()
        closingTimer = reactor.after(Self.closingTime) { [weak self] in self?.close() }
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        stopWatching()
        endStream()
        occupation = .none
        server.connectionClosed(self)
    }

    private func stopWatching() {
        if let watch = watch.take() { reactor.remove(watch) }
        for timer in [stallTimer, closingTimer].compactMap({ $0 }) { reactor.cancel(timer) }
    }
}
