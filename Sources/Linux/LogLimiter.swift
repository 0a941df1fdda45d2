import Synchronization

/// Keeps one category of log lines from flooding the journal: at most so many an interval, and a count of the rest.
///
/// Safe to use from any thread.
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

    /// At most `lines` lines every `interval` nanoseconds, of what is called `category` in the count of the others.
    public init(_ category: String, lines: Int = 5, interval: Int64 = 10_000_000_000) {
        precondition(lines > 0 && interval > 0, "a limit lets something through")
        self.category = category
        self.lines = lines
        self.interval = interval
    }

    /// Writes the line, unless the interval has had its lines; the first line of a later interval says how many it were.
    public func write(_ priority: Log.Priority, _ message: @autoclosure () -> String) {
        let admission = admit(at: Reactor.now)
        if admission.suppressed > 0 {
            Log.write(.notice, "\(category): \(admission.suppressed) similar messages suppressed")
        }
        if admission.isAdmitted { Log.write(priority, message()) }
    }

    /// Whether a line may be written at `now` (nanoseconds), and how many were suppressed in the interval that ended by it.
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
