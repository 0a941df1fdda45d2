/// Position of one reader in the updates of a view.
public struct SceneReader: Hashable, Sendable {
    /// Revision of the reader's last update, counted for each reader; 0 before the first.
    public internal(set) var revision: UInt64 = 0
    /// Revision of the view up to which the reader is up to date; 0 before the first update.
    public internal(set) var known: UInt64 = 0
    /// Number of events that the reader has received or missed.
    var events: UInt64 = 0
    /// Number of updates skipped since the last one.
    public var missed = 0

    /// State without the reader's own revision, equal for readers whose next updates are otherwise the same.
    public var standing: SceneReader {
        var standing = self
        standing.revision = 0
        return standing
    }
}
