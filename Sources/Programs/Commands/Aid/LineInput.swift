import Glibc

/// Reads the lines of a file or a pipe, each as soon as it is available. Discards the text of a line that is too long,
/// whatever its length.
package struct LineInput {
    /// A line without its line break.
    package enum Line: Equatable, Sendable {
        case text(String)
        /// The line has more than `maximumLength` bytes.
        case tooLong
        case notUTF8
    }

    /// Maximum length of a line. Unit: bytes.
    package static let maximumLength = 4096
    private static let chunk = 65_536

    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: LineInput.chunk)
    private var rest = 0..<0
    private var hasEnded = false
    /// Number of the last line read, from 1.
    package private(set) var number = 0

    /// - Parameter descriptor: descriptor of the input, which the caller has to close.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for the next line; nil at the end of the input.
    ///
    /// - Throws: `CommandError` if the input cannot be read.
    package mutating func next() throws(CommandError) -> Line? {
        var bytes: [UInt8] = []
        var isTooLong = false
        while true {
            if rest.isEmpty, try !refill() {
                return bytes.isEmpty && !isTooLong ? nil : finish(bytes, isTooLong)
            }
            let end = buffer[rest].firstIndex(of: UInt8(ascii: "\n"))
            isTooLong = isTooLong || bytes.count + (end ?? rest.upperBound) - rest.lowerBound > Self.maximumLength
            if isTooLong { bytes = [] } else { bytes += buffer[rest.lowerBound..<(end ?? rest.upperBound)] }
            rest = (end.map { $0 + 1 } ?? rest.upperBound)..<rest.upperBound
            if end != nil { return finish(bytes, isTooLong) }
        }
    }

    /// Discards what was typed but not read yet. Does nothing if the input is a file or a pipe.
    package mutating func discardTyped() {
        guard isatty(descriptor) == 1 else { return }
        tcflush(descriptor, TCIFLUSH)
        rest = 0..<0
    }

    private mutating func finish(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
        number += 1
        guard !isTooLong else { return .tooLong }
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        // Spreadsheets write a byte order mark.
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .notUTF8
    }

    /// Reads the next part of the input into the buffer; false at the end of the input.
    private mutating func refill() throws(CommandError) -> Bool {
        while !hasEnded {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = 0..<count
                return true
            }
            if count < 0, errno == EINTR { continue }
            guard count == 0 else { throw .failed("the input cannot be read: \(String(cString: strerror(errno)))") }
            hasEnded = true
        }
        return false
    }
}
