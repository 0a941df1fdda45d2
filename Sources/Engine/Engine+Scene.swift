import Geodesy
import Model
import Scene

/// The scene: composed on demand around the newest pose, at most once for each.
extension Engine {
    /// All that is placed now; nil before the first pose.
    public mutating func compose() -> SceneContent? {
        guard let moment else { return nil }
        if let composed, composed.time == moment.pose.time { return composed }
        let content = composer.compose(moment)
        composed = content
        return content
    }

    /// Where on the earth a placement lies by the published alignment; nil for one that is not in the scene, or is locked to
    /// the head.
    public mutating func position(ofPlacement id: String) -> GeodeticPosition? {
        guard let placement = compose()?.placements.first(where: { $0.id == id }), placement.lock == .scene else {
            return nil
        }
        return map?.position(ofScene: placement.position)
    }

    /// The sizes in which displays draw labels, where that is not left to the settings.
    public mutating func setLabelSizes(_ sizes: Set<LabelSize>) {
        guard sizes != composer.labelSizes else { return }
        composer.labelSizes = sizes
        composed = nil
    }

    /// As they are in force.
    public var sceneSettings: SceneSettings { composer.settings }

    /// The places among which is chosen: at least those within the filter's reach of the wearer.
    public mutating func setPlaces(_ places: [Place]) {
        composer.setPlaces(places)
        composed = nil
    }

    public mutating func setFilter(_ filter: PlaceFilter) {
        guard filter != composer.filter else { return }
        composer.setFilter(filter)
        composed = nil
    }

    /// Takes other settings of the scene; those of the frame, which the estimator shares, hold from the next start.
    public mutating func apply(_ settings: SceneSettings) {
        progress?.apply(settings.route)
        composer.apply(settings)
        composed = nil
    }

    // MARK: anchors

    /// Those of all clients, in the order of their ids.
    public var anchors: [Anchor] { composer.anchors.anchors }

    /// Nil when there is none of the id.
    public func anchor(id: String) -> Anchor? { composer.anchors[id] }

    /// Adds an anchor, or replaces the one with its id.
    ///
    /// - Parameter owner: the connection it comes from; nil for one that was kept.
    public mutating func place(_ anchor: Anchor, owner: UInt64?) throws(AnchorProblem) {
        if let moment { composer.enter(moment) }
        try composer.place(anchor, owner: owner, routeLength: progress?.length)
        composed = nil
    }

    /// An id that no anchor has.
    public mutating func freshAnchorID() -> String { composer.freshAnchorID() }

    /// Takes an anchor away; nil when there is none of the id.
    public mutating func removeAnchor(id: String) -> Anchor? {
        composed = nil
        return composer.removeAnchor(id: id)
    }

    /// A connection has closed: what was to last as long goes.
    public mutating func disconnect(_ owner: UInt64) {
        if composer.disconnect(owner) { composed = nil }
    }
}
