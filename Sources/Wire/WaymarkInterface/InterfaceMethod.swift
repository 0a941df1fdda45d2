import JSON

/// A method of an interface: its parameters, and the type of its replies.
public protocol InterfaceMethod: Equatable, Sendable, JSONReadable, JSONWritable {
    associatedtype Reply: Equatable & Sendable & JSONReadable & JSONWritable
    static var traits: MethodTraits { get }
}

extension InterfaceMethod {
    /// With the interface in front, such as `org.waymark.Pose.GetPose`.
    public static var name: String { "\(traits.name)" }
}

/// What is known of a method without calling it.
public struct MethodTraits: Sendable {
    /// Number of replies.
    public enum Replies: Hashable, Sendable {
        case one
        /// Several if the call is made with `more`.
        case oneOrMany
        /// The call has to be made with `more`.
        case many
    }

    /// Right to call methods.
    public enum Right: Hashable, Sendable {
        /// That of everybody who may connect.
        case reading
        /// To make changes.
        case changing
        /// To offer measurements to the estimator.
        case aiding
    }

    /// With the interface in front.
    public let name: StaticString
    /// Number of replies.
    public let replies: Replies
    /// Right that its caller needs.
    public let right: Right
    /// Whether a file descriptor may come with the call.
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

/// An interface: the space of names of what its file declares.
public protocol VarlinkInterface {
    /// Name of the interface.
    static var name: String { get }
    /// The interface file, for introspection.
    static var text: String { get }
    /// The methods, in the order of the interface file.
    static var methods: [MethodTraits] { get }
}

/// Calls of an interface: a case for each method, with its parameters, so that a switch answers them all.
public protocol InterfaceCall: Equatable, Sendable {
    /// The interface file, for introspection.
    static var text: String { get }
    /// The methods, in the order of the interface file.
    static var methods: [MethodTraits] { get }

    /// - Parameter method: its name without the interface.
    init(method: String, parameters: JSONNode) throws(CallProblem)
}

/// Why a call is not one of an interface.
public enum CallProblem: Error, Equatable, Sendable {
    case unknownMethod
    /// The name of the parameter that is missing, unknown or wrong, with its path within a larger one: `camera.aspect`.
    case invalidParameter(String)
}

extension InterfaceMethod {
    /// Reads the parameters of a call, among which may be no unknown one.
    init(parameters node: JSONNode) throws(CallProblem) {
        for (name, _) in node.members where !Self.traits.parameters.contains(where: { name.equals($0) }) {
            throw .invalidParameter(name.string ?? "")
        }
        do throws(DocumentProblem) {
            self = try Self(node)
        } catch {
            // The path of a problem begins with that of the parameters in their message.
            let begin = node.path + "."
            let isInside = error.path.hasPrefix(begin)
            throw .invalidParameter(isInside ? String(error.path.dropFirst(begin.count)) : "parameters")
        }
    }
}

/// The errors of an interface.
public protocol InterfaceFailure: Error, Equatable, Sendable, JSONWritable {
    /// With the interface in front, such as `org.waymark.Pose.NotReady`.
    var name: String { get }
    /// Nil for an error of another interface, and for parameters that do not fit.
    init?(name: String, parameters: JSONNode)
}
