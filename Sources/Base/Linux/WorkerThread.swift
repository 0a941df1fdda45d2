import CLinux
import Glibc
import Synchronization

/// A named thread that ends when its stop flag is set.
///
/// All external signals are blocked in it, so that they reach the main thread. A broken pipe is reported as an error of
/// the write.
public final class WorkerThread: Sendable {
    private let flag: StopFlag
    private let ended: StopFlag

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: shown by `ps -L` and `top -H`; cut to 15 bytes, the kernel's limit.
    ///   - body: runs once; has to return soon after the flag is set.
    public init(name: String, body: @escaping @Sendable (StopFlag) -> Void) {
        let flag = StopFlag()
        let ended = StopFlag()
        self.flag = flag
        self.ended = ended
        let start = Start(name: name, body: { body(flag) }, ended: ended)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(start).toOpaque()
        let error = pthread_create(&thread, nil, { Start.run($0!) }, context)
        precondition(error == 0, "no thread left to start \(name)")
        pthread_detach(thread)
    }

    /// Sets the stop flag, without waiting for the end.
    public func requestStop() { flag.set() }

    package var hasEnded: Bool { ended.isSet }

    /// Sets the stop flag and waits for the end. Must not be called from the thread itself.
    ///
    /// - Returns: false if the body was still running at the timeout. The thread then ends as soon as the blocking call
    ///   returns. Until then, it keeps alive what it has captured.
    @discardableResult
    public func stop(timeoutSeconds: Double = 0.5) -> Bool {
        flag.set()
        return ended.wait(seconds: timeoutSeconds)
    }

    /// Lowers the scheduling priority of the calling thread, for work that takes seconds and is not urgent.
    public static func lowerPriority() {
        // On Linux a nice value belongs to a thread; 0 is the calling thread.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// Arguments of the new thread, which owns them.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        let ended: StopFlag

        init(name: String, body: @escaping @Sendable () -> Void, ended: StopFlag) {
            self.name = name
            self.body = body
            self.ended = ended
        }

        static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
            waymark_name_thread(start.name)
            blockSignals()
            start.body()
            start.ended.set()
            return nil
        }

        /// Blocks all signals except those that report a fault of the thread's own code. If they were blocked, such a
        /// fault could not be diagnosed.
        private static func blockSignals() {
            var signals = sigset_t()
            sigfillset(&signals)
            for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&signals, fault) }
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
}

/// Request to stop. Any thread may set it, once, and it is never reset. It can be polled or waited for with a timeout.
public final class StopFlag: Sendable {
    private let requested = Atomic(false)
    private let event = EventDescriptor()

    package init() {}

    /// Whether the request was made; costs one atomic load.
    public var isSet: Bool { requested.load(ordering: .acquiring) }

    /// Readable once the flag is set, so that it can be polled together with other descriptors.
    public var descriptor: Int32 { event.descriptor }

    /// Sets the flag and wakes all waits; thread-safe.
    public func set() {
        requested.store(true, ordering: .releasing)
        event.signal()
    }

    /// Sleeps until the flag is set or the time is over. Returns whether the flag is set.
    @discardableResult
    public func wait(seconds: Double) -> Bool {
        wait(seconds: seconds, orReadable: -1)
        return isSet
    }

    /// Sleeps until the flag is set, the time is over, or one of two descriptors is readable.
    ///
    /// - Parameters:
    ///   - other: a descriptor, which the caller keeps owning; negative for none.
    ///   - another: a second descriptor; negative for none.
    /// - Returns: whether one of the descriptors is readable, or in an error state that a read will report.
    @discardableResult
    public func wait(seconds: Double, orReadable other: Int32, _ another: Int32 = -1) -> Bool {
        wait(seconds: seconds, for: Int16(POLLIN), on: other, another)
    }

    /// Sleeps until the flag is set, the time is over, or a descriptor has one of the poll events `events`.
    ///
    /// - Returns: whether a descriptor has one of the events, or is in an error state that its use will report.
    @discardableResult
    public func wait(seconds: Double, for events: Int16, on other: Int32, _ another: Int32 = -1) -> Bool {
        let deadline = BootClock.nanoseconds + Int64(min(max(seconds, 0), 1e6) * 1e9)
        while !isSet {
            let left = deadline - BootClock.nanoseconds
            guard left > 0 else { return false }
            var entries = (
                pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: events, revents: 0),
                pollfd(fd: another, events: events, revents: 0)
            )
            let count = withUnsafeMutableBytes(of: &entries) { bytes in
                poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress!, 3, milliseconds(left))
            }
            if count > 0, entries.1.revents != 0 || entries.2.revents != 0 { return true }
        }
        return false
    }

    /// Converts to milliseconds, rounded up so that the last wait does not spin.
    private func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32(min((nanoseconds + 999_999) / 1_000_000, Int64(Int32.max)))
    }
}
