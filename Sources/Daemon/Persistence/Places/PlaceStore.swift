import CSQLite
import Geometry
import Scene
import SQLite

/// Places, favourites, filters and anchors in SQLite. It is one connection, for one thread at a time.
///
/// An index of bands of latitude finds places by position, and a full-text index by name, kind and address.
public final class PlaceStore {
    package let database: Database
    package let file: PlaceFile
    package let statements: Statements
    let splitter: WordSplitter
    let vocabulary: Vocabulary
    /// Number of rows read so far that do not match their checksum.
    private(set) var damagedRows = 0

    /// Statements prepared once; `bind` resets a statement that was not run to its end.
    package struct Statements {
        let insert, index, replace, byNumber, byID, inOrder, inBoxFiltered, favorite, favorites: Statement
        package let inBox, searched, positions: Statement
    }

    /// Creates a store in memory, which ends with this connection.
    public convenience init() throws(DatabaseError) { try self.init(PlaceFile()) }

    /// Opens a store in a file, which is created if it does not exist.
    public convenience init(directory: String, name: String) throws(DatabaseError) {
        try self.init(PlaceFile(directory: directory, name: name))
    }

    /// - Parameter isFirst: whether to create and check the file, and move a damaged one aside; false for further
    ///   connections.
    package init(_ file: PlaceFile, isFirst: Bool = true) throws(DatabaseError) {
        self.file = file
        database = isFirst ? try file.open() : try file.openAnother()
        statements = try Statements(database)
        splitter = try WordSplitter(database)
        vocabulary = try Vocabulary(database, file)
        if isFirst { file.recover(into: self) }
    }

    /// Whether changes are refused.
    package var isReadOnly: Bool { database.isReadOnly }

    /// Counter that grows with every change by any connection.
    package var revision: UInt64 { file.revision }

    /// Runs a change in one transaction, which is durable once this returns.
    package func change<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        var value: Value?
        _ = try file.inTurn { () throws(DatabaseError) in
            try changeIf { () throws(DatabaseError) in
                value = try body()
                return true
            }
        }
        return value!
    }

    /// Runs a change, which is rolled back if `body` returns false; returns the result of `body`.
    package func changeIf(_ body: () throws(DatabaseError) -> Bool) throws(DatabaseError) -> Bool {
        var isDone = false
        defer { vocabulary.forget(isCommitted: isDone) }
        isDone = try database.attempt { () throws(DatabaseError) in
            guard try body() else { return false }
            try vocabulary.flush()
            return true
        }
        if isDone { file.noteChange() }
        return isDone
    }

    // MARK: places

    package static let maximumPlaceCount = 5_000_000

    package func count() throws(DatabaseError) -> Int { Int(try database.number("SELECT count(*) FROM place")) }

    /// Adds all of the places or none. A place with the same id is replaced, and stays a favourite if it was one.
    public func insert(_ places: [Place]) throws(DatabaseError) {
        try change { () throws(DatabaseError) in
            for place in places { _ = try insert(place, source: 0, visit: 0) }
        }
    }

    /// Adds or replaces a place; returns whether it is new.
    package func insert(_ place: Place, source: Int64, visit: Int64) throws(DatabaseError) -> Bool {
        let name = splitter.words(place.name)
        let words = PlaceWords(kind: place.kind, tags: place.tags).text
        try vocabulary.note(name)
        try vocabulary.note(splitter.words(words))
        let (heightKind, height) = place.height.columns
        let row: [Statement.Value] = [
            .text(place.id), .text(place.name), .text(place.kind), .real(place.position.latitudeDegrees),
            .real(normalizedLongitude(place.position.longitudeDegrees)), .integer(heightKind), .real(height),
            .text(TagText.write(place.tags)), .integer(place.isFavorite ? 1 : 0), .integer(source), .integer(visit),
        ]
        database.forgetLastRow()
        try statements.insert.run(row)
        guard let number = database.newRow else {
            try statements.replace.run(row)
            vocabulary.noteRemoval()
            return false
        }
        try statements.index.run([
            .integer(number), .text(place.name), .text(words), .text(PlaceBeginning.text(name)),
        ])
        return true
    }

    /// Sets whether a place is a favourite; returns false if there is no such place.
    package func setFavorite(_ id: String, _ isFavorite: Bool) throws(DatabaseError) -> Bool {
        try change { () throws(DatabaseError) in
            // A damaged row must not be given a matching checksum.
            guard try place(id: id) != nil else { return false }
            try statements.favorite.run(.text(id), .integer(isFavorite ? 1 : 0))
            return database.changes > 0
        }
    }

    package func place(number: Int64) throws(DatabaseError) -> Place? {
        let statement = statements.byNumber
        try statement.bind(.integer(number))
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return soundPlace(statement)
    }

    package func place(id: String) throws(DatabaseError) -> Place? {
        let statement = statements.byID
        try statement.bind(.text(id))
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        guard let place = soundPlace(statement) else { return nil }
        guard place.id == id else {
            // The index of ids has led to a row with another id.
            file.noteDamage()
            return nil
        }
        return place
    }

    /// Returns up to `limit` places, in the order of row numbers.
    ///
    /// - Parameter number: row number after which the page begins, from 0.
    /// - Returns: the places, and the number after which the next page begins; nil after the last page.
    package func places(
        after number: Int64, limit: Int
    ) throws(DatabaseError) -> (places: [Place], next: Int64?) {
        let statement = statements.inOrder
        try statement.bind(.integer(number), .integer(Int64(limit)))
        var (places, last): ([Place], Int64?) = ([], nil)
        var count = 0
        while try statement.step() {
            count += 1
            last = statement.integer(ProtectedTable.place.soundness + 1)
            if let place = soundPlace(statement) { places.append(place) }
        }
        return (places, count < limit ? nil : last)
    }

    /// Returns the place in a row that has the columns of `ProtectedTable.selection`. If the row is damaged, returns
    /// nil and records the damage.
    private func soundPlace(_ row: Statement) -> Place? {
        guard isSound(row, .place), let place = Self.place(row) else { return nil }
        return place
    }

    /// Whether a row that has the columns of its table's `selection` is intact; damage is recorded.
    func isSound(_ row: Statement, _ table: ProtectedTable) -> Bool {
        guard row.integer(table.soundness) == 0 else { return true }
        damagedRows += 1
        file.noteDamage()
        return false
    }

    /// Returns the place in a row with the columns of the table; nil if its position is invalid.
    static func place(_ row: Statement) -> Place? {
        let height = PlacementHeight(kind: row.integer(5), metres: row.real(6))
        let position = GeodeticPosition(
            latitudeDegrees: row.real(3), longitudeDegrees: row.real(4),
            ellipsoidalHeight: height.ellipsoidalMetres ?? 0)
        guard let position else { return nil }
        var place = Place(
            id: row.text(0), name: row.text(1), kind: row.text(2), position: position, height: height,
            isFavorite: row.integer(8) != 0)
        place.setTags(text: row.text(7), read: TagText.read)
        return place
    }

    // MARK: by position

    /// Visits all places within a circle that pass the filter and that `isWanted` accepts, in no particular order.
    ///
    /// - Parameter body: called with the row number of each place and its distance in metres.
    /// - Returns: the number of places read.
    private func visit(
        _ circle: SearchCircle, _ filter: PlaceFilter?, where isWanted: (Int64) -> Bool, _ body: (Int64, Double) -> Void
    ) throws(DatabaseError) -> Int {
        var count = 0
        // The same statement serves filters with any number of kinds, because missing kinds are NULL, which equals no
        // kind.
        let isFiltered = filter.map { !$0.kinds.isEmpty || $0.favoritesOnly } ?? false
        let statement = isFiltered ? statements.inBoxFiltered : statements.inBox
        for box in circle.boxes {
            let bands = (
                PlaceSchema.band(latitudeDegrees: box.south), PlaceSchema.band(latitudeDegrees: box.north)
            )
            if let filter, isFiltered {
                try statement.bind(
                    .integer(bands.0), .integer(bands.1), .real(box.west), .real(box.east), .real(box.south),
                    .real(box.north), .integer(filter.favoritesOnly ? 1 : 0), .integer(filter.kinds.isEmpty ? 1 : 0),
                    .kind(filter, 0), .kind(filter, 1), .kind(filter, 2))
            } else {
                try statement.bind(
                    .integer(bands.0), .integer(bands.1), .real(box.west), .real(box.east), .real(box.south),
                    .real(box.north))
            }
            while try statement.step() {
                count += 1
                let number = statement.integer(0)
                guard isWanted(number) else { continue }
                let distance = circle.distance(latitudeDegrees: statement.real(1), longitudeDegrees: statement.real(2))
                if distance <= circle.radius * Self.tolerance { body(number, distance) }
            }
        }
        return count
    }

    /// Margin for the error of `SearchCircle.distance`, so that no place within the circle is missed.
    private static let tolerance = 1.01

    /// Returns the `limit` nearest places within `radius` metres, or 1 % more, that pass the filter, nearest first. The
    /// filter's own radius is ignored.
    ///
    /// The search widens until it has found enough places, because in a dense city a query of the whole radius would
    /// take longer than a frame.
    public func around(
        _ center: GeodeticPosition, radius: Double, filter: PlaceFilter? = nil, limit: Int
    ) throws(DatabaseError) -> [Place] {
        try database.snapshot { () throws(DatabaseError) in
            let (circle, found) = try nearest(center, radius: radius, filter: filter, limit: limit)
            var places: [Place] = []
            for (number, distance) in found {
                guard let place = try place(number: number) else { continue }
                guard isWhereIndexed(place, distance, circle) else {
                    file.noteDamage()
                    continue
                }
                places.append(place)
            }
            return places
        }
    }

    /// Whether a place is at its position in the index, which may be damaged.
    private func isWhereIndexed(_ place: Place, _ distance: Double, _ circle: SearchCircle) -> Bool {
        let (latitude, longitude) = (place.position.latitudeDegrees, place.position.longitudeDegrees)
        return (circle.distance(latitudeDegrees: latitude, longitudeDegrees: longitude) - distance).magnitude < 1
    }

    /// Returns row numbers and distances of the `limit` nearest places within `radius` metres that pass the filter and
    /// that `isWanted` accepts. Also returns the circle in which they were found.
    ///
    /// - Parameter maximumVisitCount: number of places that the search reads if they are as dense everywhere; it ends
    ///   there even if it has found too few.
    func nearest(
        _ center: GeodeticPosition, radius: Double, filter: PlaceFilter? = nil, limit: Int,
        maximumVisitCount: Int = .max, where isWanted: (Int64) -> Bool = { _ in true }
    ) throws(DatabaseError) -> (circle: SearchCircle, found: ArraySlice<(number: Int64, distance: Double)>) {
        var found: [(number: Int64, distance: Double)] = []
        var reach = min(Self.firstReach, radius)
        var visited = 0
        while true {
            found.removeAll(keepingCapacity: true)
            let circle = SearchCircle(center: center, radius: reach)
            let count = try visit(circle, filter, where: isWanted) { found.append(($0, $1)) }
            visited += count
            // The radius at which there are enough places if they are as dense there, and the one at which too many
            // have been read.
            let needed = (Double(limit) / Double(max(1, found.count))).squareRoot() * Self.surplus
            let possible = (Double(max(0, maximumVisitCount - visited)) / Double(max(1, count))).squareRoot()
            let widening = min(needed, possible, Self.maximumWidening)
            if found.count >= limit || reach >= radius || widening < Self.minimumWidening {
                found.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
                return (circle, found.prefix(limit))
            }
            reach = min(reach * widening, radius)
        }
    }

    /// First radius of a search. With these values, a query in a city reads about twice `limit` places. Unit: metres.
    private static let firstReach = 60.0
    private static let maximumWidening = 3.0
    /// Factor below which a circle is not worth the places that are read again.
    private static let minimumWidening = 1.1
    /// Factor that makes a second widening for the last few places unlikely.
    private static let surplus = 1.15
}

extension PlaceStore.Statements {
    init(_ database: Database) throws(DatabaseError) {
        let table = ProtectedTable.place
        // If the replaced row is damaged, even its favourite flag is dropped.
        let favorite = "max(excluded.favorite, iif(favorite, \(table.isSound), 0))"
        var replacements = Dictionary(uniqueKeysWithValues: table.columns.map { ($0, "excluded.\($0)") })
        replacements["favorite"] = favorite
        // The new row's checksum; it is computed again if the old row's favourite flag is kept.
        let checksum = "iif(favorite > excluded.favorite, \(table.checksum(replacements)), excluded.checksum)"
        // The existing row has this id already.
        replacements["id"] = nil
        let assignments = replacements.map { "\($0) = \($1)" }.sorted().joined(separator: ", ")
        insert = try database.prepare("INSERT \(table.insertion) ON CONFLICT (id) DO NOTHING")
        index = try database.prepare("INSERT INTO place_search (rowid, name, words, beginning) VALUES (?, ?, ?, ?)")
        replace = try database.prepare(
            "INSERT \(table.insertion) ON CONFLICT (id) DO UPDATE SET \(assignments), checksum = \(checksum)")
        byNumber = try database.prepare("SELECT \(table.selection) FROM place WHERE number = ?")
        byID = try database.prepare("SELECT \(table.selection) FROM place WHERE id = ?")
        inOrder = try database.prepare(
            "SELECT \(table.selection), number FROM place WHERE number > ? ORDER BY number LIMIT ?")
        let inBox = """
            WITH RECURSIVE band (number) AS (SELECT ?1 UNION ALL SELECT number + 1 FROM band WHERE number < ?2)
            SELECT place.number, latitude, longitude FROM band CROSS JOIN place INDEXED BY place_position
            WHERE \(PlaceSchema.band) = band.number AND longitude BETWEEN ?3 AND ?4 AND latitude BETWEEN ?5 AND ?6
            """
        self.inBox = try database.prepare(inBox)
        inBoxFiltered = try database.prepare(inBox + " AND favorite >= ?7 AND (?8 OR kind IN (?9, ?10, ?11))")
        positions = try database.prepare(
            "SELECT number, latitude, longitude, favorite FROM json_each(?) CROSS JOIN place ON number = value")
        searched = try database.prepare(
            "SELECT name, kind, tags, latitude, longitude, favorite FROM place WHERE number = ?")
        favorites = try database.prepare(
            "SELECT number FROM place INDEXED BY place_favorite WHERE favorite = 1 ORDER BY number LIMIT ?")
        self.favorite = try database.prepare(
            "UPDATE place SET favorite = ?2, checksum = \(table.checksum(["favorite": "?2"])) WHERE id = ?1")
    }
}

extension Statement.Value {
    /// Returns the kind at an index; NULL if the filter has fewer kinds.
    fileprivate static func kind(_ filter: PlaceFilter, _ index: Int) -> Statement.Value {
        filter.kinds.indices.contains(index) ? .text(filter.kinds[index]) : .none
    }
}

extension PlacementHeight {
    /// Height as the columns `height_kind` and `height`. Zero in both means a place without a height, as in earlier
    /// versions; a place intentionally at eye height has its own kind.
    fileprivate var columns: (kind: Int64, metres: Double) {
        switch self {
        case .unstated: (0, 0)
        case .atEye: (4, 0)
        case .eyeRelative(let metres): (0, metres)
        case .groundRelative(let metres): (1, metres)
        case .ellipsoidal(let metres): (2, metres)
        case .meanSeaLevel(let metres): (3, metres)
        case .roofRelative(let metres): (5, metres)
        }
    }

    fileprivate init(kind: Int64, metres: Double) {
        switch kind {
        case 1: self = .groundRelative(metres)
        case 2: self = .ellipsoidal(metres)
        case 3: self = .meanSeaLevel(metres)
        case 5: self = .roofRelative(metres)
        case 0 where metres == 0: self = .unstated
        default: self = .eyeRelative(metres)
        }
    }

    fileprivate var ellipsoidalMetres: Double? {
        guard case .ellipsoidal(let metres) = self else { return nil }
        return metres
    }
}
