import Glibc
import JSON

/// Standard output and standard error, unbuffered, with a closed pipe distinguished from a failure.
enum Terminal {
    /// Standard output was closed by its reader.
    struct Closed: Error {}

    /// Whether standard output is a terminal on which drawing is possible.
    static var isInteractive: Bool {
        guard isatty(STDOUT_FILENO) == 1, let kind = getenv("TERM") else { return false }
        return kind.pointee != 0 && String(cString: kind) != "dumb"
    }

    /// Capabilities of the terminal: the locale's characters, and colours unless NO_COLOR forbids them (no-color.org).
    static var canvas: Canvas {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first ?? ""
        let unicode = ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
        return Canvas(
            unicode: unicode, colour: environment("NO_COLOR") == nil, columns: LiveScreen.size.columns - 1)
    }

    static func print(_ lines: [String]) throws { try print(lines.joined(separator: "\n") + "\n") }

    /// Writes all of `text`.
    /// - Throws: `Closed`, or `CommandError` if the output fails, such as on a full disk.
    static func print(_ text: String) throws {
        var text = text
        try text.withUTF8 { try print(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all bytes.
    /// - Throws: as for text.
    static func print(bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try print($0) } }

    private static func print(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno == EPIPE || errno == EIO {
                throw Closed()
            } else if errno == EAGAIN {
                // Another process has made the shared output non-blocking.
                var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&output, 1, -1)
            } else if errno != EINTR {
                throw CommandError.failed("cannot write to standard output: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Prints a line on standard error.
    static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

/// Progress on one line on standard error, rewritten in place; no output if that is not a terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) { draw(text) }

    /// Shows a bar before the text.
    ///
    /// - Parameter fraction: completed share, 0 to 1; nil if it is unknown.
    func show(_ fraction: Double?, _ text: String) {
        guard let fraction else { return draw(text) }
        let filled = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded(.down))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        draw("[\(bar)] \(Int(fraction * 100)) %  \(text)")
    }

    /// Number of characters of a bar.
    private static let width = 24

    /// Clears the line.
    func end() { draw("") }

    private func draw(_ text: String) {
        guard isShown else { return }
        let bytes = Array("\r\(text)\u{1B}[K".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

enum JSONText {
    /// No limits, because the route of a maximum-length document has more values than other documents may have.
    private static let limits = JSONLimits(values: .max, text: .max)

    /// Writes one object on one line with its keys in alphabetical order, so that equal messages are equal lines.
    static func line(_ message: some JSONWritable) throws -> String {
        var json = JSONWriter(precision: .exact)
        message.write(into: &json)
        var sorted = JSONWriter(capacity: json.bytes.count)
        try JSONReader.read(json.bytes, limits: limits).write(into: &sorted)
        return String(decoding: sorted.bytes, as: UTF8.self) + "\n"
    }
}

/// A JSON object whose members may have different types. `JSONText` sorts the members. Members that are nil, and
/// numbers that are not finite, are left out.
struct JSONMembers: JSONWritable {
    let members: [String: (any JSONWritable)?]
    var numbers: [String: Double?] = [:]

    func write(into json: inout JSONWriter) {
        json.beginObject()
        for case (let name, let value?) in members {
            json.key(text: name)
            value.write(into: &json)
        }
        for case (let name, let value?) in numbers where value.isFinite {
            json.key(text: name)
            json.value(value, .exact)
        }
        json.endObject()
    }
}
