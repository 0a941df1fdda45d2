import Glibc
import Synchronization

/// Log lines on standard error with the `<N>` priority prefixes that journald parses. One state change is one line.
public enum Log {
    /// Severity of a line, with the syslog level as raw value: a smaller value is more severe.
    public enum Priority: UInt8, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7
    }

    private static let minimumSeverity = Atomic(Priority.info.rawValue)

    /// Minimum severity that is written.
    public static var threshold: Priority {
        get { Priority(rawValue: minimumSeverity.load(ordering: .relaxed)) ?? .info }
        set { minimumSeverity.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Writes a line of priority `error`: a function of the daemon has failed.
    public static func error(_ message: String) { write(.error, message) }
    /// Writes a line of priority `warning`: something works worse than it should.
    public static func warning(_ message: String) { write(.warning, message) }
    /// Writes a line of priority `notice`: a state change worth seeing in normal operation.
    public static func notice(_ message: String) { write(.notice, message) }
    /// Writes a line of priority `info`: normal operation in more detail.
    public static func info(_ message: String) { write(.info, message) }
    /// Writes a line of priority `debug`: details for development.
    public static func debug(_ message: String) { write(.debug, message) }

    /// Writes a line by a single system call, so that lines of several threads do not mix; control characters become
    /// spaces.
    public static func write(_ priority: Priority, _ message: String) {
        guard priority.rawValue <= threshold.rawValue else { return }
        var line = Array("<\(priority.rawValue)>".utf8)
        for byte in message.utf8 { line.append(byte < 32 ? 32 : byte) }
        line.append(10)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
