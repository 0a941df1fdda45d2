/// `org.varlink.service`, which every Varlink service has.
private let serviceInterface = """
    # Describes a service and its interfaces.
    interface org.varlink.service

    # The service, and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of one of its interfaces.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # No interface of that name.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, the service does not do it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown or wrong.
    error InvalidParameter (parameter: string)

    # The caller may not do that.
    error PermissionDenied ()

    # The method is only for calls that take more than one reply.
    error ExpectedMore ()

    """

extension VarlinkServer {
    private struct Information: Encodable {
        let vendor: String
        let product: String
        let version: String
        let url: String
        let interfaces: [String]
    }

    private struct InterfaceName: Decodable {
        let interface: String
    }

    func registerServiceInterface(_ information: ServiceInformation) {
        guard let description = try? InterfaceDescription(text: serviceInterface) else {
            preconditionFailure("the service interface's own text does not parse")
        }
        register(description) { [unowned self] call throws(VarlinkError) in
            switch call.method {
            case "GetInfo":
                call.reply(
                    Information(
                        vendor: information.vendor, product: information.product, version: information.version,
                        url: information.url, interfaces: interfaceNames))
            case "GetInterfaceDescription":
                let name = try call.decode(InterfaceName.self).interface
                guard let found = self.description(of: name) else { throw .interfaceNotFound(name) }
                call.reply(["description": found.text])
            default: throw .methodNotImplemented("\(call.interface).\(call.method)")
            }
        }
    }
}
