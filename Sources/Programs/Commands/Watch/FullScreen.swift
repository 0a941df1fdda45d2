import Glibc

/// The whole terminal, on its alternate screen, on which pictures are drawn one over the other.
///
/// `end` gives the terminal back, and so do the signals that end or stop the program; after a stop the next picture
/// takes it again. Only one object at a time.
final class FullScreen {
    /// Rows as they stand there; empty where all have to be drawn.
    private var shown: [[UInt8]] = []
    private var size = (rows: 0, columns: 0)
    /// Number of pictures since all rows were drawn.
    private var age = 0

    /// Pictures after which all rows are drawn again: a program that writes to the same terminal, such as a daemon that
    /// was started there, moves what is shown.
    private static let longestAge = 20

    init() {
        // Async-signal-safe calls only, in both. The latter three are those of a program with a defect.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP] { signal(number, leaveAndDie) }
        signal(SIGTSTP, leaveAndStop)
    }

    /// Size of the terminal, at least one cell; that of the smallest common one where the terminal does not know it.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Draws the rows that differ from those of the picture before. Does nothing while another program has the
    /// terminal, as after Ctrl-Z and `bg`.
    func draw(_ picture: LivePicture, size: (rows: Int, columns: Int)) throws {
        guard Self.isForeground else { return }
        var bytes: [UInt8] = []
        if !isOnAlternateScreen || size != self.size {
            bytes += Escape.enter
            (shown, self.size) = ([], size)
        }
        age = shown.isEmpty ? 0 : age + 1
        if age >= Self.longestAge { (shown, age) = ([], 0) }
        for row in 0..<picture.rows {
            let line = picture.bytes(row: row)
            if row < shown.count {
                if shown[row] == line { continue }
                shown[row] = line
            } else {
                shown.append(line)
            }
            // Cleared first: behind a full row the cursor still stands on its last column.
            bytes += "\u{1B}[\(row + 1);1H\u{1B}[K".utf8
            bytes += line
        }
        guard !bytes.isEmpty else { return }
        try write(Escape.beginUpdate + bytes + Escape.endUpdate)
    }

    /// A stop in the middle of a picture would write its rest to the shell's screen.
    private func write(_ bytes: [UInt8]) throws {
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &stop, nil) }
        isOnAlternateScreen = true
        try Terminal.print(bytes: bytes)
    }

    /// Gives the terminal back as it was.
    func end() { leaveScreen() }

    private static var isForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        // Not the terminal that controls this process: no other program competes for it.
        return group < 0 || group == getpgrp()
    }
}

private enum Escape {
    /// Alternate screen, cleared, without a cursor and without line breaks at its right border.
    static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J".utf8)
    /// Terminals that know it show all changes in between at once; others ignore it.
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
}

/// State of the terminal, global because signal handlers need it; only one thread changes it.
nonisolated(unsafe) private var isOnAlternateScreen = false

/// Attributes off, line breaks and cursor on, the screen of before. Bytes in the program: a string could allocate
/// inside a signal handler.
private let leaving: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

/// Async-signal-safe.
private func leaveScreen() {
    guard isOnAlternateScreen else { return }
    isOnAlternateScreen = false
    _ = write(STDOUT_FILENO, leaving.utf8Start, leaving.utf8CodeUnitCount)
}

/// Ends by the same signal, so that a shell sees why.
private func leaveAndDie(_ number: Int32) {
    leaveScreen()
    Keyboard.restore()
    signal(number, SIG_DFL)
    raise(number)
}

/// The next picture takes the terminal again.
private func leaveAndStop(_: Int32) {
    leaveScreen()
    Keyboard.restore()
    raise(SIGSTOP)
}
