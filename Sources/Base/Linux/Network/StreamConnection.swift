import Glibc

/// A connected, non-blocking socket, closed when the last reference to it is released.
package protocol StreamSocket: AnyObject {
    /// Readable when data has arrived or the peer has closed the connection.
    var descriptor: Int32 { get }

    /// Reads the available data. Returns the number of bytes, 0 at the end of the stream, or nil if no data has
    /// arrived.
    func receiveBytes(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int?
}

/// A TCP socket.
extension OwnedDescriptor: StreamSocket {
    package func receiveBytes(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let count = read(descriptor, room.baseAddress, room.count)
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw SystemError("receive", code: errno) }
        return nil
    }
}

extension UnixStream: StreamSocket {
    /// Reads the available data. Fails if the listener refuses descriptors and some come with the data.
    package func receiveBytes(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try receive(into: room)?.count
    }
}

/// A connection to a peer over TCP or a Unix socket. Messages to the peer are sent whole; the peer may send lines.
///
/// No call waits for the peer. A message that does not fit into the kernel's buffer is kept here, up to a limit.
/// Meanwhile further messages are refused, so that a slow peer misses whole messages and never gets half of one.
package final class StreamConnection {
    /// Reason why a connection ended.
    package enum End: Error, Hashable, Sendable {
        /// The peer has closed the connection, or the connection failed.
        case closed
        /// The peer's line is longer than the limit.
        case lineTooLong
    }

    package struct Limits: Hashable, Sendable {
        /// Maximum length of a line from the peer. Unit: bytes.
        package let line: Int
        /// Maximum number of bytes kept for a peer that does not read.
        package let unsent: Int

        package init(line: Int, unsent: Int) {
            self.line = line
            self.unsent = unsent
        }
    }

    private let socket: any StreamSocket
    private let limits: Limits
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []
    /// Time of the last progress in sending the kept bytes; nil while no bytes are kept. Unit: ns, monotonic.
    package private(set) var stuckSince: Int64?
    /// Number of messages that the peer missed because it read slowly.
    package private(set) var missed = 0

    package init(_ socket: any StreamSocket, limits: Limits) {
        self.socket = socket
        self.limits = limits
    }

    /// Readable when data has arrived or the peer has closed the connection.
    package var descriptor: Int32 { socket.descriptor }

    /// Whether a part of a message has not been sent yet.
    package var hasUnsent: Bool { !unsent.isEmpty }

    // MARK: - Receiving

    /// Reads the available data, at most a buffer's size, and passes each complete line to `body` without its line end.
    ///
    /// - Parameter separator: byte that ends a line, in addition to a line feed.
    package func receive(separator: UInt8 = 10, _ body: ([UInt8]) -> Void) throws(End) {
        guard try receiveBytes() else { return }
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

    /// Reads the available data; returns whether there was any.
    private func receiveBytes() throws(End) -> Bool {
        let count = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer -> Int? in
            do throws(SystemError) {
                guard let count = try socket.receiveBytes(into: buffer) else { return nil }
                received.append(contentsOf: buffer.prefix(count))
                return count
            } catch {
                return 0
            }
        }
        guard count != 0 else { throw .closed }
        return count != nil
    }

    private static let readSize = 4096

    // MARK: - Sending

    /// Sends a whole message or nothing.
    ///
    /// - Parameter isRequired: whether to keep the message, up to the limit, even while earlier messages wait. This is
    ///   for replies, which a peer must not miss.
    /// - Returns: false if the peer misses the message.
    @discardableResult
    package func send(_ message: [UInt8], isRequired: Bool = false) throws(End) -> Bool {
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

    /// Sends more of the kept bytes. Has to be called when the descriptor is writable.
    package func flush() throws(End) {
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
