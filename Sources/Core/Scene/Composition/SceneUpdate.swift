import Model

/// Update of a scene for one display. It is a snapshot, or contains the changes since the last update.
public struct SceneUpdate: Sendable {
    /// Revision, which increases by one with each update.
    public var revision: UInt64 = 0
    /// Whether the update contains the whole scene and replaces the previous state.
    public var isSnapshot = false
    /// Time of the pose for which the scene was composed.
    public var time: BootTime
    /// Generation of the scene frame; positions of other generations are not comparable.
    public var generation: UInt32
    package var readiness: FrameReadiness
    package var route: RouteStatus?
    package var motion: ArrowMotion?
    /// Sun; nil while position or UTC are unknown.
    public var sun: Sun?
    /// Roll that keeps labels horizontal on the display, counter-clockwise. Unit: radians.
    public var labelRoll: Double
    /// Placements that are new or changed, in order of their identifiers.
    public var changed: [ViewedPlacement] = []
    /// Sorted identifiers of removed placements.
    public var removed: [String] = []
    package var events: [PublishedEvent] = []
    /// Number of events that are known to be missing before `events`, because more occurred than are retained.
    public var eventsDropped = 0
    /// Number of updates that were skipped because the reader was slow. This one includes them.
    public var missed = 0
    /// Number of placements that were left out because of the limit.
    public var left: Int

    /// Makes an update with the state of a scene, without its placements and events.
    init(_ content: SceneContent, labelRoll: Double) {
        time = content.time
        generation = content.generation
        readiness = content.readiness
        route = content.route
        motion = content.motion
        sun = content.sun
        self.labelRoll = labelRoll
        left = content.left
    }
}

/// Position of one reader in the updates of a view.
public struct SceneReader: Hashable, Sendable {
    /// Revision of the reader's last update. Each reader has its own count; 0 before the first update.
    public internal(set) var revision: UInt64 = 0
    /// Revision of the view that the reader has received; 0 before the first update.
    public internal(set) var known: UInt64 = 0
    var events: EventPosition
    /// Number of updates skipped since the last one.
    public var missed = 0
}

extension SceneReader {
    /// Makes a reader of a scene and of future events.
    ///
    /// - Parameters:
    ///   - events: events so far.
    ///   - sequence: sequence of the last event that the reader has. The reader then also gets the retained events
    ///     after it.
    public init(events: EventHistory, after sequence: Int64? = nil) {
        self.init(events: sequence.map(events.position(after:)) ?? events.end)
    }

    /// State without the reader's own revision. Readers whose next updates differ at most in this revision have equal
    /// states.
    public var standing: SceneReader {
        var standing = self
        standing.revision = 0
        return standing
    }
}

/// Placements that are no longer in a view, for readers that may still have them. All revisions here are those of the
/// view.
struct RemovedPlacements: Sendable {
    private struct Gone {
        var id: String
        /// Revisions of the view in which the placement appeared and disappeared.
        var from, to: UInt64

        func isKnown(at revision: UInt64) -> Bool { from <= revision && revision < to }
    }

    /// Removed placements in order of removal.
    private var all: [Gone] = []
    /// Number of entries above which the list is searched for those that no reader needs.
    private var bound = Self.minimumBound

    private static let minimumBound = 256

    mutating func add(_ id: String, from: UInt64, to: UInt64) { all.append(Gone(id: id, from: from, to: to)) }

    mutating func removeAll() { all.removeAll(keepingCapacity: true) }

    var isLarge: Bool { all.count > bound }

    /// Keeps only the entries of placements that some reader still shows. For each reader, these are at most as many as
    /// the scene contained at one time.
    mutating func keep(knownAt revisions: Set<UInt64>) {
        all.removeAll { gone in !revisions.contains { gone.isKnown(at: $0) } }
        bound = max(Self.minimumBound, 2 * all.count)
    }

    /// Returns the sorted identifiers of the placements that existed at a revision, were removed after it and have not
    /// returned.
    func since(_ revision: UInt64, unless isBack: (String) -> Bool) -> [String] {
        // The last removals are at the end of the list. Most readers lack only these.
        let first = all.lastIndex { $0.to <= revision }.map { $0 + 1 } ?? all.startIndex
        return all[first...].filter { $0.from <= revision && !isBack($0.id) }.map(\.id).sorted()
    }
}
