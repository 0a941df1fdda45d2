import Geometry
import Model

/// Brings the scene together: what is placed, how it is shown and what happens, from all that is known at one instant.
///
/// Its memories keep what is shown from flickering; they are common to all displays, and what depends on one display is in
/// `SceneView`. What is fixed to the earth is placed once the frame has been ready in its generation.
public struct SceneComposer: Sendable {
    public private(set) var settings: SceneSettings
    public internal(set) var anchors = AnchorBoard()

    private var candidates: [Place] = []
    public private(set) var filter: PlaceFilter
    private var places = PlaceLayer()
    private var routes = RouteLayer()
    private var cap = PlacementCap()
    private var memory = PlacementMemory()
    private var order = DrawOrder()
    private var labels: LabelSheets
    private var sky = SkyLayer()
    private var level = EyeLevel()
    private var happenings = Happenings()
    /// The generation whose frame has been ready.
    private var placedGeneration: UInt32?
    private var lostAnchors: [String] = []

    public init(settings: SceneSettings = SceneSettings()) {
        self.settings = settings
        filter = PlaceFilter(settings: settings.places)
        labels = LabelSheets(settings: settings.labels)
    }

    /// Takes other settings; what is remembered under the earlier ones goes, as far as they matter.
    public mutating func apply(_ settings: SceneSettings) {
        guard settings != self.settings else { return }
        if settings.labels != self.settings.labels {
            let sizes = labels.sizes
            labels = LabelSheets(settings: settings.labels)
            labels.sizes = sizes
        }
        self.settings = settings
        places.candidatesChanged()
    }

    /// The places among which is chosen: at least those within the filter's reach of the wearer.
    public mutating func setPlaces(_ places: [Place]) {
        candidates = places
        self.places.candidatesChanged()
    }

    public mutating func setFilter(_ filter: PlaceFilter) {
        self.filter = filter
        places.candidatesChanged()
    }

    /// The sizes in which displays draw labels, where that is not left to the settings.
    public var labelSizes: Set<LabelSize> {
        get { labels.sizes }
        set { labels.sizes = newValue }
    }

    /// Another route begins, or there is none any more.
    public mutating func routeChanged() {
        anchors.routeChanged()
    }

    // MARK: the scene

    public mutating func compose(_ moment: SceneMoment) -> SceneContent {
        enter(moment)
        let outlook = Outlook(
            moment,
            eyeLevel: level.update(
                height: moment.pose.positionInScene.y, generation: moment.pose.generation, at: moment.pose.time),
            settings: settings.placements)
        var placements: [Placement] = []
        placements.reserveCapacity(settings.placements.mostPlacements)
        if let viewpoint = moment.viewpoint, placedGeneration == moment.pose.generation {
            places.update(candidates, around: viewpoint, filter: filter, settings: settings.places)
            places.place(in: outlook, into: &placements)
            if let progress = moment.progress {
                routes.place(progress, in: outlook, settings: settings, into: &placements)
            } else {
                routes.clear()
            }
        }
        AnchorLayer.place(
            &anchors, isPlacing: placedGeneration == moment.pose.generation, progress: moment.progress, in: outlook,
            settings: settings.anchors, into: &placements)
        let left = cap.apply(to: &placements, settings: settings)
        let slots = finish(&placements, moment.pose)
        return SceneContent(
            time: moment.pose.time, generation: moment.pose.generation, eye: outlook.eye,
            rotationSceneFromBody: moment.pose.rotationSceneFromBody,
            heading: moment.pose.headingReference == .trueNorth ? moment.pose.heading : nil,
            readiness: moment.readiness, route: moment.progress.map { RouteStatus($0) },
            motion: moment.progress == nil ? nil : routes.motion, sun: sky.sun(at: moment), placements: placements,
            slots: slots, left: left)
    }

    /// What goes over the whole scene: order, labels, digits. Returns the slots of labels that have another size.
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

    // MARK: what happens

    /// What has happened since the last call; to be called with each fix, and about once a second without.
    public mutating func observe(_ moment: SceneMoment) -> [SceneEvent] {
        enter(moment)
        if let viewpoint = moment.viewpoint {
            places.update(candidates, around: viewpoint, filter: filter, settings: settings.places)
        }
        let events = happenings.update(moment, nearby: moment.viewpoint == nil ? [] : places.nearby, settings: settings)
        let lost = lostAnchors.map { SceneEvent.anchorLost(id: $0) }
        lostAnchors.removeAll()
        let moved = anchors.takeMoved().map { SceneEvent.anchorMoved(id: $0.id, distance: $0.distance) }
        return lost + moved + events
    }

    /// Takes over which generation it is, and whether its frame has been ready.
    public mutating func enter(_ moment: SceneMoment) {
        lostAnchors += anchors.enter(generation: moment.pose.generation, map: moment.viewpoint?.map)
        if moment.readiness.state == .ready { placedGeneration = moment.pose.generation }
    }
}
