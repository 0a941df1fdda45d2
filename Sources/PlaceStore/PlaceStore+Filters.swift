import Scene

/// Filters that are kept: the one in use, and those saved under a name.
extension PlaceStore {
    /// Maximum number of saved filters.
    package static let mostFilters = 100

    /// A filter under its name.
    package struct SavedFilter: Equatable, Sendable {
        package let name: String
        package let filter: PlaceFilter
    }

    /// The one in use keeps itself under no name.
    private static let inUse = ""

    /// The filter in use; nil until one has been set.
    package func filterInUse() throws(DatabaseError) -> PlaceFilter? { try filter(Self.inUse) }

    /// Saved filter of this name; nil where there is none.
    package func filter(named name: String) throws(DatabaseError) -> PlaceFilter? {
        name == Self.inUse ? nil : try filter(name)
    }

    /// Saved filters, by name.
    package func savedFilters() throws(DatabaseError) -> [SavedFilter] {
        let rows = try database.prepare(
            "SELECT kinds, radius, favorites, name FROM filter WHERE name <> '' ORDER BY name")
        var found: [SavedFilter] = []
        while try rows.step() { found.append(SavedFilter(name: rows.text(3), filter: Self.filter(rows))) }
        return found
    }

    /// Takes a filter into use, and saves it under a name where one is given; false, and nothing done, when there is no
    /// room for one more.
    package func use(_ filter: PlaceFilter, savingAs name: String? = nil) throws(DatabaseError) -> Bool {
        try change { () throws(DatabaseError) in
            if let name {
                let others = try database.prepare("SELECT count(*) FROM filter WHERE name <> '' AND name <> ?")
                try others.bind(.text(name))
                guard try others.step(), others.integer(0) < Self.mostFilters else { return false }
                others.reset()
                try keep(filter, name)
            }
            try keep(filter, Self.inUse)
            return true
        }
    }

    /// Forgets a saved filter; false when there is none of that name.
    package func removeFilter(named name: String) throws(DatabaseError) -> Bool {
        guard name != Self.inUse else { return false }
        return try change { () throws(DatabaseError) in
            try database.prepare("DELETE FROM filter WHERE name = ?").run(.text(name))
            return database.changes > 0
        }
    }

    private func keep(_ filter: PlaceFilter, _ name: String) throws(DatabaseError) {
        try database.prepare("INSERT OR REPLACE INTO filter (name, kinds, radius, favorites) VALUES (?, ?, ?, ?)").run(
            .text(name), .text(TagText.writeList(filter.kinds)), .real(filter.radiusMetres),
            .integer(filter.favoritesOnly ? 1 : 0))
    }

    private func filter(_ name: String) throws(DatabaseError) -> PlaceFilter? {
        let row = try database.prepare("SELECT kinds, radius, favorites FROM filter WHERE name = ?")
        try row.bind(.text(name))
        return try row.step() ? Self.filter(row) : nil
    }

    private static func filter(_ row: Statement) -> PlaceFilter {
        PlaceFilter(
            kinds: TagText.readList(row.text(0)), radiusMetres: row.real(1), favoritesOnly: row.integer(2) != 0)
    }
}
