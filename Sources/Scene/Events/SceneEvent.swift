/// Something that happened in the scene and is told once.
public enum SceneEvent: Hashable, Sendable {
    /// A place was reached or left.
    case proximity(ProximityEvent)
    /// Something to be said to the wearer.
    case announcement(Announcement)
    /// The next turn has come within the first distance at which it is told.
    case turnAhead(TurnAhead)
    /// The route was left, found again or walked to its end.
    case route(id: String, state: RouteProgress.State)
    /// The frame became ready for placements, or is so no more, or the reasons are others.
    case readiness(FrameReadiness)
    /// Content is being put where it belongs, as it was far off; told as it begins.
    case correction(FrameCorrection)
    /// An anchor could not be carried over into another scene frame.
    case anchorLost(id: String)
    /// An anchor that was held was too far from its place by the map, and has been laid out anew. Unit: metres.
    case anchorMoved(id: String, distance: Double)
}
