/// Problem of a document from outside: the place in it that is not understood, and the reason.
public struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The JSON path such as `$.routes[0].geometry`, in GPX `line 3, column 7`; empty where it concerns all of it.
    public var path: String
    /// Reason, and the form that would be right.
    public var message: String

    /// Makes a problem of the value at `path`; an empty path means the document as a whole.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// Message, after the path where there is one.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
