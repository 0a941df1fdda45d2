import JSON
import WaymarkInterface

/// An error reply: its name, including the interface, and its parameters as a JSON object.
package struct VarlinkError: Error, Equatable, Sendable {
    package let name: String
    package let parameters: [UInt8]

    /// Makes an error from its parameters, a JSON object in UTF-8.
    package init(name: String, parameters: [UInt8] = Array("{}".utf8)) {
        self.name = name
        self.parameters = parameters
    }

    /// Makes an error with parameters that are written as one JSON object.
    package init(name: String, json parameters: some JSONWritable) {
        var json = JSONWriter()
        parameters.write(into: &json)
        self.init(name: name, parameters: json.bytes)
    }

    package init(_ failure: some InterfaceFailure) { self.init(name: failure.name, json: failure) }

    /// Makes the standard error for a call that does not match its interface.
    ///
    /// - Parameter method: the method's name with its interface.
    package init(_ problem: CallProblem, of method: String) {
        switch problem {
        case .unknownMethod: self = .methodNotFound(method)
        case .invalidParameter(let name): self = .invalidParameter(name)
        }
    }

    /// Standard error for a call of an interface that the service does not have.
    package static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.interfaceNotFound(interface: interface))
    }

    /// Standard error for a call of a method that the interface does not have.
    package static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.methodNotFound(method: method))
    }

    /// Standard error for a method that is described but not implemented.
    package static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.methodNotImplemented(method: method))
    }

    /// Standard error for a parameter that is unknown or has a wrong value.
    package static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(ServiceInterface.Failure.invalidParameter(parameter: parameter))
    }

    /// Standard error for a caller without the permission that the method needs.
    package static let permissionDenied = VarlinkError(ServiceInterface.Failure.permissionDenied)

    /// Standard error for calling a method without `more` although it requires `more`.
    package static let expectedMore = VarlinkError(ServiceInterface.Failure.expectedMore)

    /// The parameters as a tree; nil if they are not JSON.
    package var node: JSONNode? { try? JSONReader.read(parameters) }
}

extension VarlinkError: CustomStringConvertible {
    package var description: String { "\(name) \(String(decoding: parameters, as: UTF8.self))" }
}
