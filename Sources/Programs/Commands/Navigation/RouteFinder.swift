import Configuration
import Documents
import Geometry

/// Route to a destination, as a document for the daemon.
struct RouteFinding {
    let document: [UInt8]
    /// Format of the document as `SetRoute` takes it: `osrm`, `valhalla` or `geojson`.
    let format: String
    /// Number of decimals of encoded polylines; nil if there are none.
    let precision: Int?
    /// Distance from the route's end to the destination, which may be off the mapped paths. Unit: metres.
    let remainder: Double
}

/// Source of routes: a routing service, or straight lines if none is configured.
package struct RouteFinder: Sendable {
    /// The routing service; nil for straight lines.
    let service: RoutingService?
    /// The service's profile, such as `foot`.
    let profile: String
    /// Time limit of a request.
    let timeoutSeconds: Double

    package init(service: RoutingService?, profile: String, timeoutSeconds: Double) {
        (self.service, self.profile, self.timeoutSeconds) = (service, profile, timeoutSeconds)
    }

    /// Finds a route. A failure of the service is thrown; it is never replaced by a straight line.
    ///
    /// - Parameter cancel: descriptor that ends the wait when it is readable; nil for none.
    /// - Returns: nil if no service is configured and both positions are within a metre.
    func find(
        from: GeodeticPosition, to: GeodeticPosition, cancel: Int32? = nil
    ) throws(RoutingProblem) -> RouteFinding? {
        guard let service else {
            return StraightLine.document(from: from, to: to).map {
                RouteFinding(document: $0, format: "geojson", precision: nil, remainder: 0)
            }
        }
        let answer = RoutingAnswer(service: service, from: from, to: to)
        let (document, remainder) = try answer.checked(reply(of: service, from: from, to: to, cancel))
        return RouteFinding(
            document: document, format: service.kind.rawValue, precision: RoutingRequest.precision,
            remainder: remainder)
    }

    /// Checks the service. Returns if none is configured, or if it responds, is of the declared kind and supports the
    /// profile. The test requests a route at latitude and longitude 0°, which does not reveal the wearer's position.
    /// Few maps extend there, so a service that finds no route also passes.
    ///
    /// - Parameter cancel: descriptor that ends the wait when it is readable.
    func check(cancel: Int32) throws(RoutingProblem) {
        let nowhere = GeodeticPosition(0, 0)
        guard let service, let nowhere else { return }
        let answer = RoutingAnswer(service: service, from: nowhere, to: nowhere)
        try answer.checkService(reply(of: service, from: nowhere, to: nowhere, cancel))
    }

    private func reply(
        of service: RoutingService, from: GeodeticPosition, to: GeodeticPosition, _ cancel: Int32?
    ) throws(RoutingProblem) -> HTTPAnswer {
        let transfer = HTTPTransfer(service: service, timeoutSeconds: timeoutSeconds, cancel: cancel ?? -1)
        return try transfer.answer(to: RoutingRequest(service, profile: profile, from: from, to: to))
    }
}
