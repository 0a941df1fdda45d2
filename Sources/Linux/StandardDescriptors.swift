import Glibc

/// Standard input, output and error, which the parent process may have closed.
public enum StandardDescriptors {
    /// Opens /dev/null in place of those that are closed. To be called before anything else is opened.
    ///
    /// Otherwise the next socket or file would get their number and receive what is written to standard output. The
    /// substitutes are open in the wrong direction, so that using them is an error as before.
    public static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
