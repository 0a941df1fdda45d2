import Glibc

/// Lines on the terminal that are redrawn in place, below the earlier content.
///
/// The cursor is hidden meanwhile; `end` and the signals that end or stop the program show it again.
struct LiveScreen {
    private var drawnLines = 0

    init() {
        TerminalState.restoration = Escape.showCursor
        TerminalState.restore(atSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    }

    /// Draws `lines` over the previous ones, cut to the terminal's size.
    mutating func draw(_ lines: [String]) throws { try draw(lines.map { StyledLine($0) }, colour: false) }

    /// Draws styled lines over the previous ones, cut to the terminal's size.
    mutating func draw(_ lines: [StyledLine], colour: Bool) throws {
        let size = Self.size
        let lines = lines.prefix(max(1, size.rows - 1))
        var text = Escape.hideCursor
        if drawnLines > 0 { text += Escape.up(drawnLines) }
        text += "\r"
        for line in lines {
            text += line.rendered(columns: size.columns - 1, colour: colour) + Escape.clearToEndOfLine + "\n"
        }
        text += Escape.clearBelow
        drawnLines = lines.count
        try TerminalState.draw(Array(text.utf8), restoration: Escape.showCursor)
    }

    /// Leaves the last lines on the screen, and restores the terminal.
    mutating func end() {
        try? Terminal.print("\(Escape.showCursor)")
        drawnLines = 0
    }

    static var size: (rows: Int, columns: Int) { TerminalState.size(minimum: 2) }
}

private enum Escape {
    static let hideCursor = "\u{1B}[?25l"
    static let showCursor: StaticString = "\u{1B}[?25h"
    static let clearToEndOfLine = "\u{1B}[K"
    static let clearBelow = "\u{1B}[J"

    static func up(_ lines: Int) -> String { "\u{1B}[\(lines)A" }
}

/// State of the terminal, global because signal handlers need it; only one thread changes it.
enum TerminalState {
    /// Escape sequence that restores the terminal after something was drawn; nil if there is nothing to restore. It is
    /// a `StaticString`, because a `String` could allocate memory inside a signal handler.
    nonisolated(unsafe) static var restoration: StaticString?

    /// Draws a picture. `restoration` is the sequence that restores the terminal later. Blocks the stop signal
    /// meanwhile, because after a stop the rest of the picture would go to the shell's screen.
    static func draw(_ bytes: [UInt8], restoration: StaticString) throws {
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &stop, nil) }
        self.restoration = restoration
        try Terminal.print(bytes: bytes)
    }

    /// Writes the restoring sequence, if there is one. Async-signal-safe.
    static func restore() {
        guard let restoration else { return }
        self.restoration = nil
        _ = write(STDOUT_FILENO, restoration.utf8Start, restoration.utf8CodeUnitCount)
    }

    /// Makes the signals that end or stop the program restore the terminal first. Both handlers make only
    /// async-signal-safe calls.
    static func restore(atSignals numbers: [Int32]) {
        for number in numbers {
            signal(number) { number in
                TerminalState.restore()
                Keyboard.restore()
                // Ends the program by the same signal, so that the shell reports it.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        // After the stop, the next picture prepares the terminal again.
        signal(SIGTSTP) { _ in
            TerminalState.restore()
            Keyboard.restore()
            raise(SIGSTOP)
        }
    }

    /// - Parameter minimum: minimum number of rows and of columns. If the terminal is smaller, or does not know its
    ///   size, the smallest common size is returned: 24 rows and 80 columns.
    static func size(minimum: UInt16) -> (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row >= minimum, size.ws_col >= minimum else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}

/// The terminal's keys, read one at a time without echo, beside a screen that is redrawn.
///
/// The terminal is restored when the object ends, and when a signal ends or stops the program.
final class Keyboard {
    /// Returns nil if standard input is not a terminal, or if another program is in the foreground.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        Self.saved = settings
        Self.listen()
    }

    deinit {
        Self.restore()
        // Drops keys that were pressed too early, so that they do not answer the next question.
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// Waits for the next key; nil if none is pressed within `time`.
    func next(within time: Duration) -> Character? {
        // A shell may have changed the terminal's mode while the program was stopped.
        Self.listen()
        var input = pollfd(fd: isOpen ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: (time.components.attoseconds / 1_000_000_000 + 999_999) / 1_000_000)
        guard poll(&input, 1, milliseconds) == 1 else { return nil }
        var byte: UInt8 = 0
        guard input.revents & Int16(POLLIN) != 0, read(STDIN_FILENO, &byte, 1) == 1 else {
            // At the end of input the descriptor would be ready forever.
            isOpen = false
            return nil
        }
        return Character(UnicodeScalar(byte))
    }

    private var isOpen = true

    /// Returns the last key pressed since the previous call; nil if there is none. Never waits.
    func pressed() -> Character? {
        // A shell may have changed the terminal's mode while the program was stopped.
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

    /// Restores the terminal. Async-signal-safe.
    static func restore() {
        guard isChanged else { return }
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &saved)
        isChanged = false
    }

    // These variables are global because signal handlers need them. Only one thread uses them.
    nonisolated(unsafe) private static var saved = termios()
    nonisolated(unsafe) private static var isChanged = false
}
