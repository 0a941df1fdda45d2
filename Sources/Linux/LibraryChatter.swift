import CLinux
import Synchronization

/// What libraries print to standard error on their own: libiio says each failed call twice and has no switch for it.
public enum LibraryChatter {
    private static let counter = Atomic<UInt64>(0)

    /// The pieces of text that were kept from standard error since the start.
    public static var count: UInt64 { counter.load(ordering: .relaxed) }

    /// What libraries print through stdio on the calling thread becomes log lines of the priority `debug`.
    public static func divertOnThisThread() {
        waymark_divert_stderr_of_thread { text, size in
            guard let text, size > 0 else { return }
            LibraryChatter.counter.add(1, ordering: .relaxed)
            guard Log.threshold.rawValue >= Log.Priority.debug.rawValue else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: size)
            var line = String(decoding: bytes.prefix(500), as: UTF8.self)
            while line.last?.isNewline == true { line.removeLast() }
            Log.debug("library: \(line)")
        }
    }
}
