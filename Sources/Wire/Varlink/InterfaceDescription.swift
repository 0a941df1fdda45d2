import WaymarkInterface

/// Interface of a service, with the text for introspection and the names for checking calls.
package struct InterfaceDescription: Sendable {
    /// Name of the interface, such as `org.varlink.service`.
    let name: String
    /// The interface file, including comments.
    let text: String
    /// Parameter names of each method.
    let methods: [String: Set<String>]

    package init(name: String, text: String, methods: [String: Set<String>]) {
        (self.name, self.text, self.methods) = (name, text, methods)
    }
}

extension InterfaceCall {
    /// Description of the interface that was generated from the interface file.
    package static var description: InterfaceDescription {
        let named = methods.map { (MethodName("\($0.name)"), Set($0.parameters.map { "\($0)" })) }
        return InterfaceDescription(
            name: named.first?.0.interface ?? "", text: text,
            methods: Dictionary(uniqueKeysWithValues: named.map { ($0.method, $1) }))
    }
}

/// Name of a method, split at its last dot. A name without a dot has no interface.
struct MethodName {
    let interface: String
    let method: String

    init(_ name: String) {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        interface = dot.map { String(name[..<$0]) } ?? ""
        method = dot.map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }
}
