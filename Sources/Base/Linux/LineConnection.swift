import Glibc

/// A TCP connection that receives lines of text into a fixed buffer. Only the initializer blocks.
///
/// Not thread-safe: for use by one thread.
public final class LineConnection {
    /// Readable when data has arrived or the peer has closed the connection.
    public let descriptor: Int32
    private let buffer: UnsafeMutableBufferPointer<CChar>
    private var start = 0
    private var end = 0
    /// Index up to which the buffer was searched for a line end.
    private var searched = 0

    /// Connects to the first address of `host` that responds.
    ///
    /// - Parameters:
    ///   - timeoutSeconds: time limit for each address.
    ///   - capacity: length limit of a line, in bytes.
    ///   - stop: cancels the attempt, except for a DNS lookup, which cannot be interrupted.
    public init(
        host: String, port: Int, timeoutSeconds: Double, capacity: Int, stop: StopFlag
    ) throws(ConnectionError) {
        descriptor = try Self.connect(host: host, port: port, timeoutSeconds: timeoutSeconds, stop: stop)
        buffer = .allocate(capacity: capacity + 1)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Sends a short text without waiting.
    ///
    /// - Throws: for example if the kernel's send buffer cannot hold the whole text, because the peer has stopped
    ///   reading.
    public func send(_ text: String) throws(ConnectionError) {
        let bytes = Array(text.utf8)
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard sent >= 0 else { throw ConnectionError("cannot be written", errno) }
        guard sent == bytes.count else { throw ConnectionError("does not read its input") }
    }

    /// Reads the available data into the buffer; does not block.
    ///
    /// - Returns: whether data was available.
    /// - Throws: if the peer has closed the connection, or its line exceeds the buffer.
    public func receive() throws(ConnectionError) -> Bool {
        if start > 0 {
            buffer.baseAddress!.update(from: buffer.baseAddress! + start, count: end - start)
            searched -= start
            end -= start
            start = 0
        }
        // One byte is reserved for the terminating zero of a line.
        let room = buffer.count - 1 - end
        guard room > 0 else { throw ConnectionError("sent a line longer than \(buffer.count - 1) bytes") }
        let count = recv(descriptor, buffer.baseAddress! + end, room, 0)
        if count > 0 {
            end += count
            return true
        }
        guard count < 0 else { throw ConnectionError("closed the connection") }
        guard errno == EAGAIN || errno == EINTR else { throw ConnectionError("broke the connection", errno) }
        return false
    }

    /// Passes the next complete line to `body`, zero-terminated and without its line end.
    ///
    /// - Returns: the result of `body`; nil if no complete line is buffered.
    public func withNextLine<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
        while searched < end && buffer[searched] != 10 { searched += 1 }
        guard searched < end else { return nil }
        buffer[searched] = 0
        if searched > start && buffer[searched - 1] == 13 { buffer[searched - 1] = 0 }
        let line = buffer.baseAddress! + start
        searched += 1
        start = searched
        return body(UnsafePointer(line))
    }

    private static func connect(
        host: String, port: Int, timeoutSeconds: Double, stop: StopFlag
    ) throws(ConnectionError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw ConnectionError("cannot be resolved: \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(list) }
        var failure = ConnectionError("cannot be resolved")
        var next = list
        while let address = next?.pointee, !stop.isSet {
            do {
                return try connect(address, timeoutSeconds: timeoutSeconds, stop: stop)
            } catch {
                failure = error
            }
            next = address.ai_next
        }
        throw failure
    }

    private static func connect(
        _ address: addrinfo, timeoutSeconds: Double, stop: StopFlag
    ) throws(ConnectionError) -> Int32 {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, address.ai_socktype | flags, address.ai_protocol)
        guard descriptor >= 0 else { throw ConnectionError("cannot be reached", errno) }
        do throws(ConnectionError) {
            if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else { throw ConnectionError("cannot be reached", errno) }
                try waitUntilConnected(descriptor, timeoutSeconds: timeoutSeconds, stop: stop)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func waitUntilConnected(
        _ descriptor: Int32, timeoutSeconds: Double, stop: StopFlag
    ) throws(ConnectionError) {
        let deadline = Reactor.now + Int64(timeoutSeconds * 1e9)
        let outcome: Waiting.Outcome
        do {
            outcome = try Waiting.wait(descriptor, events: POLLOUT, until: deadline, cancel: stop.descriptor)
        } catch {
            throw ConnectionError("poll failed", error.code)
        }
        guard outcome != .cancelled else { throw ConnectionError("was cancelled") }
        guard outcome == .ready else { throw ConnectionError("does not respond") }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        guard error == 0 else { throw ConnectionError("cannot be reached", error) }
    }
}

/// Reason why a connection failed. It is the predicate of a sentence whose subject is the peer.
public struct ConnectionError: Error, Hashable, CustomStringConvertible {
    /// The predicate, such as "closed the connection".
    public var description: String

    package init(_ text: String) { description = text }

    /// Makes an error from a text and the C library's message for the error number `code`.
    init(_ text: String, _ code: Int32) { description = SystemError(text, code: code).description }
}
