import Geometry
import Model

/// Composer of the scene: placements, their presentation and events. It works from the state at one instant.
///
/// The composer keeps the state for hysteresis, which is common to all displays; `SceneView` keeps the state of one
/// display. Objects on the earth are placed from the moment at which the frame is first ready in its generation, even
/// if it is not ready later.
public struct SceneComposer: Sendable {
    package private(set) var settings: SceneSettings
    package internal(set) var anchors = AnchorRegistry()

    private var candidates: [Place] = []
    package private(set) var filter: PlaceFilter
    private var places = PlaceLayer()
    private var routes = RouteLayer()
    private var cap = PlacementCap()
    private var memory = PlacementMemory()
    private var order = DrawOrder()
    private var labels: LabelLayers
    private var sky = SkyLayer()
    private var level = EyeLevel()
    private var ground = WearerGroundMemory()
    private var terrain: Terrain?
    private var buildings: Buildings?
    private var occlusion = OcclusionMemory()
    private var eventMonitor = SceneEventMonitor()
    /// Generation in which the scene frame has been ready; nil if it has not been ready.
    private var placedGeneration: UInt32?
    private var lostAnchors: [String] = []

    package init(settings: SceneSettings = SceneSettings()) {
        self.settings = settings
        filter = PlaceFilter(settings: settings.places)
        labels = LabelLayers(settings: settings.labels)
    }

    /// Applies new settings and discards the state that depends on the previous ones.
    public mutating func apply(_ settings: SceneSettings) {
        guard settings != self.settings else { return }
        if settings.labels != self.settings.labels {
            let sizes = labels.sizes
            labels = LabelLayers(settings: settings.labels)
            labels.sizes = sizes
        }
        self.settings = settings
        places.candidatesChanged()
    }

    /// Sets the candidate places, which must include all places within the filter's reach of the wearer.
    public mutating func setPlaces(_ places: [Place]) {
        candidates = places
        self.places.candidatesChanged()
    }

    package mutating func setFilter(_ filter: PlaceFilter) {
        self.filter = filter
        places.candidatesChanged()
    }

    /// Sets the terrain around the wearer; nil if unknown.
    public mutating func setTerrain(_ terrain: Terrain?) { self.terrain = terrain }

    /// Sets the buildings around the wearer; nil if unknown.
    public mutating func setBuildings(_ buildings: Buildings?) { self.buildings = buildings }

    /// Label sizes of displays that do not use the settings' size.
    public var labelSizes: Set<LabelSize> {
        get { labels.sizes }
        set { labels.sizes = newValue }
    }

    /// Removes the anchors on the previous route.
    public mutating func routeChanged() {
        anchors.routeChanged()
    }

    // MARK: the scene

    package mutating func compose(_ moment: SceneMoment) -> SceneContent {
        enter(moment)
        let view = WearerView(
            moment,
            eyeLevel: level.update(
                height: moment.pose.positionInScene.y, generation: moment.pose.generation, at: moment.pose.time),
            surroundings: Surroundings(ground: ground.update(terrain, moment.viewpoint), buildings: buildings),
            settings: settings.placements)
        var placements: [Placement] = []
        placements.reserveCapacity(settings.placements.maximumPlacementCount)
        if let viewpoint = moment.viewpoint, placedGeneration == moment.pose.generation {
            places.update(candidates, around: viewpoint, filter: filter, settings: settings.places)
            places.place(in: view, into: &placements)
            if let progress = moment.progress {
                routes.place(progress, in: view, settings: settings, into: &placements)
            } else {
                routes.clear()
            }
        }
        AnchorLayer.place(
            &anchors, isPlacing: placedGeneration == moment.pose.generation, progress: moment.progress, in: view,
            settings: settings.anchors, into: &placements)
        let left = cap.apply(to: &placements, settings: settings)
        let slots = finish(&placements, moment.pose)
        occlusion.update(&placements, in: view)
        return SceneContent(
            time: moment.pose.time, generation: moment.pose.generation, eye: view.eye,
            rotationSceneFromBody: moment.pose.rotationSceneFromBody,
            heading: moment.pose.headingReference == .trueNorth ? moment.pose.heading : nil,
            readiness: moment.readiness, route: moment.progress.map { RouteStatus($0) },
            motion: moment.progress == nil ? nil : routes.motion, sun: sky.sun(at: moment), placements: placements,
            slots: slots, left: left)
    }

    /// Sets drawing order, label slots and distance texts over the whole scene. Returns the label slots for other label
    /// sizes.
    private mutating func finish(
        _ placements: inout [Placement], _ pose: PoseEstimate
    ) -> [LabelSize: [LabelSlot?]] {
        placements.sort { $0.id < $1.id }
        let numbers = order.numbers(distances: placements.map(\.distance), ids: placements.map(\.id))
        let slots = labels.update(
            placements, eye: pose.positionInScene, velocity: pose.velocityInScene, at: pose.time)
        for index in placements.indices {
            placements[index].order = numbers[index]
            placements[index].slot = slots.common[index]
            memory.complete(&placements[index], settings: settings.places)
        }
        memory.endScene()
        return slots.own
    }

    // MARK: events

    /// Returns the events since the last call. Has to be called with each fix, and about once a second without fixes.
    public mutating func observe(_ moment: SceneMoment) -> [SceneEvent] {
        enter(moment)
        if let viewpoint = moment.viewpoint {
            places.update(candidates, around: viewpoint, filter: filter, settings: settings.places)
        }
        let events = eventMonitor.update(
            moment, nearby: moment.viewpoint == nil ? [] : places.nearby, settings: settings)
        let lost = lostAnchors.map { SceneEvent.anchorLost(id: $0) }
        lostAnchors.removeAll()
        let moved = anchors.takeMoved().map { SceneEvent.anchorMoved(id: $0.id, distance: $0.distance) }
        return lost + moved + events
    }

    /// Enters the generation of the scene frame, and records whether the frame has been ready in it.
    public mutating func enter(_ moment: SceneMoment) {
        lostAnchors += anchors.enter(generation: moment.pose.generation, map: moment.viewpoint?.map)
        if moment.readiness.state == .ready { placedGeneration = moment.pose.generation }
    }
}

/// Changes of the anchors between two scenes.
extension SceneComposer {
    /// Adds an anchor, or replaces the one with its identifier. `routeLength` is in metres; nil without a route.
    public mutating func place(_ anchor: Anchor, owner: UInt64?, routeLength: Double?) throws(AnchorProblem) {
        try anchors.place(anchor, owner: owner, routeLength: routeLength, settings: settings.anchors)
    }

    package mutating func freshAnchorID() -> String { anchors.freshID() }

    /// Removes an anchor; returns nil if there is no anchor with the identifier.
    public mutating func removeAnchor(id: String) -> Anchor? { anchors.remove(id: id) }

    /// Removes the anchors that last as long as the connection `owner`, which has been closed. Returns whether any was
    /// removed.
    public mutating func disconnect(_ owner: UInt64) -> Bool {
        let before = anchors.entries.count
        anchors.disconnect(owner)
        return anchors.entries.count != before
    }
}

/// Sources of scene events around the wearer; each event is reported once.
struct SceneEventMonitor {
    private var proximity = ProximityMonitor()
    private var announcer = Announcer()
    private var route = RouteWatch()

    mutating func update(_ moment: SceneMoment, nearby: [NearbyPlace], settings: SceneSettings) -> [SceneEvent] {
        let time = moment.pose.time
        var events: [SceneEvent] = proximity.update(
            places: nearby, accuracy: moment.viewpoint?.horizontalAccuracy, at: time, settings: settings.places
        ).map { .proximity($0) }
        events += route.update(progress: moment.progress, settings: settings.announcements)
        // An unconfirmed compass may report a good accuracy even if it confuses left and right.
        let isConfirmed = !moment.pose.reasons.contains(.headingUnconfirmed)
        let announcement = announcer.update(
            progress: moment.progress,
            yawStandardDeviation: isConfirmed ? moment.viewpoint?.yawStandardDeviation : nil, at: time,
            settings: settings.announcements)
        if let announcement { events.append(.announcement(announcement)) }
        return events
    }
}
