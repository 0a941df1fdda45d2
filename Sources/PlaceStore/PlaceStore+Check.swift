/// Integrity check of the store; for tests, and for diagnosis.
extension PlaceStore {
    /// Flaws of the file, its indexes included; empty when there are none. Takes as long as reading all of it.
    package func flaws() throws(DatabaseError) -> [String] {
        var found: [String] = []
        for query in ["PRAGMA integrity_check", "SELECT rtreecheck('place_box')"] {
            let rows = try database.prepare(query)
            while try rows.step() {
                if rows.text(0) != "ok" { found.append(rows.text(0)) }
            }
        }
        do throws(DatabaseError) {
            // With 1 it compares the index with the table that has the names.
            try database.run("INSERT INTO place_name (place_name, rank) VALUES ('integrity-check', 1)")
        } catch {
            found.append("the name index is inconsistent: \(error.message)")
        }
        let boxes = try database.number(
            "SELECT count(*) FROM place LEFT JOIN place_box USING (number) WHERE place_box.number IS NULL")
        let places = try database.number(
            "SELECT count(*) FROM place_box LEFT JOIN place USING (number) WHERE place.number IS NULL")
        if boxes + places > 0 { found.append("\(boxes) places without a box, \(places) boxes without a place") }
        return found
    }
}
