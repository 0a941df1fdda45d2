import JSON
import Linux

/// A client's call that has to be answered: exactly one of `reply`, `fail` or `stream` ends it, now or later.
///
/// A call that is released without an answer fails with MethodNotImplemented.
public final class Call {
    /// The method's name without its interface.
    public let method: String
    /// Name of the interface, without the method.
    public let interface: String
    /// Whether the client requests more than one reply.
    public var wantsMore: Bool { message.more }
    /// Whether the client wants no reply; replies are then dropped.
    public var isOneway: Bool { message.oneway }
    /// Credentials of the client's process, as recorded by the kernel.
    public let peer: PeerCredentials
    /// Connection of the call.
    public let client: ClientIdentifier
    /// The file descriptors that came with the call.
    public let descriptors: [OwnedDescriptor]

    /// Whether the result is still wanted, since the connection is open or the call wants no reply: otherwise long work
    /// can be ended.
    public var hasClient: Bool { isOneway || connection?.isOpen == true }

    private let message: CallMessage
    private weak var connection: Connection?
    /// Counts the call in its user's share until it is answered.
    private weak var server: VarlinkServer?
    /// Whether it was answered, or has become a stream.
    public private(set) var isAnswered = false

    init(
        interface: String, method: String, message: CallMessage, descriptors: [OwnedDescriptor], connection: Connection,
        server: VarlinkServer
    ) {
        self.interface = interface
        self.method = method
        self.message = message
        self.descriptors = descriptors
        self.peer = connection.peer
        client = connection.identifier
        self.connection = connection
        self.server = server
        server.callBegins(of: peer.user)
    }

    deinit {
        if !isAnswered { fail(.methodNotImplemented("\(interface).\(method)")) }
    }

    /// Decodes the parameters as a type of the handler's.
    ///
    /// - Throws: InvalidParameter with the name of a parameter that is missing or of another type.
    public func decode<Parameters: JSONReadable>(
        _ type: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do throws(DocumentProblem) {
            return try Parameters(parameters)
        } catch {
            throw .invalidParameter(error.path(below: parameters))
        }
    }

    /// The parameters, an object.
    public var parameters: JSONNode { message.parameters }

    /// Answers with a value, written as one JSON object; if it lacks a number, the call fails with
    /// MethodNotImplemented, since no client could read it.
    public func reply(json value: some JSONWritable) {
        guard let connection else { return }
        guard let bytes = connection.server.encoded(value) else {
            return fail(.methodNotImplemented("\(interface).\(method)"))
        }
        reply(bytes: bytes)
    }

    /// Answers with already encoded parameters, one JSON object.
    public func reply(bytes: [UInt8] = Array("{}".utf8)) {
        guard let connection = answer() else { return }
        connection.finishCall(reply: bytes, oneway: isOneway)
    }

    /// Answers with an error; a name without a dot is one of the call's own interface.
    public func fail(_ error: VarlinkError) {
        guard let connection = answer() else { return }
        let name = error.name.contains(".") ? error.name : "\(interface).\(error.name)"
        connection.finishCall(error: VarlinkError(name: name, parameters: error.parameters), oneway: isOneway)
    }

    /// Answers with a stream of replies on topics 0..<`topics`; nil if the call was not made with `more`, or there are
    /// too many streams: the call then has an error reply.
    public func stream(topics: Int = 1) -> ReplyStream? {
        guard wantsMore, !isOneway else {
            fail(.expectedMore)
            return nil
        }
        guard let connection, !isAnswered else { return nil }
        do throws(VarlinkError) {
            guard let stream = try connection.openStream(topics: topics) else {
                // The connection is being closed.
                reply()
                return nil
            }
            end()
            return stream
        } catch {
            fail(error)
            return nil
        }
    }

    /// Lets the client's further messages, including calls that want a reply, wait (`ServerLimits.patience`) to be read
    /// together with other clients': a wake-up for each costs more than the rest of its processing. For calls without
    /// replies that come many times a second; the next call of another kind ends it.
    public func letFollowingWait() {
        guard isOneway else { return }
        connection?.letFollowingWait()
    }

    private func answer() -> Connection? {
        guard !isAnswered else { return nil }
        end()
        return connection
    }

    private func end() {
        isAnswered = true
        server?.callEnds(of: peer.user)
    }
}

/// Identifier of a client's connection, unique since the server's start.
public struct ClientIdentifier: Hashable, Sendable {
    /// Number of the connection.
    public let number: UInt64

    init(number: UInt64) { self.number = number }
}
