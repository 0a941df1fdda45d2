import Glibc
import Synchronization

/// Lines on standard error with the `<N>` priorities that journald reads; one line for one state change.
public enum Log {
    public enum Priority: UInt8, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7
    }

    private static let leastImportant = Atomic(Priority.info.rawValue)

    /// The least important priority that is still written.
    public static var threshold: Priority {
        get { Priority(rawValue: leastImportant.load(ordering: .relaxed)) ?? .info }
        set { leastImportant.store(newValue.rawValue, ordering: .relaxed) }
    }

    public static func error(_ message: String) { write(.error, message) }
    public static func warning(_ message: String) { write(.warning, message) }
    public static func notice(_ message: String) { write(.notice, message) }
    public static func info(_ message: String) { write(.info, message) }
    public static func debug(_ message: String) { write(.debug, message) }

    /// One write for a line, so that lines of several threads do not mix; line breaks inside become spaces.
    public static func write(_ priority: Priority, _ message: String) {
        guard priority.rawValue <= threshold.rawValue else { return }
        var line = Array("<\(priority.rawValue)>".utf8)
        for byte in message.utf8 { line.append(byte < 32 ? 32 : byte) }
        line.append(10)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
