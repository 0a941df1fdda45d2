import CLinux
import Glibc

/// A named thread that ends when its stop flag is set.
///
/// All external signals are blocked in it, so that they reach the main thread; a broken pipe is reported as an error of
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

    /// Whether the body has returned.
    public var hasEnded: Bool { ended.isSet }

    /// Sets the stop flag and waits for the end; must not be called from the thread itself.
    ///
    /// - Returns: false if the body was still running at the timeout. It then ends as soon as the blocking call
    ///   returns, and keeps alive what it captured until then.
    @discardableResult
    public func stop(timeoutSeconds: Double = 0.5) -> Bool {
        flag.set()
        return ended.wait(seconds: timeoutSeconds)
    }

    /// Lowers the scheduling priority of the calling thread, for work of seconds whose result is not urgent.
    public static func lowerPriority() {
        // On Linux a nice value belongs to a thread; 0 is the calling one.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// Arguments of the new thread, owned by it.
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

        /// Blocks all signals but those that report a fault of the thread's own code, which could not be diagnosed if
        /// blocked.
        private static func blockSignals() {
            var signals = sigset_t()
            sigfillset(&signals)
            for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&signals, fault) }
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
}
