import JSON
import Linux
import Varlink
import WaymarkInterface

extension InterfaceCall {
    /// Decodes a call. The permission is checked first: a caller without it learns nothing from the parameters' errors.
    init(_ call: Call, _ authorization: Authorization) throws(VarlinkError) {
        let name = "\(call.interface).\(call.method)"
        guard let known = Self.methods.first(where: { $0.isNamed(name) }) else { throw .methodNotFound(name) }
        guard authorization.permits(known.right, call.peer) else { throw .permissionDenied }
        try self.init(call)
        guard traits.replies != .many || call.wantsMore else { throw .expectedMore }
    }
}

extension MethodTraits {
    fileprivate func isNamed(_ name: String) -> Bool { self.name.withUTF8Buffer { $0.elementsEqual(name.utf8) } }
}

extension Call {
    /// The descriptor with the index that a parameter `descriptor` gives.
    func descriptor(_ index: Int) throws(VarlinkError) -> OwnedDescriptor {
        guard descriptors.indices.contains(index) else { throw .invalidParameter("descriptor") }
        return descriptors[index]
    }
}

/// Registers interfaces with a server, each with the type that answers its calls.
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
    ///   - then: called after each call, also after one that was refused.
    func register<Request: InterfaceCall>(
        _ answer: @escaping (Request, Call) throws(VarlinkError) -> Void, then: @escaping () -> Void = {}
    ) {
        server.register(Request.description) { [unowned self] call throws(VarlinkError) in
            defer { then() }
            try answer(try Request(call, authorization), call)
        }
    }
}
