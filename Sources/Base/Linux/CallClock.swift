import Synchronization

/// Measures the time that a thread spends in a system call that another program can prolong indefinitely, such as a
/// read from a file system that does not respond. Safe for use by any thread.
package final class CallClock: Sendable {
    /// Start of the current call on CLOCK_MONOTONIC; 0 if there is none. Unit: nanoseconds.
    private let began = Atomic<Int64>(0)

    package init() {}

    package func time<Result>(_ call: () -> Result) -> Result {
        began.store(Reactor.now, ordering: .relaxed)
        defer { began.store(0, ordering: .relaxed) }
        return call()
    }

    /// Duration of the current call; 0 if there is none. Unit: seconds.
    package var seconds: Double {
        let began = began.load(ordering: .relaxed)
        return began == 0 ? 0 : Double(Reactor.now - began) * 1e-9
    }
}
