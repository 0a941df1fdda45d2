import CLinux
import Glibc

/// Signals turned into calls on the reactor's thread.
///
/// They are blocked in the calling thread from `init` on: make it before other threads start, so that these inherit the
/// mask. What was blocked here is unblocked when the object goes.
public final class SignalWatch {
    private let reactor: Reactor
    private let descriptor: Int32
    private var watch: Reactor.Watch?
    private var previous = sigset_t()

    /// Calls `handler` with the number of each signal in `signals` that arrives.
    public init(_ reactor: Reactor, _ signals: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        self.reactor = reactor
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .last("signalfd") }
        watch = try reactor.watch(descriptor, .reading) { [descriptor] _ in
            var info = signalfd_siginfo()
            while read(descriptor, &info, MemoryLayout.size(ofValue: info)) == MemoryLayout.size(ofValue: info) {
                handler(Int32(info.ssi_signo))
            }
        }
    }

    deinit {
        if let watch { reactor.remove(watch) }
        if descriptor >= 0 { close(descriptor) }
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}

/// Writing to a pipe or a socket whose reader has gone then fails with EPIPE instead of ending the process.
public func ignoreSIGPIPE() { signal(SIGPIPE, SIG_IGN) }
