/// Settings of the scene, by section; the defaults are those of the configuration.
///
/// Angles are in degrees as in the configuration; the names say so.
public struct SceneSettings: Hashable, Sendable {
    /// Scene frame: position estimates, correction of the axes and readiness.
    public var frame = Frame()
    /// Routes: what is shown, and when a route counts as left or completed.
    public var route = Route()
    /// Places: selection, distance bands, clusters and proximity events.
    public var places = Places()
    /// Size, drawing distance and screen position of placements.
    public var placements = Placements()
    /// Size and slots of labels.
    public var labels = Labels()
    /// Spoken announcements.
    public var announcements = Announcements()
    /// Limits of anchors, and when a held one is moved.
    public var anchors = Anchors()

    /// Default settings.
    public init() {}
}
