import Synchronization

/// Rate limit for one category of log lines, so that it cannot flood the journal; counts the suppressed lines.
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

    /// Writes the line unless the limit of the current interval is reached. The first line of a later interval is
    /// preceded by the number of suppressed lines.
    public func write(_ priority: Log.Priority, _ message: @autoclosure () -> String) {
        let admission = admit(at: Reactor.now)
        if admission.suppressed > 0 {
            Log.write(.notice, "\(category): \(admission.suppressed) more lines like that were not written")
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
