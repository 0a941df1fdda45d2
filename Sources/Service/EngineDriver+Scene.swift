import Engine
import Geodesy
import Model
import Scene

/// The scene of the engine, for the reactor's thread.
extension EngineDriver {
    /// All that is placed now; nil before the first pose.
    func compose() -> SceneContent? { engine.compose() }

    func position(ofPlacement id: String) -> GeodeticPosition? { engine.position(ofPlacement: id) }

    /// The pose of a moment of the last ten minutes, as it was published then.
    func pose(at time: BootTime) throws(PastPoseProblem) -> PastPose { try engine.pose(at: time) }

    /// A client's own fix beside the pose of its moment.
    func pair(_ fix: ClientFix, at time: BootTime) throws(PairingProblem) -> (PairedEstimate, PastPose) {
        try engine.pair(fix, at: time)
    }

    func apply(_ settings: SceneSettings) { engine.apply(settings) }

    var sceneSettings: SceneSettings { engine.sceneSettings }

    func setLabelSizes(_ sizes: Set<LabelSize>) { engine.setLabelSizes(sizes) }

    func setPlaces(_ places: [Place]) { engine.setPlaces(places) }

    func setFilter(_ filter: PlaceFilter) { engine.setFilter(filter) }

    var anchors: [Anchor] { engine.anchors }

    func anchor(id: String) -> Anchor? { engine.anchor(id: id) }

    func place(_ anchor: Anchor, owner: UInt64?) throws(AnchorProblem) { try engine.place(anchor, owner: owner) }

    func freshAnchorID() -> String { engine.freshAnchorID() }

    func removeAnchor(id: String) -> Anchor? { engine.removeAnchor(id: id) }

    var remainingSlew: (turn: Double, shift: Double) { engine.remainingSlew }

    func disconnect(_ client: UInt64) { engine.disconnect(client) }
}
