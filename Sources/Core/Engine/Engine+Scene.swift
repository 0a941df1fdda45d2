import Geometry
import Model
import Scene

/// Composes the scene around the newest pose on demand, at most once for each pose.
extension Engine {
    /// Scene at the newest pose; nil before the first pose.
    public mutating func compose() -> SceneContent? {
        guard let moment else { return nil }
        if let composed, composed.time == moment.pose.time { return composed }
        let content = composer.compose(moment)
        composed = content
        return content
    }

    /// Geodetic position of a placement according to the published alignment; nil if the placement is head-locked or
    /// not in the scene.
    public mutating func position(ofPlacement id: String) -> GeodeticPosition? {
        compose()?.placements.first { $0.id == id }.flatMap { position(ofPlacement: $0) }
    }

    /// Returns a placement of the composed scene as a destination; nil if the placement does not exist or moves with
    /// the wearer.
    public mutating func destination(ofPlacement id: String) -> RouteDestination? {
        guard let placement = compose()?.placements.first(where: { $0.id == id }),
            let position = position(ofPlacement: placement)
        else { return nil }
        return RouteDestination(name: placement.name.isEmpty ? id : placement.name, position: position)
    }

    /// Geodetic position of a placement of the composed scene according to the published alignment; nil if the
    /// placement is head-locked.
    public func position(ofPlacement placement: Placement) -> GeodeticPosition? {
        placement.lock == .scene ? map?.position(ofScene: placement.position) : nil
    }

    /// Sets the label sizes of displays whose size differs from the settings.
    public mutating func setLabelSizes(_ sizes: Set<LabelSize>) {
        guard sizes != composer.labelSizes else { return }
        composer.labelSizes = sizes
        composed = nil
    }

    /// Current scene settings.
    public var sceneSettings: SceneSettings { composer.settings }

    /// Sets the candidate places. They must include all places around the wearer that the filter can reach.
    public mutating func setPlaces(_ places: [Place]) {
        composer.setPlaces(places)
        composed = nil
    }

    /// Sets the terrain around the wearer; nil if unknown. Poses do not depend on it.
    public mutating func use(_ terrain: Terrain?) {
        composer.setTerrain(terrain)
        composed = nil
    }

    /// Sets the buildings around the wearer; nil if unknown. Poses do not depend on them.
    public mutating func use(_ buildings: Buildings?) {
        composer.setBuildings(buildings)
        composed = nil
    }

    /// Sets the filter of the displayed places.
    public mutating func setFilter(_ filter: PlaceFilter) {
        guard filter != composer.filter else { return }
        composer.setFilter(filter)
        composed = nil
    }

    /// Applies other scene settings. The settings of the frame take effect only at the next start, because the
    /// estimator shares them.
    public mutating func apply(_ settings: SceneSettings) {
        progress?.apply(settings.route)
        composer.apply(settings)
        composed = nil
    }

    // MARK: anchors

    /// Anchors of all clients, in order of their identifiers.
    public var anchors: [Anchor] { composer.anchors.anchors }

    /// Returns the anchor with an identifier; nil if there is none.
    public func anchor(id: String) -> Anchor? { composer.anchors[id] }

    /// Adds an anchor, or replaces the anchor with the same identifier.
    ///
    /// - Parameter owner: connection that places the anchor; nil for a persistent anchor that is restored.
    public mutating func place(_ anchor: Anchor, owner: UInt64?) throws(AnchorProblem) {
        if let moment { composer.enter(moment) }
        try composer.place(anchor, owner: owner, routeLength: progress?.length)
        composed = nil
    }

    /// Returns an unused identifier for an anchor.
    public mutating func freshAnchorID() -> String { composer.freshAnchorID() }

    /// Removes and returns an anchor; nil if it does not exist.
    public mutating func removeAnchor(id: String) -> Anchor? {
        composed = nil
        return composer.removeAnchor(id: id)
    }

    /// Removes the anchors bound to a connection that has been closed.
    public mutating func disconnect(_ owner: UInt64) {
        if composer.disconnect(owner) { composed = nil }
    }
}
