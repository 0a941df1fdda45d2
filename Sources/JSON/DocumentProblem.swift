/// What a document from outside has that is not understood, and where.
public struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The JSON path such as `$.routes[0].geometry`, in GPX `line 3, column 7`; empty where it concerns all of it.
    public var path: String
    /// What is wrong with it, and what would be right.
    public var message: String

    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
