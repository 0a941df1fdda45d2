import SQLite

/// Table in which each row has a checksum of all its other columns (`row_checksum`). The statement that changes a row
/// computes it. A row that does not match its checksum is damaged, and is not used as a place, filter or anchor.
package enum ProtectedTable: String, CaseIterable {
    case place, filter, anchor

    /// Columns, except row number and checksum.
    var columns: [String] {
        switch self {
        case .place:
            [
                "id", "name", "kind", "latitude", "longitude", "height_kind", "height", "tags", "favorite", "source",
                "visit",
            ]
        case .filter: ["name", "kinds", "radius", "favorites"]
        case .anchor: ["id", "document"]
        }
    }

    /// Index in `selection` of the flag that marks an intact row: 1 if it is intact, 0 if not.
    var soundness: Int32 { Int32(columns.count) }

    /// All columns, followed by a flag that says whether they match the checksum.
    var selection: String { selection(isSound) }

    func selection(_ isSound: String) -> String { columns.joined(separator: ", ") + ", " + isSound }

    var isSound: String { "checksum IS \(checksum())" }

    /// Returns the checksum as an SQL expression. The expressions in `values` stand in place of columns.
    func checksum(_ values: [String: String] = [:]) -> String {
        "row_checksum(\(columns.map { values[$0] ?? $0 }.joined(separator: ", ")))"
    }

    /// End of an INSERT statement whose parameters, counted from 1, are the columns.
    var insertion: String {
        let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "INTO \(self) (\(columns.joined(separator: ", ")), checksum) VALUES (\(values), row_checksum(\(values)))"
    }

    /// Statement that recomputes all checksums.
    var protection: String { "UPDATE \(self) SET checksum = \(checksum());" }

    /// Returns the number of damaged rows in all tables. Reads every row.
    package static func damagedRows(_ database: Database) throws(DatabaseError) -> Int {
        var count: Int64 = 0
        for table in allCases {
            count += try database.number("SELECT count(*) FROM \(table) WHERE NOT (\(table.isSound))")
        }
        return Int(count)
    }
}
