import CInterfaceFiles
import JSON

/// An interface whose declarations are generated.
protocol GeneratedInterface: VarlinkInterface {
    associatedtype Call: GeneratedCall
}

extension GeneratedInterface {
    /// Text of the interface file, for introspection.
    public static var text: String {
        guard let text = waymark_interface_file(name) else { preconditionFailure("no interface file of \(name)") }
        return String(cString: text)
    }

    /// The methods, in the order of the interface file.
    public static var methods: [MethodTraits] { Call.methods }
}

/// A method whose traits are generated.
protocol GeneratedMethod: InterfaceMethod, InterfaceObject where Reply: InterfaceObject {
    associatedtype Reply = NoMembers
    /// Traits of the method without the names of its parameters.
    static var method: MethodTraits { get }
}

extension GeneratedMethod {
    /// Traits of the method, including the names of its parameters.
    public static var traits: MethodTraits { method.with(parameters: members.names) }
}

/// Calls whose cases are generated.
protocol GeneratedCall: InterfaceCall {
    associatedtype Interface: GeneratedInterface
    static var cases: CallCases<Self, Interface> { get }
}

extension GeneratedCall {
    /// Text of the interface file, for introspection.
    public static var text: String { Interface.text }

    /// The methods, in the order of the interface file.
    public static var methods: [MethodTraits] { cases.methods }

    /// - Parameter method: name of the method, without that of its interface.
    public init(method: String, parameters: JSONNode) throws(CallProblem) {
        guard let index = Self.methods.firstIndex(where: { $0.isNamed(method) }) else { throw .unknownMethod }
        self = try Self.cases.readers[index](parameters)
    }
}

extension MethodTraits {
    /// Whether the method has this name, which does not include that of the interface and thus contains no dot.
    package func isNamed(_ method: String) -> Bool {
        let count = method.utf8.count
        return name.withUTF8Buffer { full in
            full.count > count && full[full.count - count - 1] == UInt8(ascii: ".")
                && full.suffix(count).elementsEqual(method.utf8)
        }
    }
}

/// The cases of an interface's calls, in the order of the interface file.
struct CallCases<Call, Interface>: Sendable, ExpressibleByArrayLiteral {
    /// Traits of one method, and a function that makes its case from the parameters of a call.
    struct Element: Sendable {
        let method: MethodTraits
        let read: @Sendable (JSONNode) throws(CallProblem) -> Call

        init<Method: InterfaceMethod>(_ make: @escaping @Sendable (Method) -> Call) {
            method = Method.traits
            read = { parameters throws(CallProblem) in make(try Method(parameters: parameters)) }
        }
    }

    let methods: [MethodTraits]
    let readers: [@Sendable (JSONNode) throws(CallProblem) -> Call]

    init(arrayLiteral cases: Element...) { (methods, readers) = (cases.map(\.method), cases.map(\.read)) }
}
