import Linux

/// Bytes for one client that the kernel has not accepted yet.
///
/// The memory of sent bytes is freed even if the buffer never becomes empty. This happens if a client reads and calls
/// at the same pace.
package struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var offset = 0

    /// Capacity above which an empty buffer is freed. Unit: bytes.
    private static let keptCapacity = 16 * 1024

    package init() {}

    var count: Int { bytes.count - offset }
    var isEmpty: Bool { count == 0 }

    /// Memory in use. Unit: bytes.
    package var capacity: Int { bytes.capacity }

    package mutating func append(_ more: some Collection<UInt8>) { bytes += more }

    mutating func append(_ message: EncodedMessage, missed: Int) { message.append(to: &bytes, missed: missed) }

    /// Sends a message directly instead of copying it into the buffer, which must be empty. Bytes that the kernel does
    /// not accept are kept in the buffer.
    ///
    /// - Returns: whether the kernel accepted the whole message.
    mutating func send(_ message: EncodedMessage, to stream: UnixStream) throws(SystemError) -> Bool {
        let frame = message.frame
        let sent = try frame.span.bytes.withUnsafeBytes { (all) throws(SystemError) in try stream.send(all) }
        if sent == frame.count { return true }
        bytes += frame[(sent ?? 0)...]
        return false
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        offset = 0
    }

    /// Sends what the kernel accepts now; returns the number of bytes sent.
    package mutating func send(to stream: UnixStream) throws(SystemError) -> Int {
        let start = offset
        while offset < bytes.count {
            let sent = try bytes.span.bytes.withUnsafeBytes { (all) throws(SystemError) in
                try stream.send(UnsafeRawBufferPointer(rebasing: all[offset...]))
            }
            guard let sent else {
                defer { dropSent() }
                return offset - start
            }
            offset += sent
        }
        let total = offset - start
        removeAll()
        return total
    }

    /// Moves the unsent bytes to the beginning if they are fewer than the sent bytes.
    private mutating func dropSent() {
        guard offset > count else { return }
        bytes.removeSubrange(..<offset)
        offset = 0
    }
}
