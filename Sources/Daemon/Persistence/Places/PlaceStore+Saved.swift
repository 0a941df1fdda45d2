import Scene
import SQLite

/// Stored filters: the active filter, and filters saved under a name.
extension PlaceStore {
    package static let maximumFilterCount = 100

    /// Filter saved under a name.
    package struct SavedFilter: Equatable, Sendable {
        package let name: String
        package let filter: PlaceFilter
    }

    /// Name under which the active filter is stored. No saved filter may have it.
    private static let inUse = ""

    /// Returns the active filter; nil until one has been set.
    package func filterInUse() throws(DatabaseError) -> PlaceFilter? { try filter(Self.inUse) }

    /// Returns the saved filter of this name; nil if there is none.
    package func filter(named name: String) throws(DatabaseError) -> PlaceFilter? {
        name == Self.inUse ? nil : try filter(name)
    }

    /// Returns the saved filters, sorted by name.
    package func savedFilters() throws(DatabaseError) -> [SavedFilter] {
        let rows = try database.prepare(
            "SELECT \(ProtectedTable.filter.selection) FROM filter WHERE name <> '' ORDER BY name")
        var found: [SavedFilter] = []
        while try rows.step() {
            guard isSound(rows, .filter) else { continue }
            found.append(SavedFilter(name: rows.text(0), filter: Self.filter(rows)))
        }
        return found
    }

    /// Activates a filter, and saves it if a name is given. Returns false and changes nothing if the maximum number of
    /// other filters is saved already.
    package func use(_ filter: PlaceFilter, savingAs name: String? = nil) throws(DatabaseError) -> Bool {
        try change { () throws(DatabaseError) in
            if let name {
                let others = try database.prepare("SELECT count(*) FROM filter WHERE name <> '' AND name <> ?")
                try others.bind(.text(name))
                guard try others.step(), others.integer(0) < Self.maximumFilterCount else { return false }
                others.reset()
                try keep(filter, name)
            }
            try keep(filter, Self.inUse)
            return true
        }
    }

    /// Deletes a saved filter; returns false if there is none with that name.
    package func removeFilter(named name: String) throws(DatabaseError) -> Bool {
        guard name != Self.inUse else { return false }
        return try change { () throws(DatabaseError) in
            try database.prepare("DELETE FROM filter WHERE name = ?").run(.text(name))
            return database.changes > 0
        }
    }

    private func keep(_ filter: PlaceFilter, _ name: String) throws(DatabaseError) {
        try database.prepare("INSERT OR REPLACE \(ProtectedTable.filter.insertion)").run(
            .text(name), .text(TagText.writeList(filter.kinds)), .real(filter.radiusMetres),
            .integer(filter.favoritesOnly ? 1 : 0))
    }

    private func filter(_ name: String) throws(DatabaseError) -> PlaceFilter? {
        let row = try database.prepare("SELECT \(ProtectedTable.filter.selection) FROM filter WHERE name = ?")
        try row.bind(.text(name))
        guard try row.step(), isSound(row, .filter), row.text(0) == name else { return nil }
        return Self.filter(row)
    }

    private static func filter(_ row: Statement) -> PlaceFilter {
        PlaceFilter(
            kinds: TagText.readList(row.text(1)), radiusMetres: row.real(2), favoritesOnly: row.integer(3) != 0)
    }
}

/// Anchors of clients, stored so that they outlive the daemon. Clients determine their content.
extension PlaceStore {
    /// Stored anchor, which is any text under its id.
    package struct StoredAnchor: Equatable, Sendable {
        package let id: String
        package let document: String

        package init(id: String, document: String) {
            self.id = id
            self.document = document
        }
    }

    /// Returns the stored anchors, sorted by id.
    package func anchors() throws(DatabaseError) -> [StoredAnchor] {
        let rows = try database.prepare("SELECT \(ProtectedTable.anchor.selection) FROM anchor ORDER BY id")
        var found: [StoredAnchor] = []
        while try rows.step() {
            guard isSound(rows, .anchor) else { continue }
            found.append(StoredAnchor(id: rows.text(0), document: rows.text(1)))
        }
        return found
    }

    /// Stores an anchor; replaces one with the same id.
    package func keep(_ anchor: StoredAnchor) throws(DatabaseError) {
        try change { () throws(DatabaseError) in
            try database.prepare("INSERT OR REPLACE \(ProtectedTable.anchor.insertion)").run(
                .text(anchor.id), .text(anchor.document))
        }
    }

    /// Deletes an anchor; returns false if there is none with that id.
    package func removeAnchor(_ id: String) throws(DatabaseError) -> Bool {
        try change { () throws(DatabaseError) in
            try database.prepare("DELETE FROM anchor WHERE id = ?").run(.text(id))
            return database.changes > 0
        }
    }
}
