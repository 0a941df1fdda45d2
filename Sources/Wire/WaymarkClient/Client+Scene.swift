import WaymarkInterface

/// Scene, its frame, and the clients' anchors in it.
extension Waymark.Client {
    /// Current scene.
    ///
    /// - Parameters:
    ///   - camera: display for which `visible` and `hint` are computed; nil for the daemon's default.
    ///   - radar: radar around the wearer; nil for none.
    ///   - labels: size of labels as drawn; nil for the configured size.
    ///   - hints: maximum number of hints, 0 to 16; nil for the daemon's default (3).
    ///   - hintTexts: size of hint texts as drawn; nil for the daemon's default.
    ///   - acceptLanguage: languages for turns, such as `de-CH, de;q=0.9`; nil for the daemon's configured language.
    public func scene(
        camera: Waymark.Camera? = nil, radar: Waymark.RadarView? = nil, labels: Waymark.LabelSize? = nil,
        hints: Int? = nil, hintTexts: Waymark.HintTextSize? = nil, acceptLanguage: String? = nil
    ) throws(WaymarkError) -> Waymark.Scene {
        try call(
            SceneInterface.GetScene(
                camera: camera, radar: radar, labels: labels, hints: hints, hintTexts: hintTexts,
                acceptLanguage: acceptLanguage)
        ).scene
    }

    /// Scene as it changes; `Waymark.SceneState` collects the changes.
    ///
    /// - Parameters:
    ///   - rate: maximum rate of messages, 1 to 60; nil for the daemon's default (10). Unit: hertz.
    ///   - camera: display for which `visible` and `hint` are computed; nil for the daemon's default.
    ///   - radar: radar around the wearer; nil for none.
    ///   - labels: size of labels as drawn; nil for the configured size.
    ///   - hints: maximum number of hints, 0 to 16; nil for the daemon's default (3).
    ///   - hintTexts: size of hint texts as drawn; nil for the daemon's default.
    ///   - eventsAfter: `sequence` of the last event that this program received, for example before a restart; the
    ///     first message then contains the events missed since. Nil for future events only.
    ///   - acceptLanguage: languages of announcements and turns, such as `de-CH, de;q=0.9`; nil for the daemon's
    ///     configured language.
    public func scenes(
        rate: Double? = nil, camera: Waymark.Camera? = nil, radar: Waymark.RadarView? = nil,
        labels: Waymark.LabelSize? = nil, hints: Int? = nil, hintTexts: Waymark.HintTextSize? = nil,
        eventsAfter: Int? = nil, acceptLanguage: String? = nil
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.Scene> {
        try stream(
            SceneInterface.Subscribe(
                rate: rate, camera: camera, radar: radar, labels: labels, hints: hints, hintTexts: hintTexts,
                eventsAfter: eventsAfter, acceptLanguage: acceptLanguage)
        ).compactMap(\.scene)
    }

    /// Items ahead of the wearer, nearest first.
    ///
    /// - Parameters:
    ///   - limit: maximum number, 1 to 100; nil for the daemon's default (10).
    ///   - radius: radius of the search; nil for the daemon's default (500). Unit: metres.
    public func ahead(limit: Int? = nil, radius: Double? = nil) throws(WaymarkError) -> [Waymark.Item] {
        try call(SceneInterface.GetAhead(limit: limit, radius: radius)).items
    }

    /// Items ahead of the wearer, once per second.
    public func aheadUpdates(
        limit: Int? = nil, radius: Double? = nil
    ) throws(WaymarkError) -> Waymark.Updates<[Waymark.Item]> {
        try stream(SceneInterface.GetAhead(limit: limit, radius: radius)).compactMap(\.items)
    }

    // MARK: the scene frame

    /// Corrections of the scene frame. The latest correction is sent immediately, and each later one when it is made.
    public func frames() throws(WaymarkError) -> Waymark.Updates<Waymark.Frame> {
        try stream(SceneInterface.SubscribeFrame()).compactMap(\.frame)
    }

    /// Reasons why content moved: corrections of the scene frame, oldest first.
    ///
    /// - Parameters:
    ///   - seconds: time to look back, 1 to 600; nil for the daemon's default (60).
    ///   - id: id of a placement or a place; if given, each correction includes the distance by which it moved that
    ///     object.
    public func explain(seconds: Double? = nil, id: String? = nil) throws(WaymarkError) -> [Waymark.Correction] {
        try call(SceneInterface.Explain(seconds: seconds, id: id)).corrections
    }

    /// Compares a position that this program has determined with the pose at the same time. It does not correct the
    /// pose.
    ///
    /// - Parameters:
    ///   - time: time of the position on `clock`, within the last ten minutes.
    ///   - geo: the position, with its height above the ellipsoid.
    ///   - horizontalAccuracy: 68 % radius. Unit: metres.
    ///   - offset: lever arm from the board to the point at `geo`, in body axes; nil if that point is the board. Unit:
    ///     metres.
    public func estimate(
        at time: Waymark.Time, clock: Waymark.Clock = .boottime, geo: Waymark.Location, horizontalAccuracy: Double,
        offset: Waymark.Vector? = nil
    ) throws(WaymarkError) -> Waymark.Estimate {
        try call(
            SceneInterface.EstimateAt(
                time: time, clock: clock, geo: geo, horizontalAccuracy: horizontalAccuracy, offset: offset)
        ).estimate
    }

    // MARK: anchors

    /// Places an anchor and returns its id. The anchor is removed when this client disconnects, unless `lifetime` is
    /// set.
    @discardableResult
    public func placeAnchor(_ anchor: Waymark.Anchor) throws(WaymarkError) -> String {
        try call(SceneInterface.PlaceAnchor(anchor: anchor)).id
    }

    /// Removes an anchor, which may belong to any client.
    public func removeAnchor(id: String) throws(WaymarkError) { _ = try call(SceneInterface.RemoveAnchor(id: id)) }

    /// Anchors of all clients, ordered by id.
    public func anchors() throws(WaymarkError) -> [Waymark.Anchor] { try call(SceneInterface.ListAnchors()).anchors }
}

/// The route.
extension Waymark.Client {
    /// Maximum size of a route's document. Unit: bytes.
    public static let longestRouteDocument = 16 << 20

    /// Replaces the current route by that of a document.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file, read from its current offset.
    ///   - request: format, id and name of the route.
    @discardableResult
    public func setRoute(
        descriptor: Int32, _ request: Waymark.RouteRequest = Waymark.RouteRequest()
    ) throws(WaymarkError) -> Waymark.Route {
        var request = request
        request.descriptor = 0
        return try call(request, descriptors: [descriptor]).route
    }

    /// Replaces the current route by that of a document.
    ///
    /// - Parameter request: format, id and name of the route.
    @discardableResult
    public func setRoute(
        document: [UInt8], _ request: Waymark.RouteRequest = Waymark.RouteRequest()
    ) throws(WaymarkError) -> Waymark.Route {
        let file = try Self.file(in: document, named: "route") { .scene(.invalidDocument(path: "", reason: $0)) }
        return try setRoute(descriptor: file.descriptor, request)
    }

    /// Removes the route, if there is one.
    public func clearRoute() throws(WaymarkError) { _ = try call(SceneInterface.ClearRoute()) }

    /// Current route.
    public func route() throws(WaymarkError) -> Waymark.Route {
        try call(SceneInterface.GetRoute(from: 0, limit: 0)).route
    }

    /// Number of vertices requested per call.
    private static let verticesPerCall = 5000

    /// Current route with all its vertices. If it is replaced while this function reads it, the newer route is
    /// returned.
    public func routeWithVertices() throws(WaymarkError) -> (route: Waymark.Route, vertices: [Waymark.RouteVertex]) {
        var vertices: [Waymark.RouteVertex] = []
        var begun: Waymark.Route?
        while true {
            let reply = try call(SceneInterface.GetRoute(from: vertices.count, limit: Self.verticesPerCall))
            if let route = begun, !route.isSame(as: reply.route) {
                (begun, vertices) = (nil, [])
                continue
            }
            begun = reply.route
            vertices += reply.vertices
            if reply.vertices.count < Self.verticesPerCall || vertices.count >= reply.route.vertices {
                return (reply.route, vertices)
            }
        }
    }
}

extension Waymark.Route {
    /// Whether both are the same route, regardless of the progress. It does not rely on the identifier alone, because
    /// many routes have the default one.
    fileprivate func isSame(as other: Waymark.Route) -> Bool {
        (id, name, length, vertices) == (other.id, other.name, other.length, other.vertices)
    }
}
