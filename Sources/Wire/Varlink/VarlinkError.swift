import JSON
import WaymarkInterface

/// An error reply: its name, including the interface, and its parameters as a JSON object.
public struct VarlinkError: Error, Equatable, Sendable {
    /// Name including the interface, such as `org.varlink.service.MethodNotFound`.
    public let name: String
    /// Parameters, a JSON object.
    public let parameters: [UInt8]

    /// Makes an error; `parameters` are a JSON object in UTF-8.
    public init(name: String, parameters: [UInt8] = Array("{}".utf8)) {
        self.name = name
        self.parameters = parameters
    }

    /// Makes an error with parameters that are strings.
    public init(name: String, _ parameters: [String: String]) {
        var json = JSONWriter()
        parameters.write(into: &json)
        self.init(name: name, parameters: json.bytes)
    }

    /// Makes an error with parameters that are written as one JSON object.
    public init(name: StaticString, json parameters: some JSONWritable) {
        var json = JSONWriter()
        parameters.write(into: &json)
        self.init(name: name.description, parameters: json.bytes)
    }

    /// Makes an error that an interface declares.
    public init(_ failure: some InterfaceFailure) { self.init(name: failure.name, json: failure) }

    /// Makes the standard error for a call that does not match its interface.
    ///
    /// - Parameter method: the method's name with its interface.
    public init(_ problem: CallProblem, of method: String) {
        switch problem {
        case .unknownMethod: self = .methodNotFound(method)
        case .invalidParameter(let name): self = .invalidParameter(name)
        }
    }

    /// Standard error for a call of an interface that the service does not have.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.interfaceNotFound(interface: interface))
    }

    /// Standard error for a call of a method that the interface does not have.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.methodNotFound(method: method))
    }

    /// Standard error for a method that is described but not implemented.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.methodNotImplemented(method: method))
    }

    /// Standard error for a parameter that is unknown or has a wrong value.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.invalidParameter(parameter: parameter))
    }

    /// Standard error for a caller that lacks the permission that the method needs.
    public static let permissionDenied = VarlinkError(ServiceInterface.Failure.permissionDenied)

    /// Standard error for a call of a method that requires `more`, made without it.
    public static let expectedMore = VarlinkError(ServiceInterface.Failure.expectedMore)

    /// The parameters as a tree; nil if they are not JSON.
    public var node: JSONNode? { try? JSONReader.read(parameters) }
}

extension VarlinkError: CustomStringConvertible {
    /// Name and parameters in one line, for logs.
    public var description: String { "\(name) \(String(decoding: parameters, as: UTF8.self))" }
}
