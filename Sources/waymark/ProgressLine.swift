import Glibc

/// One line on standard error that is written over again and again; nothing at all where that is no terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) { draw(text) }

    /// Clears the line.
    func end() { draw("") }

    private func draw(_ text: String) {
        guard isShown else { return }
        let bytes = Array("\r\(text)\u{1B}[K".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
