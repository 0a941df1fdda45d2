import Glibc
import JSON
import Linux

/// Connection to a Varlink service, for programs that may block. Every wait is limited and can be cancelled.
///
/// After a failure other than an error reply, the connection is unusable. Not thread-safe.
package final class VarlinkClient {
    /// Reason why a call has no reply.
    package enum Failure: Error {
        /// No service could be reached at the path.
        case unreachable(path: String, SystemError)
        /// The service closed the connection.
        case disconnected
        case timedOut
        /// The descriptor that was given as `cancel` became readable.
        case cancelled
        /// A message is not a Varlink reply, or not of the requested type.
        case malformed(String)
        case error(VarlinkError)
    }

    /// Maximum length of a reply. Unit: bytes.
    private static let maximumReplySize = 16 << 20

    private let stream: UnixStream
    private let timeout: Duration
    private let cancel: Int32?
    private var input: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var isUsable = true
    private var hasOpenCall = false

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - timeout: time limit for each of connecting, sending a call and receiving its reply.
    ///   - cancel: a descriptor that ends any wait when it becomes readable, such as an `EventDescriptor`'s or a
    ///     `SignalDescriptor`'s. It has to stay open as long as the client lives.
    package init(path: String, timeout: Duration = .seconds(5), cancel: Int32? = nil) throws(Failure) {
        self.timeout = timeout
        self.cancel = cancel
        do throws(SystemError) {
            stream = try UnixStream.connect(path: path, until: Reactor.now + timeout.nanoseconds, cancel: cancel)
        } catch {
            switch error.code {
            case ETIMEDOUT: throw .timedOut
            case ECANCELED: throw .cancelled
            default: throw .unreachable(path: path, error)
            }
        }
    }

    /// Readable when data from the service has arrived, or when the service has closed the connection.
    package var descriptor: Int32 { stream.descriptor }

    /// Calls a method with one reply.
    ///
    /// - Parameters:
    ///   - method: name with its interface.
    ///   - descriptors: file descriptors to send with the call, at most four. The caller keeps owning them.
    package func call<Reply: JSONReadable>(
        _ method: String, _ parameters: some JSONWritable, descriptors: [Int32] = [], reply: Reply.Type = Reply.self
    ) throws(Failure) -> Reply {
        try send(method, parameters, flag: nil, descriptors: descriptors)
        do throws(Failure) {
            return try next(reply, timeout: timeout).reply
        } catch {
            // A late reply would be taken for the reply of the next call.
            if case .timedOut = error { isUsable = false }
            throw error
        }
    }

    /// Calls a method without a reply. Not even a refusal is reported.
    package func notify(_ method: String, _ parameters: some JSONWritable) throws(Failure) {
        try send(method, parameters, flag: "oneway", descriptors: [])
    }

    /// Calls a method with `more`. Its replies are read one by one from the returned object. No other call can be made
    /// on this connection until the replies have ended.
    package func stream(
        _ method: String, _ parameters: some JSONWritable, descriptors: [Int32] = []
    ) throws(Failure) -> VarlinkReplies {
        try send(method, parameters, flag: "more", descriptors: descriptors)
        return VarlinkReplies(self)
    }

    /// Receives the next reply of an open call, and whether more will follow. Can be repeated after a timeout.
    func next<Reply: JSONReadable>(
        _ type: Reply.Type, timeout: Duration?
    ) throws(Failure) -> (reply: Reply, continues: Bool) {
        let message = try receive(timeout: timeout)
        let answer: (result: Result<Reply, VarlinkError>, continues: Bool)
        do throws(DocumentProblem) {
            answer = try Self.answer(message)
        } catch {
            throw fail(.malformed("\(error)"))
        }
        if !answer.continues { hasOpenCall = false }
        switch answer.result {
        case .success(let reply): return (reply, answer.continues)
        case .failure(let error): throw .error(error)
        }
    }

    /// Decodes a reply or an error. If the parameters are missing, an empty object is used.
    private static func answer<Reply: JSONReadable>(
        _ message: ArraySlice<UInt8>
    ) throws(DocumentProblem) -> (Result<Reply, VarlinkError>, continues: Bool) {
        let node = try JSONReader.read(message, limits: CallMessage.limits)
        try node.require(.object)
        let empty = try JSONReader.read(Array("{}".utf8))
        let parameters = node["parameters"] ?? empty
        if let name: String = try node.optional("error") {
            var json = JSONWriter()
            parameters.write(into: &json)
            return (.failure(VarlinkError(name: name, parameters: json.bytes)), false)
        }
        return (.success(try Reply(parameters)), try node.optional("continues") ?? false)
    }

    // MARK: messages

    private func send(
        _ method: String, _ parameters: some JSONWritable, flag: StaticString?, descriptors: [Int32]
    ) throws(Failure) {
        precondition(descriptors.count <= UnixStream.descriptorLimit, "more descriptors than a message takes")
        guard isUsable else { throw .disconnected }
        precondition(!hasOpenCall, "a call while the replies to another have not ended")
        var json = JSONWriter(precision: .exact)
        json.beginObject()
        json.member("method", method)
        json.member("parameters", Optional(parameters))
        if let flag { json.member(flag, true) }
        json.endObject()
        guard !json.hasOmittedNumber else {
            throw .malformed("the parameters of \(method) have a number that is not finite")
        }
        hasOpenCall = flag?.description != "oneway"
        try transmit(json.bytes + [0], descriptors: descriptors)
    }

    // MARK: bytes

    private func transmit(_ bytes: [UInt8], descriptors: [Int32]) throws(Failure) {
        let deadline = Reactor.now + timeout.nanoseconds
        var offset = 0
        while offset < bytes.count {
            let sent = try io { () throws(SystemError) in
                try bytes.span.bytes.withUnsafeBytes { (all) throws(SystemError) in
                    try stream.send(
                        UnsafeRawBufferPointer(rebasing: all[offset...]), descriptors: offset == 0 ? descriptors : [])
                }
            }
            if let sent { offset += sent } else { try wait(POLLOUT, until: deadline) }
        }
    }

    /// The next message, without its NUL.
    private func receive(timeout: Duration?) throws(Failure) -> ArraySlice<UInt8> {
        let deadline = timeout.map { Reactor.now + $0.nanoseconds }
        var searched = 0
        while true {
            if let end = input[searched...].firstIndex(of: 0) {
                let message = Array(input[..<end])
                input.removeSubrange(...end)
                return message[...]
            }
            searched = input.count
            guard input.count <= Self.maximumReplySize else { throw fail(.malformed("a reply without an end")) }
            try wait(POLLIN, until: deadline)
            try fill()
        }
    }

    private func fill() throws(Failure) {
        let received = try io { () throws(SystemError) in
            // The array's own access to its bytes does not support typed errors.
            let result = buffer.withUnsafeMutableBytes { all in
                Result { () throws(SystemError) in try stream.receive(into: all) }
            }
            return try result.get()
        }
        guard let received else { return }
        guard received.count > 0 else { throw fail(.disconnected) }
        input += buffer[..<received.count]
    }

    private func io<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
        guard isUsable else { throw .disconnected }
        do throws(SystemError) {
            return try body()
        } catch {
            throw fail(.disconnected)
        }
    }

    private func wait(_ events: Int32, until deadline: Int64?) throws(Failure) {
        let outcome: Waiting.Outcome
        do throws(SystemError) {
            outcome = try Waiting.wait(stream.descriptor, events: events, until: deadline, cancel: cancel)
        } catch {
            throw fail(.disconnected)
        }
        switch outcome {
        case .ready: return
        case .timedOut: throw events == POLLIN ? .timedOut : fail(.timedOut)
        case .cancelled: throw fail(.cancelled)
        }
    }

    private func fail(_ failure: Failure) -> Failure {
        isUsable = false
        return failure
    }
}

/// Replies to a call made with `more`.
package final class VarlinkReplies {
    private let client: VarlinkClient
    private var hasEnded = false

    init(_ client: VarlinkClient) { self.client = client }

    /// Receives the next reply; nil after the last one. Can be repeated after a timeout.
    ///
    /// - Parameter timeout: longest wait; nil to wait until the service closes the connection or the client is
    ///   cancelled.
    package func next<Reply: JSONReadable>(
        _ type: Reply.Type = Reply.self, timeout: Duration? = nil
    ) throws(VarlinkClient.Failure) -> Reply? {
        guard !hasEnded else { return nil }
        do throws(VarlinkClient.Failure) {
            let (reply, continues) = try client.next(type, timeout: timeout)
            hasEnded = !continues
            return reply
        } catch {
            if case .timedOut = error { throw error }
            hasEnded = true
            throw error
        }
    }
}

extension Duration {
    /// The duration in nanoseconds. It is at most a century, so that adding it to a clock's time cannot overflow.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
