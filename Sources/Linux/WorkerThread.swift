import CLinux
import Glibc

/// A named thread with a body that ends when its stop flag asks for it.
///
/// All signals that come from outside are blocked in it: they belong to the main thread, and a broken pipe
/// shows as an error of the write.
public final class WorkerThread: Sendable {
    private let flag: StopFlag
    private let ended: StopFlag

    /// Starts the thread at once.
    ///
    /// - Parameters:
    ///   - name: as `ps -L` and `top -H` show it; cut to 15 bytes, the kernel's limit.
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

    /// Asks the thread to end, without waiting for it.
    public func requestStop() { flag.set() }

    /// Whether the body has returned.
    public var hasEnded: Bool { ended.isSet }

    /// Asks the thread to end and waits for that; must not be called from the thread itself.
    ///
    /// - Returns: false when the body was still running at the timeout. It then ends by itself as soon as the
    ///   call that holds it returns, and keeps alive what it captured until then.
    @discardableResult
    public func stop(timeoutSeconds: Double = 0.5) -> Bool {
        flag.set()
        return ended.wait(seconds: timeoutSeconds)
    }

    /// Lets everything else on the machine go before the calling thread: for work of seconds that nobody waits for in time.
    public static func stepBack() {
        // Of the thread, not of the process: Linux has a nice value for each.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    /// What the new thread needs to begin; owned by it.
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

        /// Those that report a fault of the thread's own code stay open: blocked, they could not be diagnosed.
        private static func blockSignals() {
            var signals = sigset_t()
            sigfillset(&signals)
            for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&signals, fault) }
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
}
