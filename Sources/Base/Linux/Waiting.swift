import Glibc

/// Blocking waits for code without a reactor.
public enum Waiting {
    package enum Outcome: Equatable, Sendable {
        /// The descriptor has one of the events, or is in an error state.
        case ready
        case timedOut
        /// The `cancel` descriptor became readable first.
        case cancelled
    }

    /// Waits until `descriptor` has one of `events` (POLLIN, POLLOUT) or is hung up, or until `cancel` is readable, but
    /// not beyond `deadline` (on the clock of `Reactor.now`).
    package static func wait(
        _ descriptor: Int32, events: Int32, until deadline: Int64?, cancel: Int32? = nil
    ) throws(SystemError) -> Outcome {
        var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        if let cancel { descriptors.append(pollfd(fd: cancel, events: Int16(POLLIN), revents: 0)) }
        while true {
            let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds(until: deadline))
            if count < 0, errno != EINTR { throw .last("poll") }
            if descriptors.count > 1, descriptors[1].revents != 0, count > 0 { return .cancelled }
            if count > 0 { return .ready }
            if let deadline, Reactor.now >= deadline { return .timedOut }
        }
    }

    /// Time until the deadline in milliseconds, rounded up so that a wait never ends just before its deadline.
    private static func milliseconds(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32(clamping: (max(0, deadline - Reactor.now) + 999_999) / 1_000_000)
    }
}

extension UnixStream {
    /// Connects to the socket at `path`. Retries while its backlog is full, until `deadline` (on the clock of
    /// `Reactor.now`).
    package static func connect(
        path: String, kind: UnixSocketKind = .stream, until deadline: Int64?, cancel: Int32? = nil
    ) throws(SystemError) -> UnixStream {
        while true {
            let socket = UnixStream(adopting: try UnixAddress.newSocket(kind))
            let result = try UnixAddress.with(path) { Glibc.connect(socket.descriptor, $0, $1) }
            if result == 0 { return socket }
            guard errno == EAGAIN else { throw .last("connect to \(path)") }
            if let deadline, Reactor.now >= deadline { throw SystemError("connect to \(path)", code: ETIMEDOUT) }
            try pause(cancel: cancel)
        }
    }

    /// Pauses for 10 ms, because the kernel does not report when a full backlog has space again.
    private static func pause(cancel: Int32?) throws(SystemError) {
        guard let cancel else {
            usleep(10_000)
            return
        }
        if try Waiting.wait(cancel, events: POLLIN, until: Reactor.now + 10_000_000) == .ready {
            throw SystemError("connect", code: ECANCELED)
        }
    }
}
