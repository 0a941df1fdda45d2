import JSON

/// Errors whose cases are generated.
protocol GeneratedFailure: InterfaceFailure {
    associatedtype Interface: GeneratedInterface
    static var cases: FailureCases<Self, Interface> { get }
    var parts: FailureParts { get }
}

/// Name of an error, without that of its interface, and a function that writes the error's parameters.
typealias FailureParts = (name: String, write: (inout JSONWriter) -> Void)

/// The errors of an interface. Each element contains the name of an error, without that of the interface, and makes the
/// error from its parameters.
struct FailureCases<Failure: Sendable, Interface>: Sendable, ExpressibleByArrayLiteral {
    struct Element: Sendable {
        let name: String
        let parameters: Members<Failure>

        /// Element for an error without parameters.
        init(_ name: String, _ failure: Failure) { self.init(name, { failure }, []) }

        /// - Parameter names: names of the error's parameters, in the order of the case's associated values.
        @inline(never)
        @_semantics("optimize.sil.specialize.generic.never")
        init<each Parameter: MemberValue>(
            _ name: String, _ make: @escaping @Sendable (repeat each Parameter) -> Failure, _ names: [StaticString]
        ) {
            (self.name, parameters) = (name, Members(make, names))
        }
    }

    let all: [Element]

    init(arrayLiteral cases: Element...) { all = cases }
}

extension GeneratedFailure {
    /// Name of the error, including that of its interface.
    public var name: String { "\(Interface.name).\(parts.name)" }

    /// Reads an error reply; nil if it belongs to another interface or its parameters do not match the error.
    public init?(name: String, parameters: JSONNode) {
        guard let found = Self.cases.all.first(where: { name == "\(Interface.name).\($0.name)" }),
            let failure = try? found.parameters.read(parameters)
        else { return nil }
        self = failure
    }

    /// Appends the parameters as a JSON object.
    public func write(into json: inout JSONWriter) {
        json.beginObject()
        parts.write(&json)
        json.endObject()
    }
}
