import JSON
import Scene

/// Brings the places of a document into a store, a batch at a time.
///
/// Each batch is committed as a whole: readers see the places of those that are, favourites can be set in between, and
/// neither memory nor the log grows with the document. Cut short, by a cancel, an error or a loss of power, an import
/// leaves whole batches; done again it gives what it would have given at once, for a place is known by its id.
package struct PlaceImport {
    /// Next item of a document.
    package enum Item: Sendable {
        case place(Place)
        /// Something that is no place; the document goes on behind it.
        case flaw(DocumentProblem)
        case end
    }

    /// Counts of an import, complete or so far.
    package struct Counts: Equatable, Sendable {
        /// Number of places that were taken, new ones and others.
        package var taken = 0
        /// Number of places taken that were not there before.
        package var added = 0
        /// Number of places that an earlier import of the same source brought and this one did not.
        package var removed = 0
        /// Number of parts of the document that are no places.
        package var flawed = 0
        /// Problems of the first few of these.
        package var problems: [DocumentProblem] = []

        package init() {}
    }

    /// Why an import ends early; what was committed until then stays.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case document(DocumentProblem)
        case store(DatabaseError)
        /// No room for more places than this maximum.
        case tooMany(Int)
        case cancelled
        /// The file turned out to be damaged, and its successor is empty.
        case setAside

        package var description: String {
            switch self {
            case .document(let problem): "\(problem)"
            case .store(let error): "\(error)"
            case .tooMany(let maximum): "the limit of \(maximum) places is reached"
            case .cancelled: "the client disconnected, or the daemon is stopping"
            case .setAside: "the place database was damaged and moved away; import again"
            }
        }
    }

    private let store: PlaceStore
    private let source: String
    private let replace: Bool
    /// Generation of the file when the import began.
    private let generation: Int
    private var room: Int
    private var counts = Counts()
    private var batch: [Place] = []

    /// Number of places committed at once: enough that a commit's cost is shared, few enough that other changes wait
    /// briefly.
    package static let batchSize = 4000
    /// Maximum number of flaws that are reported; the others are counted.
    private static let mostProblems = 5
    /// Number of flaws after which a document without a single place is taken for another kind of document.
    private static let hopeless = 1000

    /// - Parameters:
    ///   - store: a connection of its own.
    ///   - source: where the document comes from, by name.
    ///   - replace: removes what an earlier import of the same source brought and this one does not, favourites not.
    package init(into store: PlaceStore, source: String, replace: Bool) throws(Failure) {
        self.store = store
        self.source = source
        self.replace = replace
        generation = store.file.generation
        room = 0
        do throws(DatabaseError) {
            room = PlaceStore.mostPlaces - (try store.count())
            // Between two checkpoints the log has room for several batches; finish() makes all of it durable.
            try store.database.run(
                "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 2000")
        } catch {
            throw .store(error)
        }
        batch.reserveCapacity(Self.batchSize)
    }

    /// Takes all that `next` gives.
    ///
    /// - Parameters:
    ///   - progress: called with the counts after each batch; false ends the import.
    /// - Returns: the counts, once all of it would survive a loss of power.
    package mutating func run(
        next: () throws(Failure) -> Item, progress: (Counts) -> Bool
    ) throws(Failure) -> Counts {
        let visit = try storing { store throws(DatabaseError) in try store.beginVisit(of: source) }
        reading: while true {
            switch try next() {
            case .place(let place): try take(place)
            case .flaw(let problem): try note(problem)
            case .end: break reading
            }
            guard batch.count == Self.batchSize else { continue }
            try commit(visit)
            guard progress(counts) else { throw .cancelled }
        }
        try commit(visit)
        if replace { try removeUnvisited(visit, progress) }
        try storing { store throws(DatabaseError) in try store.finish(visit) }
        return counts
    }

    private mutating func take(_ place: Place) throws(Failure) {
        if let flaw = PlaceLimits.flaw(of: place) {
            return try note(DocumentProblem(path: "place '\(place.id.prefix(80))'", message: flaw))
        }
        batch.append(place)
    }

    private mutating func note(_ problem: DocumentProblem) throws(Failure) {
        counts.flawed += 1
        if counts.problems.count < Self.mostProblems { counts.problems.append(problem) }
        guard counts.flawed < Self.hopeless || counts.taken + batch.count > 0 else {
            throw .document(counts.problems[0])
        }
    }

    private mutating func commit(_ visit: PlaceStore.Visit) throws(Failure) {
        guard !batch.isEmpty else { return }
        let (places, room) = (batch, room)
        let added = try storing { store throws(DatabaseError) in try store.insert(places, visit, room: room) }
        guard let added else { throw .tooMany(PlaceStore.mostPlaces) }
        self.room -= added
        counts.added += added
        counts.taken += places.count
        batch.removeAll(keepingCapacity: true)
    }

    private mutating func removeUnvisited(_ visit: PlaceStore.Visit, _ progress: (Counts) -> Bool) throws(Failure) {
        var next: Int64? = 0
        while let start = next {
            let (removed, rest) = try storing { store throws(DatabaseError) in
                try store.removeUnvisited(visit, after: start, limit: Self.batchSize)
            }
            counts.removed += removed
            next = rest
            guard progress(counts) else { throw .cancelled }
        }
    }

    private func storing<Value>(_ body: (PlaceStore) throws(DatabaseError) -> Value) throws(Failure) -> Value {
        store.file.giveWay()
        guard store.file.generation == generation else { throw .setAside }
        do throws(DatabaseError) {
            return try body(store)
        } catch {
            throw .store(error)
        }
    }
}
