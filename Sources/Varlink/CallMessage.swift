import JSON

/// Call as it came over the wire, its envelope checked.
package struct CallMessage {
    package let method: String
    let more: Bool
    let oneway: Bool
    /// Parameters, an object; without any where the call has none.
    package let parameters: JSONNode

    /// Bounds of a message; the depth is more than any interface has.
    static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.depth = 32
        return limits
    }()

    /// Reads one message, without its NUL; the error is the reply to a message that is no call.
    package init(_ message: ArraySlice<UInt8>) throws(VarlinkError) {
        guard let envelope = try? JSONReader.read(message, limits: Self.limits), envelope.kind == .object else {
            throw .invalidParameter("message")
        }
        do throws(DocumentProblem) {
            method = try envelope.required("method")
            more = try envelope.optional("more") ?? false
            oneway = try envelope.optional("oneway") ?? false
            let none = try JSONReader.read(Array("{}".utf8))
            parameters = envelope["parameters"] ?? none
            try parameters.require(.object)
        } catch {
            throw .invalidParameter(error.path(below: envelope))
        }
    }

    /// Names of the parameters given.
    var parameterNames: Set<String> { Set(parameters.members.compactMap(\.name.string)) }
}

extension DocumentProblem {
    /// Path from inside an object, such as `radius` or `devices[0].name`.
    func path(below node: JSONNode) -> String {
        let prefix = node.path + "."
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}
