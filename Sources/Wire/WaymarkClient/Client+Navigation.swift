import WaymarkInterface

/// Routes to destinations.
extension Waymark.Client {
    /// Leads the wearer to a destination. The reply comes when the route is set: the timeout of this client should be
    /// longer than navigation.timeout_seconds.
    ///
    /// - Parameter request: where to, such as `Waymark.DestinationRequest(place: id)` with the id of a placement.
    /// - Throws: `.scene` with the reason; each leaves the present route as it is.
    @discardableResult
    public func navigate(
        to request: Waymark.DestinationRequest
    ) throws(WaymarkError) -> (route: Waymark.Route, destination: Waymark.Destination) {
        let reply = try call(request)
        return (reply.route, reply.destination)
    }

    /// Leads the wearer to the destination of the present route from where the wearer is now.
    @discardableResult
    public func reroute() throws(WaymarkError) -> (route: Waymark.Route, destination: Waymark.Destination) {
        let reply = try call(SceneInterface.Reroute())
        return (reply.route, reply.destination)
    }

    /// Placement that the wearer looks at, for a tap: its id is one that `navigate(to:)` takes; nil for none.
    ///
    /// - Parameter tolerance: angle beyond a placement's own size; nil for that of the settings (2). Unit: degrees.
    public func pick(tolerance: Double? = nil) throws(WaymarkError) -> Waymark.Placement? {
        try call(SceneInterface.Pick(tolerance: tolerance)).placement
    }
}

/// What a navigator does, which finds the routes. Requests occupy the connection on which they come: they are answered
/// on another one.
extension Waymark.Client {
    /// Registers this connection as the navigator. The first value comes at once and is nil; of requests that are not
    /// taken in time the newest comes.
    ///
    /// - Parameter service: what is asked for routes, for those who look at one.
    public func navigationRequests(
        service: String? = nil
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.NavigationRequest?> {
        try stream(SceneInterface.ServeNavigation(service: service)).compactMap { .some($0.request) }
    }

    /// Answers a request with the document of a route.
    ///
    /// - Parameter precision: number of decimals of encoded polylines, 5 or 6; nil if the format says it.
    /// - Throws: `.scene(.noSuchRequest)` for one that is over.
    public func answerNavigation(
        _ request: Int, document: [UInt8], format: Waymark.RouteFormat? = nil, precision: Int? = nil
    ) throws(WaymarkError) {
        let file = try Self.file(in: document, named: "route") { .scene(.invalidDocument(path: "", reason: $0)) }
        let answer = SceneInterface.AnswerNavigation(
            request: request, descriptor: 0, format: format, precision: precision)
        _ = try call(answer, descriptors: [file.descriptor])
    }

    /// Answers a request for which there is no route.
    ///
    /// - Parameter reason: why, and what to do, up to 500 bytes.
    public func failNavigation(_ request: Int, reason: String) throws(WaymarkError) {
        _ = try call(SceneInterface.AnswerNavigation(request: request, failure: reason))
    }
}
