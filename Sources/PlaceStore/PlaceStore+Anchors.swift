/// Anchors of the clients' own that outlive the daemon; what they say is theirs who place them.
extension PlaceStore {
    /// An anchor as it is kept: any text under its id.
    package struct KeptAnchor: Equatable, Sendable {
        package let id: String
        package let document: String

        package init(id: String, document: String) {
            self.id = id
            self.document = document
        }
    }

    /// All that are kept, by id.
    package func anchors() throws(DatabaseError) -> [KeptAnchor] {
        let rows = try database.prepare("SELECT id, document FROM anchor ORDER BY id")
        var found: [KeptAnchor] = []
        while try rows.step() { found.append(KeptAnchor(id: rows.text(0), document: rows.text(1))) }
        return found
    }

    /// Keeps an anchor; one with the same id is replaced.
    package func keep(_ anchor: KeptAnchor) throws(DatabaseError) {
        try change { () throws(DatabaseError) in
            try database.prepare("INSERT OR REPLACE INTO anchor (id, document) VALUES (?, ?)").run(
                .text(anchor.id), .text(anchor.document))
        }
    }

    /// Forgets an anchor; false when there is none of that id.
    package func removeAnchor(_ id: String) throws(DatabaseError) -> Bool {
        try change { () throws(DatabaseError) in
            try database.prepare("DELETE FROM anchor WHERE id = ?").run(.text(id))
            return database.changes > 0
        }
    }
}
