/// Placements that are no longer in a view, for readers that may still have them. Revisions are those of the view.
struct RemovedPlacements: Sendable {
    private struct Gone {
        var id: String
        /// Revision with which it appeared, and with which it disappeared.
        var from, to: UInt64

        func isKnown(at revision: UInt64) -> Bool { from <= revision && revision < to }
    }

    /// Removed placements in order of removal.
    private var all: [Gone] = []
    /// Number of entries from which on unneeded ones are searched.
    private var bound = Self.leastBound

    private static let leastBound = 256

    mutating func add(_ id: String, from: UInt64, to: UInt64) { all.append(Gone(id: id, from: from, to: to)) }

    mutating func removeAll() { all.removeAll(keepingCapacity: true) }

    var isLarge: Bool { all.count > bound }

    /// Keeps entries that some reader still has: for each reader no more than were in the scene at once.
    mutating func keep(knownAt revisions: Set<UInt64>) {
        all.removeAll { gone in !revisions.contains { gone.isKnown(at: $0) } }
        bound = max(Self.leastBound, 2 * all.count)
    }

    /// Sorted identifiers of placements that were there at a revision and have not returned.
    func since(_ revision: UInt64, unless isBack: (String) -> Bool) -> [String] {
        // The last removed are at the end of the list; most readers lack only those.
        let first = all.lastIndex { $0.to <= revision }.map { $0 + 1 } ?? all.startIndex
        return all[first...].filter { $0.from <= revision && !isBack($0.id) }.map(\.id).sorted()
    }
}
