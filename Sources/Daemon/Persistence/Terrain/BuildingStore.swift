import CSQLite
import Geometry
import Glibc
import Linux
import SQLite
import Scene
import Synchronization

/// Buildings in an SQLite file. An R*Tree holds the area in which each building is relevant, and so finds the buildings
/// around a position.
///
/// The first import creates the file, which is opened when it is first needed. A damaged file is moved aside, and its
/// buildings have to be imported again.
///
/// To be used by one thread at a time, which may have to wait for the disk.
package final class BuildingStore: Sendable {
    private let file: WholeFile?
    private let capacity: Int
    /// Locked during each call; only one thread calls.
    private let opened = Mutex<Database?>(nil)
    private let changes = Atomic<UInt64>(0)

    /// Maximum number of buildings that the daemon stores, enough for a large city; some 150 MB for ordinary houses.
    package static let maximumBuildingCount = 500_000
    /// Maximum number of buildings returned around a position.
    private static let maximumNearbyCount = 16_384
    /// Distance that the wearer may move before buildings are read again. Unit: metres.
    package static let step = 200.0
    /// Maximum number of pages of 4 KiB, 1 GiB in all.
    private static let maximumPageCount = 262_144
    private static let schema = """
        CREATE TABLE building (
            id INTEGER PRIMARY KEY, south REAL NOT NULL, north REAL NOT NULL, west REAL NOT NULL, east REAL NOT NULL,
            height REAL NOT NULL, rings BLOB NOT NULL);
        CREATE VIRTUAL TABLE area USING rtree(id, south, north, west, east);
        PRAGMA user_version = \(version);
        """
    private static let version: Int64 = 1

    /// Only notes the path of the file; nil if buildings are not stored, as in a replay.
    package init(path: String?, capacity: Int = BuildingStore.maximumBuildingCount) {
        file = path.map(WholeFile.init)
        self.capacity = capacity
    }

    // MARK: - Changes

    /// Number of imports, removals and losses by damage that may have changed the buildings.
    package var changeCount: UInt64 { changes.load(ordering: .relaxed) }

    private func noteChange() { changes.add(1, ordering: .relaxed) }

    /// Adds all of the given buildings or none, replacing buildings with the same numbers; they are durable once this
    /// returns.
    package func add(_ buildings: [Building]) throws(TerrainStore.Failure) {
        guard let file else { throw .notStored }
        guard !buildings.isEmpty else { return }
        makeFile(file)
        let isAdded = try use(orElse: false) { database throws(DatabaseError) in
            try database.attempt { () throws(DatabaseError) in
                try Self.insert(buildings, database)
                return try Self.count(database) <= capacity
            }
        }
        if !isAdded { throw .tooManyBuildings(capacity) }
        noteChange()
    }

    private func makeFile(_ file: WholeFile) {
        guard !isThere else { return }
        let folder = File.directory(of: file.path)
        let isNew = (try? File.status(of: folder)) == nil
        File.makeDirectory(of: file.path, mode: 0o700)
        _ = try? File.createNew(file.path, mode: 0o600)
        // File and folder are durable only once their parents are synchronized.
        try? File.synchronizeDirectory(of: file.path)
        if isNew { try? File.synchronizeDirectory(of: folder) }
    }

    private static func insert(_ buildings: [Building], _ database: Database) throws(DatabaseError) {
        let insert = try database.prepare("INSERT OR REPLACE INTO building VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        let place = try database.prepare("INSERT OR REPLACE INTO area VALUES (?1, ?2, ?3, ?4, ?5)")
        for building in buildings {
            let (extent, area) = (building.extent, BuildingArea(building))
            try insert.run(
                .integer(building.id), .real(extent.south), .real(extent.north), .real(extent.west), .real(extent.east),
                .real(building.height), .blob(BuildingRings.bytes(building.rings)))
            try place.run(
                .integer(building.id), .real(area.south), .real(area.north), .real(area.west), .real(area.east))
        }
    }

    /// Removes the buildings whose centre is in `cell`, or, if it is nil, all buildings together with the file; returns
    /// the number of removed buildings.
    package func remove(_ cell: TerrainTile.Cell?) throws(TerrainStore.Failure) -> Int {
        guard let file, isThere else { return 0 }
        guard let cell else {
            // A file that cannot be read is also removed.
            let number = try? count()
            opened.withLock { $0 = nil }
            do throws(FileError) {
                try file.remove()
            } catch {
                throw .store("\(file.path) cannot be removed: \(error)")
            }
            return number ?? 0
        }
        let number = try use(orElse: 0) { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                // The bounds are exact tenths of a degree, so that no building falls between two cells.
                let inCell = """
                    SELECT id FROM building
                    WHERE (south + north) / 2 >= \(Double(cell.row - 900) / 10)
                    AND (south + north) / 2 < \(Double(cell.row - 899) / 10)
                    AND (west + east) / 2 >= \(Double(cell.column - 1800) / 10)
                    AND (west + east) / 2 < \(Double(cell.column - 1799) / 10)
                    """
                try database.run("DELETE FROM area WHERE id IN (\(inCell))")
                try database.run("DELETE FROM building WHERE id IN (\(inCell))")
                return database.changes
            }
        }
        if number > 0 { noteChange() }
        return number
    }

    // MARK: - Reading

    package func count() throws(TerrainStore.Failure) -> Int {
        guard isThere else { return 0 }
        return try use(orElse: 0) { database throws(DatabaseError) in try Self.count(database) }
    }

    /// Returns the number of buildings, which is counted in a table of the R*Tree because that table's rows are small.
    private static func count(_ database: Database) throws(DatabaseError) -> Int {
        Int(try database.number("SELECT count(*) FROM area_rowid"))
    }

    /// Returns the height of the highest roof at a position, measured from the ground; nil if there is no building.
    /// Unit: metres.
    package func roof(at position: GeodeticPosition) throws(TerrainStore.Failure) -> Double? {
        guard isThere else { return nil }
        let here = "building.south <= ?1 AND building.north >= ?1 AND building.west <= ?2 AND building.east >= ?2"
        let found = try use(orElse: []) { database throws(DatabaseError) in
            try Self.around(position, and: here, maximumCornerCount: .max, database)
        }
        return found.filter { $0.contains(position) }.map(\.height).max()
    }

    /// Returns the buildings that are relevant at a position or up to `step` away from it, nearest first; nil if there
    /// are none. A failure is thrown and also logged.
    package func buildings(around position: GeodeticPosition) throws(TerrainStore.Failure) -> Buildings? {
        guard isThere else { return nil }
        do throws(TerrainStore.Failure) {
            let found = try use(orElse: []) { database throws(DatabaseError) in
                try Self.around(position, and: "true", maximumCornerCount: Buildings.maximumVertexCount, database)
            }
            return found.isEmpty ? nil : Buildings(found, around: position)
        } catch {
            Self.log.write(.error, "the stored buildings cannot be read: \(error)")
            throw error
        }
    }

    private static let log = LogLimiter("buildings", lines: 1, interval: 60_000_000_000)

    private static func around(
        _ position: GeodeticPosition, and condition: String, maximumCornerCount: Int, _ database: Database
    ) throws(DatabaseError) -> [Building] {
        let find = try database.prepare(
            """
            SELECT building.id, height, rings FROM area JOIN building ON building.id = area.id
            WHERE area.south <= ?1 AND area.north >= ?1 AND area.west <= ?2 AND area.east >= ?2 AND \(condition)
            ORDER BY (building.south - ?1) * (building.south - ?1)
                + ?3 * (building.west - ?2) * (building.west - ?2), building.id
            LIMIT \(maximumNearbyCount)
            """)
        let shrink = cos(position.latitudeDegrees * .pi / 180)
        var (found, corners): ([Building], Int) = ([], 0)
        var east = position.longitudeDegrees
        east -= 360 * (east / 360).rounded()
        // Areas may extend across the antimeridian.
        for turn in [0.0, -360, 360] where (east + turn).magnitude < 190 {
            try find.bind(.real(position.latitudeDegrees), .real(east + turn), .real(shrink * shrink))
            while corners <= maximumCornerCount, try find.step() {
                guard let rings = BuildingRings.rings(find.blob(2)),
                    let building = Building(id: find.integer(0), rings: rings, height: find.real(1))
                else {
                    log.write(.error, "\(database.path): the building \(find.integer(0)) is damaged, import it again")
                    continue
                }
                corners += rings.reduce(0) { $0 + $1.count }
                found.append(building)
            }
            find.reset()
        }
        return found
    }

    // MARK: - File

    private var isThere: Bool { file.map { (try? File.status(of: $0.path)) != nil } ?? false }

    /// Runs work on the open database; returns `nothing` if buildings are not stored. A damaged file is moved aside,
    /// and an error is thrown.
    private func use<Value: Sendable>(
        orElse nothing: Value, _ work: (Database) throws(DatabaseError) -> Value
    ) throws(TerrainStore.Failure) -> Value {
        guard let file else { return nothing }
        return try opened.withLock { opened throws(TerrainStore.Failure) in
            do throws(DatabaseError) {
                if opened == nil { opened = try Self.open(file.path) }
                return try work(opened!)
            } catch {
                opened = nil
                guard error.meansDamage else { throw .store("\(error)") }
                setAside(file, error)
                throw .store("\(file.path) was damaged, and is now \(file.damagedPath): import the buildings again")
            }
        }
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(path: path)
        try database.run("PRAGMA synchronous = EXTRA; PRAGMA cell_size_check = ON; PRAGMA cache_size = -1024")
        _ = try database.number("PRAGMA max_page_count = \(maximumPageCount)")
        let present = try database.number("PRAGMA user_version")
        guard present <= version else {
            throw DatabaseError(path: path, message: "written by a newer Waymark", code: SQLITE_ERROR)
        }
        if present == 0 {
            try database.transaction { () throws(DatabaseError) in try database.run(schema) }
        }
        return database
    }

    private func setAside(_ file: WholeFile, _ error: DatabaseError) {
        do throws(FileError) {
            try file.setAside()
            noteChange()
            Log.error(
                "\(file.path) is damaged and was moved to \(file.damagedPath), import the buildings again: \(error)")
        } catch let failure {
            Log.error("\(file.path) is damaged and cannot be moved away (\(failure)): \(error)")
        }
    }
}

/// Area of positions at which a building is relevant, including the distance that the wearer may move. Unit: degrees.
private struct BuildingArea {
    let south: Double
    let north: Double
    let west: Double
    let east: Double

    init(_ building: Building) {
        let reach = Building.reach(height: building.height) + BuildingStore.step
        let high = reach / (Ellipsoid.semiMajorAxis * .pi / 180)
        let extent = building.extent
        let wide = min(10, high / max(0.01, cos(extent.north * .pi / 180)))
        (south, north, west, east) = (extent.south - high, extent.north + high, extent.west - wide, extent.east + wide)
    }
}

/// Encoding of a building's rings in the store: for each ring the number of its corners, in 16 bits, and their
/// latitudes and longitudes, each in 32 bits, little-endian.
private enum BuildingRings {
    static func bytes(_ rings: [[Building.Vertex]]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: UInt32, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(index)))) }
        }
        for ring in rings {
            append(UInt32(ring.count), 2)
            for corner in ring {
                append(UInt32(bitPattern: corner.latitude), 4)
                append(UInt32(bitPattern: corner.longitude), 4)
            }
        }
        return bytes
    }

    /// Returns nil if the bytes do not encode rings.
    static func rings(_ bytes: [UInt8]) -> [[Building.Vertex]]? {
        var rings: [[Building.Vertex]] = []
        var offset = 0
        func number(_ count: Int) -> UInt32? {
            guard offset + count <= bytes.count else { return nil }
            defer { offset += count }
            return (0..<count).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        while offset < bytes.count {
            guard let count = number(2) else { return nil }
            var ring: [Building.Vertex] = []
            for _ in 0..<count {
                guard let latitude = number(4), let longitude = number(4) else { return nil }
                ring.append(
                    Building.Vertex(
                        latitude: Int32(bitPattern: latitude), longitude: Int32(bitPattern: longitude)))
            }
            rings.append(ring)
        }
        return rings
    }
}
