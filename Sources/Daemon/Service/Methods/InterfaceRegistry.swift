import JSON
import Linux
import Varlink
import WaymarkInterface

extension InterfaceCall {
    /// Decodes a call. The permission is checked first, so that a caller without it learns nothing from errors about
    /// the parameters.
    init(_ call: Call, _ authorization: Authorization) throws(VarlinkError) {
        guard let known = Self.methods.first(where: { $0.isNamed(call.method) }) else {
            throw .methodNotFound("\(call.interface).\(call.method)")
        }
        guard authorization.permits(known.right, call.peer) else { throw .permissionDenied }
        try self.init(call)
        guard known.replies != .many || call.wantsMore else { throw .expectedMore }
    }
}

extension Call {
    /// Returns the file descriptor that came with the call, at the index that its parameter `descriptor` gives.
    func descriptor(_ index: Int) throws(VarlinkError) -> OwnedDescriptor {
        guard descriptors.indices.contains(index) else { throw .invalidParameter("descriptor") }
        return descriptors[index]
    }

    /// Replies with a result, or with the error that stands for its failure.
    func reply<Success, Failure>(
        _ result: Result<Success, Failure>, _ error: (Failure) -> VarlinkError, _ reply: (Success) -> some JSONWritable
    ) {
        switch result {
        case .success(let success): self.reply(json: reply(success))
        case .failure(let failure): fail(error(failure))
        }
    }

    /// Replies with an encoded result, or with the error that stands for its failure.
    func reply<Failure>(encoded result: Result<[UInt8], Failure>, _ error: (Failure) -> VarlinkError) {
        switch result {
        case .success(let bytes): reply(bytes: bytes)
        case .failure(let failure): fail(error(failure))
        }
    }

    /// Replies with what the place store has found. Replies with the error `missing` if the store has found nothing, or
    /// with the store's own error.
    func reply<Found>(
        _ result: Result<Found?, any Error>, orElse missing: @autoclosure () -> VarlinkError,
        _ reply: (Found) -> some JSONWritable
    ) {
        switch result {
        case .success(let found?): self.reply(json: reply(found))
        case .success(nil): fail(missing())
        case .failure(let error): fail(VarlinkError(store: error))
        }
    }

    /// Replies that the place store has made a change. Replies with the error `missing` if there was nothing to change,
    /// or with the store's own error.
    func reply(_ result: Result<Bool, any Error>, orElse missing: @autoclosure () -> VarlinkError) {
        switch result {
        case .success(true): reply()
        case .success(false): fail(missing())
        case .failure(let error): fail(VarlinkError(store: error))
        }
    }
}

extension JSONWritable {
    /// The value as JSON. A long reply is encoded on another thread, where it delays no pose.
    var encoded: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        write(into: &json)
        return json.bytes
    }
}

/// Registers interfaces with a server, each with the closure that answers its calls.
final class InterfaceRegistry {
    private let server: VarlinkServer
    /// Permission to call methods that do more than read.
    var authorization: Authorization

    init(_ server: VarlinkServer, _ authorization: Authorization) {
        self.server = server
        self.authorization = authorization
    }

    /// - Parameters:
    ///   - answer: answers a decoded call, now or later; an error it throws is the reply.
    ///   - before: called before each answer.
    ///   - then: called after each call, also after one that was refused.
    func register<Request: InterfaceCall>(
        _ answer: @escaping (Request, Call) throws(VarlinkError) -> Void, before: @escaping () -> Void = {},
        then: @escaping (Call) -> Void = { _ in }
    ) {
        server.register(Request.description) { [unowned self] call throws(VarlinkError) in
            defer { then(call) }
            let request = try Request(call, authorization)
            before()
            try answer(request, call)
        }
    }
}
