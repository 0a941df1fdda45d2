/// Everything that can be set of the scene; a section a file. Defaults are the configuration's.
///
/// Angles in degrees, as the configuration has them: each name says so.
public struct SceneSettings: Hashable, Sendable {
    public var frame = Frame()
    public var route = Route()
    public var places = Places()
    public var placements = Placements()
    public var labels = Labels()
    public var announcements = Announcements()
    public var anchors = Anchors()

    public init() {}
}
