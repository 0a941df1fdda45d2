/// What one reader of a view has been told.
public struct SceneReader: Hashable, Sendable {
    /// The reader's own, of its last update; 0 before the first.
    public internal(set) var revision: UInt64 = 0
    /// The view's, up to which the reader knows all; 0 before the first update.
    public internal(set) var known: UInt64 = 0
    /// So many events it has been told, or was too late for.
    var events: UInt64 = 0
    /// Updates that were left out since its last one.
    public var missed = 0

    /// The same for all whose next updates differ in nothing but their revision.
    public var standing: SceneReader {
        var standing = self
        standing.revision = 0
        return standing
    }
}
