import Documents
import JSON
import Linux
import Scene

/// A document with a route, as a client gave it: read where there is time for it.
struct RouteSource: Sendable {
    enum Document: Sendable {
        case bytes([UInt8])
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

    /// Duration of a system call on the file, after which it does not answer. Unit: seconds.
    static let patience = 10.0
    static let stuck = DocumentProblem(path: "", message: "timeout: the file does not answer")

    /// The route of a document whose bytes are here.
    func read() throws(DocumentProblem) -> Route {
        let bytes = try bytes(CallClock())
        guard bytes.count <= Self.longest else {
            throw DocumentProblem(path: "", message: "larger than the limit of \(Self.longest >> 20) MiB for a route")
        }
        return try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
    }

    /// The document's bytes, read from its file if it is in one; that may take as long as the file's owner likes.
    ///
    /// - Parameter clock: times the system calls.
    func bytes(_ clock: CallClock) throws(DocumentProblem) -> [UInt8] {
        switch document {
        case .bytes(let bytes): return bytes
        case .file(let owned):
            let result = clock.time { Result { () throws(DocumentProblem) in try Self.read(owned) } }
            return try result.get()
        }
    }

    private static func read(_ owned: OwnedDescriptor) throws(DocumentProblem) -> [UInt8] {
        do {
            let file = File(owning: try owned.duplicate())
            // A slow writer into a pipe could take hours.
            guard try file.status().isRegular else {
                throw DocumentProblem(path: "", message: "the descriptor is not a regular file")
            }
            return try file.read(atMost: longest + 1)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem(path: "", message: "the file cannot be read: \(error)")
        }
    }
}
