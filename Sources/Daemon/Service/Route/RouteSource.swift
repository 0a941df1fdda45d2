import Documents
import JSON
import Linux
import Scene

/// A document with a route, as a client gave it: read where there is time for it.
struct RouteSource: Sendable {
    var document: ClientDocument
    /// Nil: recognised.
    var format: RouteFormat?
    var precision: EncodedPolyline.Precision?
    var id: String
    /// Nil: the document's own.
    var name: String?
    /// Id of the only route that it may take the place of; nil for any.
    var replaces: String?
    /// Where the route leads, of one that was asked for by its destination.
    var guidance: RouteGuidance?

    /// The route of a document whose bytes are here.
    func read() throws(DocumentProblem) -> Route {
        let bytes = try bytes(CallClock())
        var route = try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
        route.guidance = guidance
        return route
    }

    /// The document's bytes, read from its file if it is in one; that may take as long as the file's owner likes.
    ///
    /// - Parameter clock: times the system calls.
    func bytes(_ clock: CallClock) throws(DocumentProblem) -> [UInt8] { try document.bytes(of: "route", clock) }
}
