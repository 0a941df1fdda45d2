import Documents
import JSON
import Linux
import Scene

/// A document with a route, as a client gave it: read where there is time for it.
struct RouteSource: Sendable {
    enum Document: Sendable {
        case text(String)
        /// Document in a file, from the file's present position on.
        case file(OwnedDescriptor)
    }

    var document: Document
    /// Nil: recognised.
    var format: RouteFormat?
    var precision: EncodedPolyline.Precision?
    var id: String
    /// Nil: the document's own.
    var name: String?
    /// Id of the only route that it may take the place of; nil for any.
    var replaces: String?

    /// Unit: bytes.
    static let longest = 16 << 20

    func read() throws(DocumentProblem) -> Route {
        let bytes = try self.bytes()
        guard bytes.count <= Self.longest else {
            throw DocumentProblem(path: "", message: "larger than the limit of \(Self.longest >> 20) MiB for a route")
        }
        return try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
    }

    private func bytes() throws(DocumentProblem) -> [UInt8] {
        switch document {
        case .text(let text): return Array(text.utf8)
        case .file(let owned):
            do {
                let file = File(owning: try owned.duplicate())
                // A slow writer into a pipe could hold up all routes.
                guard try file.status().isRegular else {
                    throw DocumentProblem(path: "", message: "the descriptor is not a regular file")
                }
                return try file.read(atMost: Self.longest + 1)
            } catch let problem as DocumentProblem {
                throw problem
            } catch {
                throw DocumentProblem(path: "", message: "the file cannot be read: \(error)")
            }
        }
    }
}
