import JSON

/// A method of an interface: its parameters, and the type of its replies.
public protocol InterfaceMethod: Equatable, Sendable, JSONReadable, JSONWritable {
    associatedtype Reply: Equatable & Sendable & JSONReadable & JSONWritable
    static var traits: MethodTraits { get }
}

extension InterfaceMethod {
    /// Name including that of the interface, such as `org.waymark.Pose.GetPose`.
    public static var name: String { "\(traits.name)" }
}

/// Properties of a method that are known without calling it.
public struct MethodTraits: Sendable {
    /// Number of replies.
    public enum Replies: Hashable, Sendable {
        case one
        /// Several replies if the call is made with `more`, otherwise one.
        case oneOrMany
        /// Several replies; the call has to be made with `more`.
        case many
    }

    /// Permission that a method requires of its callers.
    public enum Right: Hashable, Sendable {
        /// Permission to read, which everyone who may connect has.
        case reading
        /// Permission to make changes.
        case changing
        /// Permission to offer measurements to the estimator.
        case aiding
    }

    /// Name including that of the interface.
    public let name: StaticString
    /// Number of replies.
    public let replies: Replies
    /// Permission that the caller needs.
    public let right: Right
    /// Whether a file descriptor may be sent with the call.
    public let takesDescriptor: Bool
    /// Names of the parameters.
    public let parameters: [StaticString]

    init(
        _ name: StaticString, replies: Replies = .one, right: Right = .reading, takesDescriptor: Bool = false,
        parameters: [StaticString] = []
    ) {
        (self.name, self.replies, self.right) = (name, replies, right)
        (self.takesDescriptor, self.parameters) = (takesDescriptor, parameters)
    }

    func with(parameters: [StaticString]) -> MethodTraits {
        MethodTraits(name, replies: replies, right: right, takesDescriptor: takesDescriptor, parameters: parameters)
    }
}

/// Namespace of the declarations in an interface file.
public protocol VarlinkInterface {
    /// Name of the interface.
    static var name: String { get }
    /// Text of the interface file, for introspection.
    static var text: String { get }
    /// The methods, in the order of the interface file.
    static var methods: [MethodTraits] { get }
}

/// Calls of an interface. Each method has a case that contains its parameters, so that one switch handles all calls.
public protocol InterfaceCall: Equatable, Sendable {
    /// Text of the interface file, for introspection.
    static var text: String { get }
    /// The methods, in the order of the interface file.
    static var methods: [MethodTraits] { get }

    /// - Parameter method: name of the method, without that of its interface.
    init(method: String, parameters: JSONNode) throws(CallProblem)
}

/// Reason why a call does not match its interface.
public enum CallProblem: Error, Equatable, Sendable {
    case unknownMethod
    /// Name of the parameter that is missing, unknown or wrong; for a value within a parameter its path, such as
    /// `camera.aspect`.
    case invalidParameter(String)
}

extension InterfaceMethod {
    /// Reads the parameters of a call; an unknown parameter is an error.
    init(parameters node: JSONNode) throws(CallProblem) {
        for (name, _) in node.members where !Self.traits.parameters.contains(where: { name.equals($0) }) {
            throw .invalidParameter(name.string ?? "")
        }
        do throws(DocumentProblem) {
            self = try Self(node)
        } catch {
            // Removes the start of the problem's path, which leads through the message to the parameters.
            let begin = node.path + "."
            let isInside = error.path.hasPrefix(begin)
            throw .invalidParameter(isInside ? String(error.path.dropFirst(begin.count)) : "parameters")
        }
    }
}

/// The errors of an interface.
public protocol InterfaceFailure: Error, Equatable, Sendable, JSONWritable {
    /// Name including that of the interface, such as `org.waymark.Pose.NotReady`.
    var name: String { get }
    /// Reads an error; nil if it belongs to another interface or its parameters do not match.
    init?(name: String, parameters: JSONNode)
}
