import Glibc

/// Blocking waits for programs without a reactor.
public enum Waiting {
    public enum Outcome: Equatable, Sendable {
        case ready
        case timedOut
        /// The descriptor given as `cancel` became readable.
        case cancelled
    }

    /// Waits until `descriptor` has one of `events` (POLLIN, POLLOUT) or was hung up, `deadline` (of `Reactor.now`) has
    /// passed, or `cancel` is readable.
    public static func wait(
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

    /// Rounded up, so that a wait does not end just before its deadline and begin again.
    private static func milliseconds(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32(clamping: (max(0, deadline - Reactor.now) + 999_999) / 1_000_000)
    }
}

extension UnixStream {
    /// Connects to the socket at `path`; while its backlog is full, tries again until `deadline` (of `Reactor.now`).
    public static func connect(
        path: String, until deadline: Int64?, cancel: Int32? = nil
    ) throws(SystemError) -> UnixStream {
        while true {
            let socket = UnixStream(adopting: try UnixAddress.newSocket())
            let result = try UnixAddress.with(path) { Glibc.connect(socket.descriptor, $0, $1) }
            if result == 0 { return socket }
            guard errno == EAGAIN else { throw .last("connect to \(path)") }
            if let deadline, Reactor.now >= deadline { throw SystemError("connect to \(path)", code: ETIMEDOUT) }
            try pause(cancel: cancel)
        }
    }

    /// A Unix socket with a full backlog wakes nobody when there is room again.
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
