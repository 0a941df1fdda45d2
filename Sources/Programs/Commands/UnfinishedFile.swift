import Glibc
import Linux

/// The file that a command is writing. A signal that ends the command removes the file, since an incomplete document is
/// useless and would block the next attempt.
///
/// `begin` may be called only after the command has created the file. Until then a file at this path may belong to
/// another program.
enum UnfinishedFile {
    /// Path for the signal handler, which may run at any time: set before the handler is installed, and never freed.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    static var isBegun: Bool { path != nil }

    static func begin(_ path: String) {
        guard !isBegun else { return }
        self.path = strdup(path)
        for each in signals where !isIgnored(each) {
            signal(each) { number in
                if let path = UnfinishedFile.path { unlink(path) }
                // The signal is blocked until the handler returns, and then ends the process as if there were no
                // handler.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Runs `body`, which makes a file, and shows a progress line. `body` calls its argument once the file exists, and
    /// at each further step.
    static func make<Result>(
        _ path: String, _ body: (_ step: (_ fraction: Double?, _ text: String) -> Void) throws -> Result
    ) throws -> Result {
        let progress = ProgressLine()
        defer {
            progress.end()
            end()
        }
        return try body {
            begin(path)
            progress.show($0, $1)
        }
    }

    /// Has to be called when the file is complete, or no longer exists.
    static func end() {
        guard isBegun else { return }
        for each in signals where !isIgnored(each) { signal(each, SIG_DFL) }
        path = nil
    }
}
