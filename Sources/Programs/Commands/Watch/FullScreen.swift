import Glibc

/// The whole terminal, on its alternate screen, where each picture replaces the previous one.
///
/// `end` and the signals that end or stop the program restore the terminal; after a stop the next picture takes it
/// again. Only one object may exist at a time.
final class FullScreen {
    /// Rows as currently shown; empty if all have to be drawn.
    private var shown: [[UInt8]] = []
    private var size = (rows: 0, columns: 0)
    /// Number of pictures since all rows were drawn.
    private var age = 0

    /// Number of pictures after which all rows are drawn again. Another program that writes to the same terminal, such
    /// as a daemon that was started there, may have moved the content.
    private static let maximumAge = 20

    init() {
        // The last three signals indicate a defect of the program.
        TerminalState.restore(atSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP])
    }

    /// Size of the terminal, at least one cell; 24 rows and 80 columns if the terminal does not know its size.
    static var size: (rows: Int, columns: Int) { TerminalState.size(minimum: 1) }

    /// Draws the rows that differ from the previous picture. Does nothing while another program has the terminal, as
    /// after Ctrl-Z and `bg`.
    func draw(_ picture: CellGrid, size: (rows: Int, columns: Int)) throws {
        guard Self.isForeground else { return }
        var bytes: [UInt8] = []
        if TerminalState.restoration == nil || size != self.size {
            bytes += Escape.enter
            (shown, self.size) = ([], size)
        }
        age = shown.isEmpty ? 0 : age + 1
        if age >= Self.maximumAge { (shown, age) = ([], 0) }
        for row in 0..<picture.rows {
            let line = picture.bytes(row: row)
            if row < shown.count {
                if shown[row] == line { continue }
                shown[row] = line
            } else {
                shown.append(line)
            }
            // The row is cleared before it is written, not after: a full row leaves the cursor on its last column, and
            // clearing from there would delete the last character.
            bytes += "\u{1B}[\(row + 1);1H\u{1B}[K".utf8
            bytes += line
        }
        guard !bytes.isEmpty else { return }
        try TerminalState.draw(Escape.beginUpdate + bytes + Escape.endUpdate, restoration: Escape.leave)
    }

    func end() { TerminalState.restore() }

    private static var isForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        // A negative number means that this is not the controlling terminal of the process, so no other program
        // competes for it.
        return group < 0 || group == getpgrp()
    }
}

private enum Escape {
    /// Selects the alternate screen, clears it, and disables the cursor and line breaks at the right border.
    static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J".utf8)
    /// Terminals that support these sequences show all changes between them in one step; others ignore the sequences.
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    /// Disables attributes, enables line breaks and cursor, and restores the previous screen.
    static let leave: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
