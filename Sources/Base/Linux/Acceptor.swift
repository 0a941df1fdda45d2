/// Accepts the clients of a listening Unix socket on a reactor.
///
/// Accepts only a few clients per turn, so that other handlers get their turns. Pauses while too many former clients
/// wait to be closed, and while the process has no free descriptor, because a pending client would otherwise wake the
/// reactor again and again. Not thread-safe.
public final class Acceptor {
    private let reactor: Reactor
    private let listener: UnixListener
    private let take: (UnixStream) throws(SystemError) -> Void
    private let log: LogLimiter
    private let subject: String
    private var watch: Reactor.Watch?

    private static let clientsPerTurn = 8
    /// Pause while too many clients wait to be closed. Unit: nanoseconds.
    private static let shortPause: Int64 = 10_000_000
    /// Pause after an error. Unit: nanoseconds.
    private static let longPause: Int64 = 1_000_000_000

    /// Starts accepting.
    ///
    /// - Parameters:
    ///   - subject: name of the kind of client, for log lines.
    ///   - take: receives each client; an error stops accepting for a second.
    public init(
        _ reactor: Reactor, _ listener: UnixListener, of subject: String,
        take: @escaping (UnixStream) throws(SystemError) -> Void
    ) throws(SystemError) {
        self.reactor = reactor
        self.listener = listener
        self.take = take
        self.subject = subject
        log = LogLimiter("clients of \(subject) not accepted", lines: 2, interval: 60_000_000_000)
        watch = try reactor.watch(listener.descriptor, .reading) { [weak self] _ in self?.accept() }
    }

    deinit { close() }

    package func close() {
        if let watch = watch.take() { reactor.remove(watch) }
        listener.close()
    }

    private func accept() {
        do throws(SystemError) {
            for _ in 0..<Self.clientsPerTurn {
                guard DescriptorCloser.ofConnections.hasRoom else { return pause(Self.shortPause) }
                guard let client = try listener.accept() else { return }
                try take(client)
            }
        } catch {
            log.write(.warning, "\(subject): \(error); accepting clients again in one second")
            pause(Self.longPause)
        }
    }

    private func pause(_ duration: Int64) {
        guard let watch else { return }
        reactor.change(watch, to: [])
        reactor.after(duration) { [weak self] in
            guard let self, let watch = self.watch else { return }
            reactor.change(watch, to: .reading)
        }
    }
}
