import JSON
import Linux
import Varlink
import WaymarkInterface

extension InterfaceCall {
    /// Decodes a call. The permission is checked first: a caller without it learns nothing from the parameters' errors.
    init(_ call: Call, _ authorization: Authorization) throws(VarlinkError) {
        guard let known = Self.methods.first(where: { $0.isNamed(call.method, of: call.interface) }) else {
            throw .methodNotFound("\(call.interface).\(call.method)")
        }
        guard !known.changes || authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        try self.init(call)
        guard traits.replies != .many || call.wantsMore else { throw .expectedMore }
    }
}

extension MethodTraits {
    fileprivate func isNamed(_ method: String, of interface: String) -> Bool {
        name.withUTF8Buffer { name in
            let end = interface.utf8.count
            return name.count == end + 1 + method.utf8.count && name[..<end].elementsEqual(interface.utf8)
                && name[(end + 1)...].elementsEqual(method.utf8)
        }
    }
}

extension Call {
    /// The descriptor of an index that a parameter `descriptor` has.
    func descriptor(_ index: Int) throws(VarlinkError) -> OwnedDescriptor {
        guard descriptors.indices.contains(index) else { throw .invalidParameter("descriptor") }
        return descriptors[index]
    }
}

/// Registers interfaces with a server, each with the type that answers its calls.
final class InterfaceRegistry {
    private let server: VarlinkServer
    /// Permission to call the methods that change something.
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
