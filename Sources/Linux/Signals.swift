import CLinux
import Glibc

/// Signals that wait to be read from a descriptor instead of interrupting.
///
/// They are blocked in the calling thread from `init` on: make it before other threads start, so that these inherit the
/// mask. What was blocked here is unblocked when the object goes.
public final class SignalDescriptor {
    /// Readable while a signal waits; may serve as the `cancel` of blocking calls.
    public let descriptor: Int32
    private var previous = sigset_t()

    public init(_ signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .last("signalfd") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }

    /// The signal that has waited longest; nil if none does.
    public func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout.size(ofValue: information)
        return read(descriptor, &information, size) == size ? Int32(information.ssi_signo) : nil
    }
}

/// Signals turned into calls on the reactor's thread; blocked like those of a `SignalDescriptor`.
public final class SignalWatch {
    private let reactor: Reactor
    private let signals: SignalDescriptor
    private let watch: Reactor.Watch

    /// Calls `handler` with the number of each signal in `signals` that arrives.
    public init(_ reactor: Reactor, _ signals: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        self.reactor = reactor
        let waiting = try SignalDescriptor(signals)
        self.signals = waiting
        watch = try reactor.watch(waiting.descriptor, .reading) { _ in
            while let signal = waiting.next() { handler(signal) }
        }
    }

    deinit { reactor.remove(watch) }
}

/// Whether a signal is ignored, such as SIGHUP by a program that nohup(1) has started. A `SignalDescriptor` gets it all the
/// same: what is blocked is never thrown away.
public func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Writing to a pipe or a socket whose reader has gone then fails with EPIPE instead of ending the process.
public func ignoreSIGPIPE() { signal(SIGPIPE, SIG_IGN) }
