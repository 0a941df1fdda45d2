import Glibc

/// A system call that failed: what was attempted, and the kernel's reason.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, such as `bind /run/waymark/waymark.sock`.
    public let operation: String
    /// An errno value.
    public let code: Int32

    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The reason in the C library's words.
    public var reason: String {
        var text = [CChar](repeating: 0, count: 128)
        // strerror itself is not safe among threads.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    public var description: String { "\(operation): \(reason)" }

    /// The failure of the call made just before.
    static func last(_ operation: String) -> SystemError { SystemError(operation, code: errno) }
}
