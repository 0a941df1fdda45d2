import Configuration
import Documents
import Geometry
import JSON
import Scene

/// Validation of a service's response, before the daemon receives it.
package struct RoutingAnswer {
    let service: RoutingService
    private let from: GeodeticPosition
    private let to: GeodeticPosition

    /// Maximum distance between a requested and the returned end of a route, since services snap both ends to the
    /// nearest path of their map. Unit: metres.
    private static let maximumEndDistance = 1000.0

    package init(service: RoutingService, from: GeodeticPosition, to: GeodeticPosition) {
        self.service = service
        self.from = from
        self.to = to
    }

    /// Returns the document of a valid response, and the distance in metres from its end to the destination.
    package func checked(_ answer: HTTPAnswer) throws(RoutingProblem) -> (document: [UInt8], remainder: Double) {
        try checkPlace(answer)
        guard answer.status == 200 else {
            // Both services report errors as documents of their usual format.
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
        // The request accepts no content encoding.
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
            guard distance <= Self.maximumEndDistance else { throw .elsewhere(service, end: end, distance: distance) }
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

    /// Returns the service's message, if the document contains no route; nil for any other document.
    func refusal(_ body: [UInt8]) -> String? {
        do throws(DocumentProblem) {
            _ = try RouteDocument.read(body, format: format, precision: .six, id: "route")
            return nil
        } catch {
            return isRefusal(error) ? error.message : nil
        }
    }

    /// Whether the message is the service's, not the document parser's.
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

extension RoutingAnswer {
    /// Codes of responses to valid requests, including requests for which there is no route.
    ///
    /// Source: OSRM API 5, "Responses"; Valhalla, "Turn-by-turn API", "HTTP status codes and conditions".
    private static let osrmCodes = ["Ok", "NoRoute", "NoSegment"]
    private static let valhallaCodes = [154.0, 170, 171, 442, 443]

    /// Returns normally if a response is from the expected kind of service and the service accepts such requests,
    /// whether or not there is a route.
    package func checkService(_ answer: HTTPAnswer) throws(RoutingProblem) {
        try checkPlace(answer)
        let root = try? JSONReader.read(answer.body)
        if let root, understood(root) { return }
        if let words = refusal(answer.body) { throw .refused(service, words) }
        guard answer.status == 200 else { throw .failed(service, status: answer.status) }
        try checkForm(answer)
        throw .invalid(service, DocumentProblem(path: "", message: "no answer of \(RoutingProblem.product(service))"))
    }

    private func understood(_ root: JSONNode) -> Bool {
        switch service.kind {
        case .osrm: root["code"]?.string.map(Self.osrmCodes.contains) ?? false
        case .valhalla: root["trip"] != nil || root["error_code"]?.number.map(Self.valhallaCodes.contains) ?? false
        }
    }
}
