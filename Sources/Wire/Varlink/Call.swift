import JSON
import Linux

/// A client's call that has to be answered. Exactly one of `reply`, `fail` and `stream` ends it, now or later.
///
/// A call that is released without an answer fails with MethodNotImplemented.
package final class Call {
    /// The method's name without its interface.
    package let method: String
    package let interface: String
    /// Whether the client requests more than one reply.
    package var wantsMore: Bool { message.more }
    /// Whether the client wants no reply. If so, replies are dropped.
    package var isOneway: Bool { message.oneway }
    /// Credentials of the client's process, as recorded by the kernel.
    package let peer: PeerCredentials
    package let client: ClientIdentifier
    package let descriptors: [OwnedDescriptor]

    /// Whether the call is still worth handling. True while the connection is open, and always for a one-way call. If
    /// false, long work can be abandoned.
    package var hasClient: Bool { isOneway || connection?.isOpen == true }

    private let message: CallMessage
    private weak var connection: Connection?
    /// Server that counts the call as its user's until the call is answered.
    private weak var server: VarlinkServer?
    /// Whether the call was answered, or has become a stream.
    package private(set) var isAnswered = false

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

    /// Decodes the parameters as a type that the handler chooses.
    ///
    /// - Throws: InvalidParameter with the name of a parameter that is missing or has a wrong type.
    package func decode<Parameters: JSONReadable>(
        _ type: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do throws(DocumentProblem) {
            return try Parameters(parameters)
        } catch {
            throw .invalidParameter(error.path(below: parameters))
        }
    }

    package var parameters: JSONNode { message.parameters }

    /// Answers with a value, which is written as one JSON object. If the value lacks a required number, the call fails
    /// with MethodNotImplemented, because no client could read the reply.
    package func reply(json value: some JSONWritable) {
        guard let connection else { return }
        guard let bytes = connection.server.encoded(value) else {
            return fail(.methodNotImplemented("\(interface).\(method)"))
        }
        reply(bytes: bytes)
    }

    /// Answers with parameters that are already encoded as one JSON object.
    package func reply(bytes: [UInt8] = Array("{}".utf8)) {
        guard let connection = answer() else { return }
        connection.finishCall(.reply(bytes), oneway: isOneway)
    }

    /// Answers with an error. If the error's name has no dot, the error belongs to the call's own interface.
    package func fail(_ error: VarlinkError) {
        guard let connection = answer() else { return }
        let name = error.name.contains(".") ? error.name : "\(interface).\(error.name)"
        connection.finishCall(.error(VarlinkError(name: name, parameters: error.parameters)), oneway: isOneway)
    }

    /// Answers with a stream of replies on topics 0..<`topics`. If the call was not made with `more`, or if there are
    /// too many streams, the call gets an error reply and nil is returned.
    package func stream(topics: Int = 1) -> ReplyStream? {
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

    /// Delays reading the client's further messages, for at most `ServerLimits.patience`, so that they are read
    /// together with those of other clients. This saves wake-ups, each of which costs more than the rest of a message's
    /// processing. Calls that want a reply are delayed too. The client's next call of another kind ends the delay. This
    /// is for calls without replies that come many times a second.
    package func letFollowingWait() {
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

/// Identifier of a client's connection, unique since the start of the server.
package struct ClientIdentifier: Hashable, Sendable {
    package let number: UInt64

    init(number: UInt64) { self.number = number }
}
