import Glibc
import Linux

/// The file that a command is making: a signal that ends the command removes it, since half a document is of no use and
/// would be in the way of the next attempt.
///
/// To be begun once the file is there and the command's own, never before: it may be another's until then.
enum UnfinishedFile {
    /// For the handler, which may come at any time: set before the handler is, and never freed.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Whether there is one.
    static var isBegun: Bool { path != nil }

    static func begin(_ path: String) {
        guard !isBegun else { return }
        self.path = strdup(path)
        for each in signals where !isIgnored(each) {
            signal(each) { number in
                if let path = UnfinishedFile.path { unlink(path) }
                // The signal waits until this returns, and then ends the process as it would have without a handler.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// The file is complete, or is there no longer.
    static func end() {
        guard isBegun else { return }
        for each in signals where !isIgnored(each) { signal(each, SIG_DFL) }
        path = nil
    }
}
