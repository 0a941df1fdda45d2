import Glibc

/// Standard input, output and error, which a caller may have closed.
public enum StandardDescriptors {
    /// Puts something in place of those that are closed; the first thing a program does.
    ///
    /// The next socket or file would take their numbers, and what is meant for standard output would be written into
    /// it. What stands in for them is open the wrong way round, so that using them is an error as before.
    public static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
