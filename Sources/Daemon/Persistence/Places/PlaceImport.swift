import Documents
import JSON
import Linux
import Scene
import SQLite

/// Imports the places of a document into a store, batch by batch.
///
/// Each batch is one transaction, so that readers see the committed batches, other changes run in between, and neither
/// memory nor the log grows with the document. If an import is interrupted by a cancellation, an error or a loss of
/// power, the complete batches stay in the store. Repeating it gives the same result as an uninterrupted one, because a
/// place is identified by its id.
package struct PlaceImport {
    package enum Item: Sendable {
        case place(Place)
        /// Part of the document that is not a place; the document continues after it.
        case flaw(DocumentProblem)
        case end
    }

    /// Counts of a completed import, or of an import so far.
    package struct Counts: Equatable, Sendable {
        /// Number of imported places, new and replaced ones.
        package var taken = 0
        package var added = 0
        /// Number of removed places, which came from an earlier import of the same source and are missing in this one.
        package var removed = 0
        /// Number of parts of the document that are not places, or exceed a limit.
        package var flawed = 0
        /// Problems of the first few flawed parts.
        package var problems: [DocumentProblem] = []

        package init() {}
    }

    /// Reason why an import ends early; committed batches stay.
    package enum Failure: DatabaseFailure, Equatable, CustomStringConvertible {
        case document(DocumentProblem)
        case store(DatabaseError)
        /// The store would exceed this maximum number of places.
        case tooMany(Int)
        case cancelled
        /// The file was found damaged and moved aside; the new one is empty.
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
    /// Generation of the file at the beginning of the import.
    private let generation: Int
    /// Capacity that remained when the places were last counted, and number of places added since.
    private var room = (counted: 0, added: 0)
    private var counts = Counts()
    private var batch: [Place] = []

    /// Number of places per transaction, large enough to share the cost of a commit, and small enough to delay other
    /// changes only briefly.
    package static let batchSize = 4000
    /// Maximum number of flaws that are reported; the others are counted.
    private static let maximumProblemCount = 5
    /// Number of flaws after which a document without any place is refused as another kind of document.
    private static let hopeless = 1000

    /// - Parameters:
    ///   - store: connection that no one else uses.
    ///   - source: name of the document's origin.
    ///   - replace: whether to remove places from earlier imports of the same source that are missing in this one,
    ///     except favourites.
    package init(into store: PlaceStore, source: String, replace: Bool) throws(Failure) {
        self.store = store
        self.source = source
        self.replace = replace
        generation = store.file.generation
        try Failure.wrapping { () throws(DatabaseError) in
            // The log holds several batches between two checkpoints; `finish` makes all of them durable.
            try store.database.run(
                "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 8000")
        }
        batch.reserveCapacity(Self.batchSize)
    }

    /// Imports all items.
    ///
    /// - Parameters:
    ///   - next: returns the next item.
    ///   - progress: called with the counts after each batch; the import ends if it returns false.
    /// - Returns: the counts, once everything is durable.
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
        // A document of another encoding or kind, whose rows are all refused, must not replace the places of a good
        // document.
        if counts.taken == 0, let problem = counts.problems.first { throw .document(problem) }
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
        if counts.problems.count < Self.maximumProblemCount { counts.problems.append(problem) }
        guard counts.flawed < Self.hopeless || counts.taken + batch.count > 0 else {
            throw .document(counts.problems[0])
        }
    }

    private mutating func commit(_ visit: PlaceStore.Visit) throws(Failure) {
        guard !batch.isEmpty else { return }
        try countRoom()
        let (places, room) = (batch, room.counted - room.added)
        let added = try storing { store throws(DatabaseError) in try store.insert(places, visit, room: room) }
        guard let added else { throw .tooMany(PlaceStore.maximumPlaceCount) }
        self.room.added += added
        counts.added += added
        counts.taken += places.count
        batch.removeAll(keepingCapacity: true)
    }

    /// Counts the places again once a quarter of the remaining capacity has been used, because other imports add places
    /// too. So each import exceeds the limit by at most one batch; counting millions of places for each batch would
    /// take longer than adding them.
    private mutating func countRoom() throws(Failure) {
        guard room.added >= room.counted / 4 else { return }
        let places = try storing { store throws(DatabaseError) in try store.count() }
        room = (PlaceStore.maximumPlaceCount - places, 0)
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
        return try Failure.wrapping { () throws(DatabaseError) in try body(store) }
    }
}

/// Failure with a case for errors of the database.
protocol DatabaseFailure: Error {
    static func store(_ error: DatabaseError) -> Self
}

extension DatabaseFailure {
    static func wrapping<Value>(_ body: () throws(DatabaseError) -> Value) throws(Self) -> Value {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}

/// Reads the places of a client's document, which is given as text or as a file descriptor.
package final class PlaceDocument {
    private var reader: PlacesReader
    private let stop: StopFlag

    package init(
        _ document: PlaceTransfers.Document, stop: StopFlag, clock: CallClock = CallClock(),
        patience: Double = DocumentFile.importPatience
    ) {
        self.stop = stop
        switch document {
        case .file(let descriptor):
            var file = DocumentFile(descriptor, stop: stop, clock: clock, patience: patience)
            reader = PlacesReader { room in try file.read(into: room) }
        case .text(let bytes):
            var rest = bytes[...]
            reader = PlacesReader { room in
                let part = rest.prefix(room.count)
                room.copyBytes(from: part)
                rest = rest.dropFirst(part.count)
                return part.count
            }
        }
    }

    /// Size of the part of the document that was read. Unit: bytes.
    package var bytes: UInt64 { reader.offset }

    package func next() throws(PlaceImport.Failure) -> PlaceImport.Item {
        do throws(DocumentProblem) {
            return try reader.next().map { .place($0) } ?? .end
        } catch {
            guard !reader.canGoOn else { return .flaw(error) }
            throw stop.isSet ? .cancelled : .document(error)
        }
    }
}

/// Limits of a place, so that no place overloads the clients that receive it.
package enum PlaceLimits {
    /// Maximum length of an id. Unit: UTF-8 bytes, as in the limits below.
    package static let maximumIDLength = 256
    package static let maximumNameLength = 500
    package static let maximumKindLength = 100
    /// Maximum length of the names and texts of all tags together.
    package static let maximumTagsLength = 8192
    package static let maximumTagCount = 100

    /// Returns what is wrong with a place from outside; nil if it is within the limits.
    package static func flaw(of place: Place) -> String? {
        if place.id.isEmpty { return "the id is empty" }
        if place.id.utf8.count > maximumIDLength { return "the id is longer than \(maximumIDLength) bytes" }
        if place.name.utf8.count > maximumNameLength { return "the name is longer than \(maximumNameLength) bytes" }
        if place.kind.utf8.count > maximumKindLength { return "the kind is longer than \(maximumKindLength) bytes" }
        if place.tags.count > maximumTagCount { return "more than \(maximumTagCount) tags" }
        let length = place.tags.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return length > maximumTagsLength ? "the tags are longer than \(maximumTagsLength) bytes together" : nil
    }
}
