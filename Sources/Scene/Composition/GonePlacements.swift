/// What is no longer in a view, for readers who may still know it. Revisions are those of the view.
struct GonePlacements: Sendable {
    private struct Gone {
        var id: String
        /// It was there from the one revision until before the other.
        var from, to: UInt64

        func isKnown(at revision: UInt64) -> Bool { from <= revision && revision < to }
    }

    /// In the order in which they left.
    private var all: [Gone] = []
    /// Beyond so many it is worth a look whether all are needed.
    private var bound = Self.leastBound

    private static let leastBound = 256

    mutating func add(_ id: String, from: UInt64, to: UInt64) { all.append(Gone(id: id, from: from, to: to)) }

    mutating func removeAll() { all.removeAll(keepingCapacity: true) }

    var isLarge: Bool { all.count > bound }

    /// Keeps what somebody still knows: of each reader no more than was in the scene at once.
    mutating func keep(knownAt revisions: Set<UInt64>) {
        all.removeAll { gone in !revisions.contains { gone.isKnown(at: $0) } }
        bound = max(Self.leastBound, 2 * all.count)
    }

    /// Ids of those that were there at a revision and are not again, in their order.
    func since(_ revision: UInt64, unless isBack: (String) -> Bool) -> [String] {
        // The last to leave are the last of the list: most readers know all but those.
        let first = all.lastIndex { $0.to <= revision }.map { $0 + 1 } ?? all.startIndex
        return all[first...].filter { $0.from <= revision && !isBack($0.id) }.map(\.id).sorted()
    }
}
