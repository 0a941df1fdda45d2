import Documents
import JSON
import Linux
import Scene

/// A document with a route, as given by a client; it is read on a thread that delays no pose.
struct RouteSource: Sendable {
    var document: ClientDocument
    /// Format of the document; nil to recognise it.
    var format: RouteFormat?
    var precision: EncodedPolyline.Precision?
    var id: String
    /// Name of the route; nil for the document's own.
    var name: String?
    /// ID of the only route that this route may replace; nil for any.
    var replaces: String?
    /// Guidance to the destination, for a route that was requested by its destination.
    var guidance: RouteGuidance?

    /// The route of a document whose bytes are in memory.
    func read() throws(DocumentProblem) -> Route {
        let bytes = try bytes(CallClock())
        var route = try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
        route.guidance = guidance
        return route
    }

    /// The document's bytes, read from its file if it is in one; that may take as long as the file's owner likes.
    ///
    /// - Parameter clock: measures the duration of the system calls.
    func bytes(_ clock: CallClock) throws(DocumentProblem) -> [UInt8] { try document.bytes(of: "route", clock) }
}
