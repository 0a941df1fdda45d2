import Glibc

/// A failed system call: the attempted operation and the error number.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The attempted operation, such as `bind /run/waymark/waymark.sock`.
    public let operation: String
    /// The value of `errno`.
    public let code: Int32

    /// Wraps an operation and its error number.
    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The C library's message for the code.
    public var reason: String {
        var text = [CChar](repeating: 0, count: 128)
        // strerror is not thread-safe.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Operation and reason, such as `bind /run/x: Permission denied`.
    public var description: String { "\(operation): \(reason)" }

    /// The error of the call that has just failed, from `errno`.
    static func last(_ operation: String) -> SystemError { SystemError(operation, code: errno) }
}
