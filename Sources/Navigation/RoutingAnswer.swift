import Configuration
import Documents
import Geodesy
import JSON
import Scene

/// Checks what a service answered, before the daemon is given it.
package struct RoutingAnswer {
    let service: RoutingService
    private let from: GeodeticPosition
    private let to: GeodeticPosition

    /// Services bring both ends to the nearest way of their map; farther than this it is not the way that was asked for.
    /// Unit: metres.
    private static let farthestEnd = 1000.0

    package init(service: RoutingService, from: GeodeticPosition, to: GeodeticPosition) {
        self.service = service
        self.from = from
        self.to = to
    }

    /// The document of a good answer, and how far from the place its route ends, in metres.
    package func checked(_ answer: HTTPAnswer) throws(RoutingProblem) -> (document: [UInt8], remainder: Double) {
        try checkPlace(answer)
        guard answer.status == 200 else {
            // Both services explain a refusal in a document of the usual form.
            if let words = refusal(answer.body) { throw .refused(service, words) }
            throw .failed(service, status: answer.status)
        }
        try checkForm(answer)
        return (answer.body, try remainder(answer.body))
    }

    func checkPlace(_ answer: HTTPAnswer) throws(RoutingProblem) {
        guard (300..<400).contains(answer.status), !answer.location.isEmpty else { return }
        throw .redirected(service, to: answer.location)
    }

    func checkForm(_ answer: HTTPAnswer) throws(RoutingProblem) {
        // Nothing but plain text was asked for.
        guard ["", "identity"].contains(answer.contentEncoding) else {
            throw .notJSON(service, type: answer.contentEncoding)
        }
        guard answer.contentType.isEmpty || answer.contentType.contains("json") else {
            throw .notJSON(service, type: answer.contentType)
        }
    }

    private func remainder(_ body: [UInt8]) throws(RoutingProblem) -> Double {
        var distance = 0.0
        let vertices = try route(body).vertices
        guard let first = vertices.first, let last = vertices.last else { return distance }
        for (end, found, wanted) in [("begin", first, from), ("end", last, to)] {
            distance = Geodesic(from: found, to: wanted).distance
            guard distance <= Self.farthestEnd else { throw .elsewhere(service, end: end, distance: distance) }
        }
        return distance
    }

    private func route(_ body: [UInt8]) throws(RoutingProblem) -> Route {
        do throws(DocumentProblem) {
            return try RouteDocument.read(body, format: format, precision: .six, id: "route")
        } catch {
            throw isRefusal(error) ? .refused(service, error.message) : .invalid(service, error)
        }
    }

    /// What a document says that has no route because the service found none; nil for any other.
    func refusal(_ body: [UInt8]) -> String? {
        do throws(DocumentProblem) {
            _ = try RouteDocument.read(body, format: format, precision: .six, id: "route")
            return nil
        } catch {
            return isRefusal(error) ? error.message : nil
        }
    }

    /// Whether it is the service that speaks, and not the reader of its document.
    private func isRefusal(_ problem: DocumentProblem) -> Bool {
        switch service.kind {
        case .osrm: problem.message.hasPrefix("OSRM ")
        case .valhalla: problem.message.hasPrefix("Valhalla ")
        }
    }

    private var format: RouteFormat {
        switch service.kind {
        case .osrm: .osrm
        case .valhalla: .valhalla
        }
    }
}
