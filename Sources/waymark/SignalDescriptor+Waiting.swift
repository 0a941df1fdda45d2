import Glibc
import Linux

extension SignalDescriptor {
    /// Waits for one of the signals; false if none comes in time.
    func arrives(within time: Duration) throws(SystemError) -> Bool {
        let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        guard try Waiting.wait(descriptor, events: POLLIN, until: Reactor.now + nanoseconds) == .ready else {
            return false
        }
        return next() != nil
    }
}
