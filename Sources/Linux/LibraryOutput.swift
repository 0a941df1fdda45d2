import CLinux
import Synchronization

/// Output of libraries to standard error, turned into debug log lines: libiio prints each failed call twice and has no
/// switch for that.
public enum LibraryOutput {
    private static let counter = Atomic<UInt64>(0)

    /// Number of writes diverted from standard error since the start.
    public static var count: UInt64 { counter.load(ordering: .relaxed) }

    /// Turns what libraries print to `stderr` on the calling thread into log lines of priority `debug`.
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
