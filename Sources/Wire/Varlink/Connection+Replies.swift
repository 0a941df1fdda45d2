import Linux

/// Output to one client: replies in order, and the newest messages of its stream.
extension Connection {
    enum Answer {
        /// Parameters of the reply, one JSON object.
        case reply([UInt8])
        case error(VarlinkError)
    }

    func finishCall(_ answer: Answer, oneway: Bool) {
        if case .error = answer { server.countFailure() }
        if !oneway { append(answer) }
        callEnded()
    }

    private func callEnded() {
        occupation = .none
        settle()
    }

    private func append(_ answer: Answer) {
        guard phase == .open else { return }
        switch answer {
        case .reply(let parameters):
            output.append(Array(#"{"parameters":"#.utf8))
            output.append(parameters)
        case .error(let error):
            output.append(Array(#"{"error":"\#(error.name)","parameters":"#.utf8))
            output.append(error.parameters)
        }
        output.append([UInt8(ascii: "}"), 0])
    }

    /// Answers with an error and ends the connection, because its further input may not consist of calls.
    func refuse(_ error: VarlinkError) {
        server.countFailure()
        append(.error(error))
        startClosing(lingering: true)
    }

    // MARK: streams

    /// Begins the stream of the current call.
    ///
    /// - Throws: an error that names the limit that the stream would exceed.
    func openStream(topics: Int) throws(VarlinkError) -> ReplyStream? {
        guard phase == .open else { return nil }
        try server.streamBegins(self)
        let stream = ReplyStream(topics: topics, connection: self)
        activeStream = stream
        occupation = .stream
        // The client may have gone already. The stream then ends before it has begun.
        if peerHalfClosed {
            reactor.after(0) { [weak self] in
                self?.endStream()
                self?.settle()
            }
        }
        return stream
    }

    func finishStream(_ stream: ReplyStream, _ answer: Answer) {
        if case .error = answer { server.countFailure() }
        guard activeStream === stream else { return }
        while let (message, missed) = stream.takeWaiting() { output.append(message, missed: missed) }
        append(answer)
        activeStream = nil
        server.streamEnded(self)
        callEnded()
    }

    func countMissed() { server.countMissed() }

    // MARK: output

    var canSendAtOnce: Bool { phase == .open && output.isEmpty && !isInTurn }

    /// Sends a stream's message, and keeps the bytes that the kernel does not accept now.
    func send(_ message: EncodedMessage, missed: Int) {
        if missed > 0 {
            output.append(message, missed: missed)
        } else if sendAtOnce(message) {
            return
        }
        flush()
        updateInterest()
    }

    /// Sends a message directly, which is the usual case; returns false if earlier output is waiting.
    private func sendAtOnce(_ message: EncodedMessage) -> Bool {
        do throws(SystemError) {
            guard try output.send(message, to: stream) else { return false }
            if stallTimer != nil { lastProgress = Reactor.now }
        } catch {
            closeLater()
        }
        return true
    }

    /// Whether output is waiting that the kernel has not accepted yet.
    var isWaitingForReader: Bool { !output.isEmpty || activeStream?.hasWaiting == true }

    /// Sends what the kernel accepts now. Messages of the stream follow the earlier output.
    func flush() {
        do throws(SystemError) {
            while isWaitingForReader, phase != .closed {
                if output.isEmpty, let (message, missed) = activeStream?.takeWaiting() {
                    output.append(message, missed: missed)
                }
                let sent = try output.send(to: stream)
                if sent > 0 { lastProgress = Reactor.now }
                guard output.isEmpty else { return watchForStall() }
            }
        } catch {
            closeLater()
        }
    }

    /// Closes the connection because the peer is gone. This is done later, because the caller that offers a message may
    /// be iterating over its streams.
    private func closeLater() {
        output.removeAll()
        reactor.after(0) { [weak self] in
            // Several sends may have failed. The second must not discard the remaining calls of a departed client.
            guard let self, phase != .departed else { return }
            clientIsGone()
        }
    }

    private func watchForStall() {
        guard stallTimer == nil else { return }
        lastProgress = Reactor.now
        stallTimer = reactor.after(limits.stallTimeout) { [weak self] in self?.checkForStall() }
    }

    private func checkForStall() {
        stallTimer = nil
        guard isWaitingForReader else { return }
        let left = lastProgress + limits.stallTimeout - Reactor.now
        guard left <= 0 else {
            stallTimer = reactor.after(left) { [weak self] in self?.checkForStall() }
            return
        }
        server.countStalled(self)
        close()
    }
}
