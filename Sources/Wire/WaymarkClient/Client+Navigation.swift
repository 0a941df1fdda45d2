import WaymarkInterface

/// Routes to destinations.
extension Waymark.Client {
    /// Guides the wearer to a destination. The reply comes when the route is set, so this client's timeout should
    /// exceed the setting navigation.timeout_seconds.
    ///
    /// - Parameter request: destination, such as `Waymark.DestinationRequest(place: id)` with the id of a placement.
    /// - Throws: `.scene` with the reason; the current route is then unchanged.
    @discardableResult
    public func navigate(
        to request: Waymark.DestinationRequest
    ) throws(WaymarkError) -> (route: Waymark.Route, destination: Waymark.Destination) {
        let reply = try call(request)
        return (reply.route, reply.destination)
    }

    /// Guides the wearer to the destination of the current route, on a new route from the current position.
    @discardableResult
    public func reroute() throws(WaymarkError) -> (route: Waymark.Route, destination: Waymark.Destination) {
        let reply = try call(SceneInterface.Reroute())
        return (reply.route, reply.destination)
    }

    /// Finds the placement in the wearer's line of sight, for example to handle a tap; nil if there is none.
    /// `navigate(to:)` accepts its id.
    ///
    /// - Parameter tolerance: angle beyond a placement's own size; nil for the configured angle, by default 2. Unit:
    ///   degrees.
    public func pick(tolerance: Double? = nil) throws(WaymarkError) -> Waymark.Placement? {
        try call(SceneInterface.Pick(tolerance: tolerance)).placement
    }
}

/// Methods for a navigator, the program that finds the routes. Requests occupy the connection on which they arrive, so
/// the navigator has to answer them on another connection.
extension Waymark.Client {
    /// Registers this connection as the navigator. The first value arrives immediately and is nil. If a request is not
    /// read in time, the newest one replaces it.
    ///
    /// - Parameter service: name of the routing service, for users who inspect a route.
    public func navigationRequests(
        service: String? = nil
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.NavigationRequest?> {
        try stream(SceneInterface.ServeNavigation(service: service)).compactMap { .some($0.request) }
    }

    /// Answers a request with the document of a route.
    ///
    /// - Parameter precision: number of decimals of encoded polylines, 5 or 6; nil if the format specifies it.
    /// - Throws: `.scene(.noSuchRequest)` for a request that has ended.
    public func answerNavigation(
        _ request: Int, document: [UInt8], format: Waymark.RouteFormat? = nil, precision: Int? = nil
    ) throws(WaymarkError) {
        let file = try Self.file(in: document, named: "route") { .scene(.invalidDocument(path: "", reason: $0)) }
        let answer = SceneInterface.AnswerNavigation(
            request: request, descriptor: 0, format: format, precision: precision)
        _ = try call(answer, descriptors: [file.descriptor])
    }

    /// Reports that there is no route for a request.
    ///
    /// - Parameter reason: reason and remedy, up to 500 bytes.
    public func failNavigation(_ request: Int, reason: String) throws(WaymarkError) {
        _ = try call(SceneInterface.AnswerNavigation(request: request, failure: reason))
    }
}
