/// Event in the scene, reported once.
public enum SceneEvent: Hashable, Sendable {
    /// Place that was reached or left.
    case proximity(ProximityEvent)
    /// Announcement to be spoken to the wearer.
    case announcement(Announcement)
    /// Next turn is within the first announcement distance.
    case turnAhead(TurnAhead)
    /// Route that was left, found again or completed.
    case route(id: String, state: RouteProgress.State)
    /// Readiness of the frame or its reasons changed.
    case readiness(FrameReadiness)
    /// Large correction that moves content, reported as it begins.
    case correction(FrameCorrection)
    /// Anchor that could not be transferred into another scene frame and was removed.
    case anchorLost(id: String)
    /// Held anchor that was too far from its position by the map and was moved. Unit: metres.
    case anchorMoved(id: String, distance: Double)
}
