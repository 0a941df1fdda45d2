import Glibc
import Linux

extension SignalDescriptor {
    /// Those that end a command that runs for long. SIGHUP is none of them where nohup(1) has seen to that.
    static func ofInterruption() throws(SystemError) -> SignalDescriptor {
        try SignalDescriptor([SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]))
    }

    /// Waits for one of the signals; false if none comes in time.
    func arrives(within time: Duration) throws(SystemError) -> Bool {
        let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        guard try Waiting.wait(descriptor, events: POLLIN, until: Reactor.now + nanoseconds) == .ready else {
            return false
        }
        return next() != nil
    }
}
