import Glibc
import Linux

/// A peer of a stream: a TCP or Unix socket or a pseudo terminal. It is sent whole messages and may send lines.
///
/// Nothing waits for the peer. A message that does not fit into the kernel's buffer is kept here, up to a limit, and
/// while anything is kept further messages are refused: a slow peer misses whole messages, and never gets half of one.
public final class StreamConnection {
    /// Reason for the end of a connection.
    public enum End: Error, Hashable, Sendable {
        /// The peer has closed the connection, or it broke.
        case closed
        /// The peer's line is longer than the limit.
        case lineTooLong
    }

    /// Sizes that a connection keeps to.
    public struct Limits: Hashable, Sendable {
        /// Longest line of the peer. Unit: bytes.
        public let line: Int
        /// Number of bytes kept for a peer that does not read.
        public let unsent: Int

        /// The limits.
        public init(line: Int, unsent: Int) {
            self.line = line
            self.unsent = unsent
        }
    }

    /// Readable when the peer has sent something or has gone.
    public let descriptor: Int32
    private let owner: AnyObject
    private let limits: Limits
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []
    /// Time since which nothing of what is kept could be sent. Unit: ns, monotonic; nil while nothing is kept.
    public private(set) var stuckSince: Int64?
    /// Number of messages that the peer missed because it read slowly.
    public private(set) var missed = 0

    /// Takes a connected, non-blocking descriptor.
    ///
    /// - Parameter owner: closes the descriptor when it is released.
    public init(_ descriptor: Int32, owner: AnyObject, limits: Limits) {
        self.descriptor = descriptor
        self.owner = owner
        self.limits = limits
    }

    /// Whether a part of a message waits for the peer.
    public var hasUnsent: Bool { !unsent.isEmpty }

    // MARK: - Receiving

    /// Reads what is there, a buffer's worth at most, and passes each complete line to `body`, without its end.
    ///
    /// - Parameter separator: byte that ends a line, beside a line feed.
    public func receive(separator: UInt8 = 10, _ body: ([UInt8]) -> Void) throws(End) {
        let count = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { received.append(contentsOf: buffer.prefix(count)) }
            return count
        }
        guard count != 0 else { throw .closed }
        guard count > 0 else {
            if errno == EAGAIN || errno == EINTR { return }
            throw .closed
        }
        var start = received.startIndex
        while let end = received[start...].firstIndex(where: { $0 == separator || $0 == 10 }) {
            guard end - start <= limits.line else { throw .lineTooLong }
            let line = received[start..<end]
            if !line.isEmpty { body(Array(line)) }
            start = end + 1
        }
        received.removeFirst(start)
        guard received.count <= limits.line else { throw .lineTooLong }
    }

    private static let readSize = 4096

    // MARK: - Sending

    /// Sends a message, whole or not at all.
    ///
    /// - Parameter isRequired: kept even while earlier messages wait, up to the limit: for replies, which a peer must
    ///   not miss.
    /// - Returns: false if the peer misses it.
    @discardableResult
    public func send(_ message: [UInt8], isRequired: Bool = false) throws(End) -> Bool {
        if hasUnsent {
            guard isRequired, unsent.count + message.count <= limits.unsent else {
                missed += 1
                return false
            }
            unsent.append(contentsOf: message)
            return true
        }
        let sent = try write(message[...])
        if sent < message.count {
            unsent = Array(message[sent...])
            stuckSince = Reactor.now
        }
        return true
    }

    /// Sends more of what is kept; to be called when the descriptor is writable.
    public func flush() throws(End) {
        let sent = try write(unsent[...])
        guard sent > 0 else { return }
        unsent.removeFirst(sent)
        stuckSince = unsent.isEmpty ? nil : Reactor.now
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(End) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EINTR { return 0 }
        throw .closed
    }
}
