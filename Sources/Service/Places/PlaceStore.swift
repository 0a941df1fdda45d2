import Geodesy
import Scene

/// The places that are known, found by where they are through an R*Tree.
public final class PlaceStore {
    private let database: Database
    private let insertPlace: Statement
    private let insertBox: Statement
    private let search: Statement

    /// - Parameter path: of the database file, or `:memory:` for a store that ends with the program.
    public init(path: String = ":memory:") throws(DatabaseError) {
        database = try Database(path: path)
        // WAL: what a transaction committed survives the loss of power, and readers do not wait.
        try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS place (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                latitude REAL NOT NULL,
                longitude REAL NOT NULL,
                height REAL NOT NULL);
            CREATE VIRTUAL TABLE IF NOT EXISTS place_box USING rtree(number, south, north, west, east);
            """)
        insertPlace = try database.prepare(
            """
            INSERT INTO place (id, name, kind, latitude, longitude, height) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, latitude = excluded.latitude,
                longitude = excluded.longitude, height = excluded.height
            RETURNING number
            """)
        insertBox = try database.prepare("INSERT OR REPLACE INTO place_box VALUES (?, ?, ?, ?, ?)")
        search = try database.prepare(
            """
            SELECT id, name, kind, latitude, longitude, height FROM place JOIN place_box USING (number)
            WHERE south <= ?1 AND north >= ?2 AND west <= ?3 AND east >= ?4
            ORDER BY (latitude - ?5) * (latitude - ?5) + (longitude - ?6) * (longitude - ?6) * ?7 LIMIT ?8
            """)
    }

    /// Adds places, all or none; one with the same id is replaced.
    public func insert(_ places: [Place]) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for place in places { try insert(place) }
        }
    }

    private func insert(_ place: Place) throws(DatabaseError) {
        let (latitude, longitude) = (
            place.position.latitudeDegrees, normalizedLongitude(place.position.longitudeDegrees)
        )
        try insertPlace.bind(
            .text(place.id), .text(place.name), .text(place.kind), .real(latitude), .real(longitude),
            .real(place.position.ellipsoidalHeight))
        guard try insertPlace.step() else { return }
        let number = insertPlace.integer(0)
        while try insertPlace.step() {}
        try insertBox.bind(.integer(number), .real(latitude), .real(latitude), .real(longitude), .real(longitude))
        while try insertBox.step() {}
    }

    /// Places in a box around a position that holds the circle of `radius` metres, the `limit` nearest of them.
    public func around(_ center: GeodeticPosition, radius: Double, limit: Int) throws(DatabaseError) -> [Place] {
        // A degree of latitude is never shorter than 110.5 km on WGS84.
        let latitudeReach = min(radius / 110_500, 90)
        let parallel = max(cosineOfDegrees(min(center.latitudeDegrees.magnitude + latitudeReach, 90)), 1e-6)
        let longitudeReach = min(latitudeReach / parallel, 180)
        let longitude = normalizedLongitude(center.longitudeDegrees)
        var places: [Place] = []
        // A box over the antimeridian lies on the other side too.
        for shift in [0.0, -360, 360] {
            let (west, east) = (longitude + shift - longitudeReach, longitude + shift + longitudeReach)
            guard west <= 180, east >= -180, places.count < limit else { continue }
            try search.bind(
                .real(center.latitudeDegrees + latitudeReach), .real(center.latitudeDegrees - latitudeReach),
                .real(east), .real(west), .real(center.latitudeDegrees), .real(longitude + shift),
                .real(parallel * parallel), .integer(Int64(limit - places.count)))
            while try search.step() {
                if let place = currentPlace() { places.append(place) }
            }
        }
        return places
    }

    private func currentPlace() -> Place? {
        let position = GeodeticPosition(
            latitudeDegrees: search.real(3), longitudeDegrees: search.real(4), ellipsoidalHeight: search.real(5))
        guard let position else { return nil }
        return Place(id: search.text(0), name: search.text(1), kind: search.text(2), position: position)
    }
}
