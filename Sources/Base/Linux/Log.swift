import CLinux
import Glibc
import Synchronization

/// Log lines on standard error, one for each state change.
///
/// The journal reads `<N>` before a line as its priority. On a terminal or in a file, a word marks errors and warnings.
public enum Log {
    /// Severity of a line. The raw value is the syslog level; a smaller value is more severe.
    public enum Priority: UInt8, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7
    }

    /// Whether standard error leads to the journal. It is determined once, because a daemon does not redirect it later.
    private static let isForJournal = JournalStream.isConnected(
        STDERR_FILENO, as: getenv("JOURNAL_STREAM").map { String(cString: $0) })
    private static let minimumSeverity = Atomic(Priority.info.rawValue)

    package static var threshold: Priority {
        get { Priority(rawValue: minimumSeverity.load(ordering: .relaxed)) ?? .info }
        set { minimumSeverity.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Writes a line of priority `error`, which means that a function of the daemon has failed.
    public static func error(_ message: String) { write(.error, message) }
    /// Writes a line of priority `warning`, which means that something works worse than it should.
    public static func warning(_ message: String) { write(.warning, message) }
    /// Writes a line of priority `notice`, for a state change worth seeing in normal operation.
    public static func notice(_ message: String) { write(.notice, message) }
    /// Writes a line of priority `info`, for more detail about normal operation.
    public static func info(_ message: String) { write(.info, message) }
    /// Writes a line of priority `debug`, for developers.
    public static func debug(_ message: String) { write(.debug, message) }

    /// Listener that also receives each line, on the thread that writes the line; nil if there is none.
    public static let listener = Mutex<(@Sendable (Priority, String) -> Void)?>(nil)

    /// Writes a line with a single system call, so that lines of several threads do not mix. Replaces control
    /// characters with spaces.
    public static func write(_ priority: Priority, _ message: String) {
        guard priority.rawValue <= threshold.rawValue else { return }
        let line = line(priority, message, forJournal: isForJournal)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
        // The lock is not held here, because the listener may write a line itself.
        listener.withLock { $0 }?(priority, message)
    }

    /// Encodes a line, with its line end.
    package static func line(_ priority: Priority, _ message: String, forJournal: Bool) -> [UInt8] {
        var line = Array((forJournal ? "<\(priority.rawValue)>" : word(priority)).utf8)
        for byte in message.utf8 { line.append(byte < 32 ? 32 : byte) }
        line.append(10)
        return line
    }

    private static func word(_ priority: Priority) -> String {
        switch priority {
        case .error: "error: "
        case .warning: "warning: "
        case .notice, .info, .debug: ""
        }
    }
}

/// Rate limit for one category of log lines, so that they cannot flood the journal. Counts the suppressed lines.
///
/// Thread-safe.
public final class LogLimiter: Sendable {
    private struct State {
        var windowStart = Int64.min
        var written = 0
        var suppressed = 0
    }

    private let category: String
    private let lines: Int
    private let interval: Int64
    private let state = Mutex(State())

    /// Permits `lines` lines per `interval`.
    ///
    /// - Parameters:
    ///   - category: prefix of the line that reports the number of suppressed lines.
    ///   - interval: length of the window. Unit: ns.
    public init(_ category: String, lines: Int = 5, interval: Int64 = 10_000_000_000) {
        precondition(lines > 0 && interval > 0, "a limit lets something through")
        self.category = category
        self.lines = lines
        self.interval = interval
    }

    /// Writes the line unless the limit of the current interval is reached. Before the first line of a later interval,
    /// writes the number of suppressed lines.
    public func write(_ priority: Log.Priority, _ message: @autoclosure () -> String) {
        let admission = admit(at: Reactor.now)
        if admission.suppressed > 0 {
            Log.write(.notice, "\(category): \(admission.suppressed) similar messages suppressed")
        }
        if admission.isAdmitted { Log.write(priority, message()) }
    }

    /// Decides whether a line may be written at `now` (ns, monotonic), and returns the number of lines suppressed in
    /// the interval that has just ended.
    public func admit(at now: Int64) -> (isAdmitted: Bool, suppressed: Int) {
        state.withLock { state in
            var reported = 0
            if state.windowStart == .min || now - state.windowStart >= interval {
                reported = state.suppressed
                state = State(windowStart: now)
            }
            guard state.written < lines else {
                state.suppressed += 1
                return (false, reported)
            }
            state.written += 1
            return (true, reported)
        }
    }
}

/// Turns what libraries write to standard error into debug log lines. libiio prints each failed call twice, and this
/// cannot be disabled.
public enum LibraryOutput {
    private static let counter = Atomic<UInt64>(0)

    /// Number of writes diverted from standard error since the start.
    public static var count: UInt64 { counter.load(ordering: .relaxed) }

    /// Turns what libraries write to `stderr` on the calling thread into log lines of priority `debug`.
    public static func divertOnThisThread() {
        waymark_divert_stderr_of_thread { text, size in
            guard let text, size > 0 else { return }
            LibraryOutput.counter.add(1, ordering: .relaxed)
            guard Log.threshold.rawValue >= Log.Priority.debug.rawValue else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: size)
            var line = String(decoding: bytes.prefix(500), as: UTF8.self)
            while line.last?.isNewline == true { line.removeLast() }
            Log.debug("library: \(line)")
        }
    }
}
