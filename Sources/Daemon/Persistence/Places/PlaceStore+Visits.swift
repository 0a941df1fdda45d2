import Scene
import SQLite

/// Repeated imports of a source. Each import is a visit, and its number is stored with its places, so that places that
/// a later visit lacks can be removed.
extension PlaceStore {
    /// One import of a source.
    package struct Visit: Sendable {
        let source: Int64
        let number: Int64
    }

    /// Begins a visit of the source with that name, which is created if unknown.
    package func beginVisit(of source: String) throws(DatabaseError) -> Visit {
        try change { () throws(DatabaseError) in
            let statement = try database.prepare(
                """
                INSERT INTO source (name, visit, finished) VALUES (?, 1, 0) ON CONFLICT (name) DO UPDATE SET visit = visit + 1
                RETURNING number, visit
                """)
            try statement.bind(.text(source))
            guard try statement.step() else { throw database.failure(0) }
            defer { statement.reset() }
            return Visit(source: statement.integer(0), number: statement.integer(1))
        }
    }

    /// Adds places of a visit, all or none.
    ///
    /// - Parameter room: maximum number of new places.
    /// - Returns: the number of new places; nil, without any change, if there were too many.
    package func insert(_ places: [Place], _ visit: Visit, room: Int) throws(DatabaseError) -> Int? {
        var added = 0
        let isDone = try changeIf { () throws(DatabaseError) in
            for place in places where try insert(place, source: visit.source, visit: visit.number) { added += 1 }
            return added <= room
        }
        return isDone ? added : nil
    }

    /// Marks a visit as complete, and rebuilds the table of words if most of them are unused; everything is durable
    /// once this returns.
    package func finish(_ visit: Visit) throws(DatabaseError) {
        try database.run("PRAGMA synchronous = FULL")
        let hasTooManyWords = try vocabulary.isMostlyUnused()
        try change { () throws(DatabaseError) in
            if hasTooManyWords { try vocabulary.rebuild() }
            try database.prepare("UPDATE source SET finished = ? WHERE number = ?").run(
                .integer(visit.number), .integer(visit.source))
        }
    }

    /// Removes a batch of places from earlier visits of the source that are missing in this visit, except favourites.
    ///
    /// - Parameters:
    ///   - number: row number after which to begin.
    ///   - limit: maximum number of places to remove.
    /// - Returns: the number of removed places, and the number after which to continue; nil after the last batch.
    package func removeUnvisited(
        _ visit: Visit, after number: Int64, limit: Int
    ) throws(DatabaseError) -> (count: Int, next: Int64?) {
        try change { () throws(DatabaseError) in try delete(unvisitedBy: visit, after: number, limit: limit) }
    }

    private func delete(
        unvisitedBy visit: Visit, after number: Int64, limit: Int
    ) throws(DatabaseError) -> (count: Int, next: Int64?) {
        let unvisited = try database.prepare(
            """
            SELECT number FROM place WHERE number > ? AND source = ? AND visit <> ? AND favorite = 0
                AND \(ProtectedTable.place.isSound)
            ORDER BY number LIMIT ?
            """)
        try unvisited.bind(.integer(number), .integer(visit.source), .integer(visit.number), .integer(Int64(limit)))
        var numbers: [Int64] = []
        while try unvisited.step() { numbers.append(unvisited.integer(0)) }
        let remove = try database.prepare("DELETE FROM place WHERE number = ?")
        for number in numbers { try remove.run(.integer(number)) }
        if !numbers.isEmpty { vocabulary.noteRemoval() }
        return (numbers.count, numbers.count < limit ? nil : numbers.last)
    }

    /// Replaces all places of the source, in one transaction; favourites that are missing in `places` stay. Does
    /// nothing if `places` is empty.
    package func replaceAll(_ places: [Place], of source: String) throws(DatabaseError) {
        // A source without places gets no row.
        guard !places.isEmpty else { return }
        let visit = try beginVisit(of: source)
        try change { () throws(DatabaseError) in
            for place in places { _ = try insert(place, source: visit.source, visit: visit.number) }
            _ = try delete(unvisitedBy: visit, after: 0, limit: .max)
            try database.prepare("UPDATE source SET finished = visit WHERE number = ?").run(.integer(visit.source))
        }
    }
}
