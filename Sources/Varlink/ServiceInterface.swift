import WaymarkInterface

/// `org.varlink.service`, which every Varlink service has.
extension VarlinkServer {
    func registerServiceInterface(_ information: ServiceInformation) {
        guard let description = try? InterfaceDescription(text: ServiceInterface.text) else {
            preconditionFailure("the service interface's own text does not parse")
        }
        register(description) { [unowned self] call throws(VarlinkError) in
            let request: ServiceInterface.Call
            let parameters = try call.parameters()
            do throws(CallProblem) {
                request = try ServiceInterface.Call(method: call.method, parameters: parameters)
            } catch {
                throw VarlinkError(error, of: "\(call.interface).\(call.method)")
            }
            switch request {
            case .getInfo:
                call.reply(
                    json: ServiceInterface.GetInfo.Reply(
                        vendor: information.vendor, product: information.product, version: information.version,
                        url: information.url, interfaces: interfaceNames))
            case .getInterfaceDescription(let request):
                guard let found = self.description(of: request.interface) else {
                    throw .interfaceNotFound(request.interface)
                }
                call.reply(json: ServiceInterface.GetInterfaceDescription.Reply(description: found.text))
            }
        }
    }
}
