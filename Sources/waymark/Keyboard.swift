import Glibc

/// The terminal's keys, one at a time and not echoed, beside a screen that is redrawn.
///
/// The terminal is as it was once the object ends, and when a signal ends or stops the program.
final class Keyboard {
    /// Nil where standard input is no terminal, or one that another program has in the foreground.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        Self.saved = settings
        Self.listen()
    }

    deinit {
        Self.restore()
        // Keys of an impatient hand are not the answer to what is asked next.
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// The key that was pressed last since the call before; nil for none. Never waits.
    func pressed() -> Character? {
        // After a stop the shell may have set it otherwise.
        Self.listen()
        var key: Character?
        var byte: UInt8 = 0
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, 0) == 1, input.revents & Int16(POLLIN) != 0, read(STDIN_FILENO, &byte, 1) == 1 {
            key = Character(UnicodeScalar(byte))
        }
        return key
    }

    private static func listen() {
        var settings = saved
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        isChanged = true
    }

    /// Async-signal-safe.
    static func restore() {
        guard isChanged else { return }
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &saved)
        isChanged = false
    }

    // Of the process, as the terminal is; signal handlers need them. One thread alone touches them.
    nonisolated(unsafe) private static var saved = termios()
    nonisolated(unsafe) private static var isChanged = false
}
