import Glibc

/// A failed system call: the attempted operation and the error number.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The attempted operation, such as `bind /run/waymark/waymark.sock`.
    public let operation: String
    /// The value of `errno`.
    public let code: Int32

    package init(_ operation: String, code: Int32) {
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

    /// Error of the call that has just failed, with the value of `errno`.
    static func last(_ operation: String) -> SystemError { SystemError(operation, code: errno) }
}

/// A failed file operation, identified by its error number.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32

    package init(code: Int32) { self.code = code }

    /// Whether the file, or a directory on the path to it, does not exist.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the file to be created exists already.
    public var isExisting: Bool { code == EEXIST }

    /// Error of the call that has just failed, with the value of `errno`.
    public static var last: FileError { FileError(code: errno) }

    /// The C library's message for the code.
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            _ = strerror_r(code, room.baseAddress!, room.count)
            return String(cString: room.baseAddress!)
        }
    }
}
