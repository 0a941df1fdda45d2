import Documents
import JSON
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
        let bytes = try document.bytes(of: "route")
        var route = try RouteDocument.read(bytes, format: format, precision: precision, id: id, name: name)
        route.guidance = guidance
        return route
    }
}
