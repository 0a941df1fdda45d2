import Display
import Glibc

/// Lines that are redrawn in place on the terminal, below what stood there before.
///
/// The cursor is hidden meanwhile; `end` shows it again, and so do the signals that end or stop the program.
struct LiveScreen {
    private var drawnLines = 0

    init() {
        // Async-signal-safe calls only, in all three.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, restoreAndDie) }
        signal(SIGTSTP, restoreAndStop)
    }

    /// Draws `lines` over those drawn before, cut to the terminal's size.
    mutating func draw(_ lines: [String]) throws { try draw(lines.map { StyledLine($0) }, colour: false) }

    /// The same with styles.
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
        try Terminal.print(text)
    }

    /// Leaves the last lines standing and gives the terminal back.
    mutating func end() {
        try? Terminal.print(Escape.showCursor)
        drawnLines = 0
    }

    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        // A terminal that does not know its size is taken for the smallest common one.
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1, size.ws_col > 1 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}

private enum Escape {
    static let hideCursor = "\u{1B}[?25l"
    static let showCursor = "\u{1B}[?25h"
    static let clearToEndOfLine = "\u{1B}[K"
    static let clearBelow = "\u{1B}[J"

    static func up(_ lines: Int) -> String { "\u{1B}[\(lines)A" }
}

private func writeShowCursor() {
    // "ESC [ ? 2 5 h" as bytes on the stack: a string could allocate inside a signal handler.
    let bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0x1B, 0x5B, 0x3F, 0x32, 0x35, 0x68)
    withUnsafeBytes(of: bytes) { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Ends by the same signal, so that a shell sees why.
private func restoreAndDie(_ number: Int32) {
    writeShowCursor()
    Keyboard.restore()
    signal(number, SIG_DFL)
    raise(number)
}

/// The next frame hides the cursor again.
private func restoreAndStop(_: Int32) {
    writeShowCursor()
    Keyboard.restore()
    raise(SIGSTOP)
}
