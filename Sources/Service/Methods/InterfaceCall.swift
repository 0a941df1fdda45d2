import JSON
import Linux
import Varlink
import WaymarkInterface

/// Calls of one interface: the generated enumeration with a case for each method and its parameters.
protocol InterfaceCall: Sendable {
    /// The interface file, for introspection.
    static var text: String { get }
    static var methods: [MethodTraits] { get }

    /// - Parameter method: its name without the interface.
    init(method: String, parameters: JSONNode) throws(CallProblem)
    var traits: MethodTraits { get }
}

extension PoseInterface.Call: InterfaceCall {
    static var text: String { PoseInterface.text }
    static var methods: [MethodTraits] { PoseInterface.methods }
}

extension StatusInterface.Call: InterfaceCall {
    static var text: String { StatusInterface.text }
    static var methods: [MethodTraits] { StatusInterface.methods }
}

extension SceneInterface.Call: InterfaceCall {
    static var text: String { SceneInterface.text }
    static var methods: [MethodTraits] { SceneInterface.methods }
}

extension RecordingInterface.Call: InterfaceCall {
    static var text: String { RecordingInterface.text }
    static var methods: [MethodTraits] { RecordingInterface.methods }
}

extension CalibrationInterface.Call: InterfaceCall {
    static var text: String { CalibrationInterface.text }
    static var methods: [MethodTraits] { CalibrationInterface.methods }
}

extension InterfaceCall {
    static var description: InterfaceDescription {
        do {
            return try InterfaceDescription(text: text)
        } catch {
            preconditionFailure("an interface file built into the program: \(error)")
        }
    }

    /// Decodes a call. The permission is checked first: a caller without it learns nothing from the parameters' errors.
    init(_ call: Call, _ authorization: Authorization) throws(VarlinkError) {
        let name = "\(call.interface).\(call.method)"
        let changes = Self.methods.contains { $0.changes && "\($0.name)" == name }
        guard !changes || authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        let parameters = try call.parameters()
        do throws(CallProblem) {
            self = try Self(method: call.method, parameters: parameters)
        } catch {
            throw VarlinkError(error, of: name)
        }
        guard traits.replies != .many || call.wantsMore else { throw .expectedMore }
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
