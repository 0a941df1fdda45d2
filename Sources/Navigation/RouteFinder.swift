import Configuration
import Geodesy

/// A way to a place, as the document that the daemon is given.
public struct RouteFinding: Hashable, Sendable {
    public let document: [UInt8]
    /// `osrm`, `valhalla` or `geojson`, as `SetRoute` takes it.
    public let format: String
    /// Decimals of encoded lines; nil where there are none.
    public let precision: Int?
    /// From its end to the place: a service leads as near as its map has ways. Unit: metres.
    public let remainder: Double
}

/// Finds the way to a place: by the service that was named, else straight.
public struct RouteFinder: Sendable {
    /// Nil: none, and ways are straight lines.
    public let service: RoutingService?
    public let profile: String
    public let timeoutSeconds: Double
    public let userAgent: String

    public init(service: RoutingService?, profile: String, timeoutSeconds: Double, userAgent: String) {
        self.service = service
        self.profile = profile
        self.timeoutSeconds = timeoutSeconds
        self.userAgent = userAgent
    }

    /// Asks the service; one that fails is an error, and never replaced by a straight line.
    ///
    /// - Parameter cancel: a descriptor that ends the wait when it is readable; nil is none.
    /// - Returns: nil where no service is named and both places are the same to a metre.
    public func find(
        from: GeodeticPosition, to: GeodeticPosition, cancel: Int32? = nil
    ) throws(RoutingProblem) -> RouteFinding? {
        guard let service else {
            return StraightLine.document(from: from, to: to).map {
                RouteFinding(document: $0, format: "geojson", precision: nil, remainder: 0)
            }
        }
        let transfer = HTTPTransfer(
            service: service, userAgent: userAgent, timeoutSeconds: timeoutSeconds, cancel: cancel ?? -1)
        let request = RoutingRequest(service, profile: profile, from: from, to: to)
        let answer = RoutingAnswer(service: service, from: from, to: to)
        let (document, remainder) = try answer.checked(transfer.answer(to: request))
        return RouteFinding(
            document: document, format: service.kind.rawValue, precision: RoutingRequest.precision,
            remainder: remainder)
    }
}
