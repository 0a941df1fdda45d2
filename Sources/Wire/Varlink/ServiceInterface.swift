import WaymarkInterface

/// The interface `org.varlink.service`, which every Varlink service has.
extension VarlinkServer {
    func registerServiceInterface(_ information: ServiceInformation) {
        register(ServiceInterface.Call.description) { [unowned self] call throws(VarlinkError) in
            switch try ServiceInterface.Call(call) {
            case .getInfo:
                call.reply(
                    json: ServiceInterface.GetInfo.Reply(
                        vendor: information.vendor, product: information.product, version: information.version,
                        url: information.url, interfaces: interfaceNames))
            case .getInterfaceDescription(let request):
                let name = request.interface
                guard let found = self.description(of: name) else { throw .interfaceNotFound(name) }
                call.reply(json: ServiceInterface.GetInterfaceDescription.Reply(description: found.text))
            }
        }
    }
}

extension InterfaceCall {
    /// Decodes a call.
    ///
    /// - Throws: MethodNotFound or InvalidParameter.
    package init(_ call: Call) throws(VarlinkError) {
        do throws(CallProblem) {
            self = try Self(method: call.method, parameters: call.parameters)
        } catch {
            throw VarlinkError(error, of: "\(call.interface).\(call.method)")
        }
    }
}
