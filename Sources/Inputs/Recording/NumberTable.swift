import Model

/// Table of numbers beside the sensor tables of a folder, such as the ground truth of a recording: `NAME.csv`, plain or
/// with `.gz`.
package struct NumberTable: Sendable {
    package struct Row: Sendable {
        /// Column `t_s`.
        package let time: BootTime
        /// Values of the wanted columns, in the order in which the columns were named; nil for an empty cell.
        package let values: [Double?]
    }

    /// Rows with a time, in the order of the file.
    package private(set) var rows: [Row] = []

    /// Maximum number of rows of a table.
    private static let maximumRowCount = 10_000_000

    /// Reads a table; nil if the folder has none.
    ///
    /// - Throws: if a file cannot be read or is too long, and if a cell is not a number.
    package init?(_ name: String, in folder: String, columns wanted: [String]) throws(RecordingError) {
        guard let path = SensorFolder.find(name, in: folder) else { return nil }
        let reader = try CSVReader(path: path, times: ["t_s"], numbers: wanted)
        while try reader.next() {
            guard let time = reader.time(0) else { continue }
            guard rows.count < Self.maximumRowCount else {
                throw .cannotRead(path: path, reason: "more than \(Self.maximumRowCount) rows")
            }
            rows.append(Row(time: time, values: wanted.indices.map { reader.number($0) }))
        }
    }
}
