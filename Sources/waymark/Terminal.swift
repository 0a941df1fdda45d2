import Glibc

/// Standard output and standard error, unbuffered, with a closed pipe told apart from a failure.
enum Terminal {
    /// Standard output was closed by its reader.
    struct Closed: Error {}

    /// Whether standard output is a terminal that can be drawn on.
    static var isInteractive: Bool {
        guard isatty(STDOUT_FILENO) == 1, let kind = getenv("TERM") else { return false }
        return kind.pointee != 0 && String(cString: kind) != "dumb"
    }

    static func print(_ lines: [String]) throws { try print(lines.joined(separator: "\n") + "\n") }

    /// Writes all of `text`.
    /// - Throws: `Closed`, or `CommandError` when the output cannot take it, such as a full disk.
    static func print(_ text: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EPIPE || errno == EIO {
                    throw Closed()
                } else if errno == EAGAIN {
                    // Somebody else made the shared output non-blocking.
                    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&output, 1, -1)
                } else if errno != EINTR {
                    throw CommandError.failed("cannot write to standard output: \(String(cString: strerror(errno)))")
                }
            }
        }
    }

    /// A line on standard error.
    static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
