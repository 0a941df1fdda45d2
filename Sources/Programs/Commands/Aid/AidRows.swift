import Recording
import WaymarkClient
import WaymarkInterface

/// Converts the rows of a table of aid measurements to calls of org.waymark.Aid.
package struct AidRows {
    /// Reason why a row, or the header, cannot be used.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    package let kind: AidTableKind
    /// Index of each column, by name.
    private let columns: [String: Int]
    private let count: Int

    private static let maximumColumnCount = 256

    /// Reads the header of a table, which names the columns.
    ///
    /// - Parameter kind: kind of the measurements; nil to determine it from the columns.
    package init(header: String, kind: AidTableKind?) throws(Problem) {
        let names = Self.cells(header)
        guard names.count <= Self.maximumColumnCount else {
            throw Problem("more than \(Self.maximumColumnCount) columns")
        }
        columns = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        count = names.count
        let known = columns
        let fitting = AidTableKind.allCases.filter { $0.needed.allSatisfy { known[$0] != nil } }
        guard let kind = kind ?? fitting.max(by: { $0.needed.count < $1.needed.count }) else {
            throw Problem("the columns belong to no kind of measurement; give one with --kind")
        }
        self.kind = kind
        let missing = kind.needed.filter { known[$0] == nil }
        guard missing.isEmpty else {
            throw Problem("missing columns of \(kind.word.description): \(missing.joined(separator: ", "))")
        }
    }

    /// Returns the times at which the measurement in a row was made and arrived; nil for an empty cell or a missing
    /// column. Unit: nanoseconds.
    package func times(_ line: String) throws(Problem) -> (measured: Int64?, arrived: Int64?) {
        let row = try row(line)
        return (try row.time("t_s"), try row.time("arrival_s"))
    }

    /// Returns the call that offers the measurement in a row.
    ///
    /// - Parameter time: time of the measurement. Unit: nanoseconds of CLOCK_BOOTTIME.
    package func offer(_ line: String, of source: String, at time: Int64) throws(Problem) -> any InterfaceMethod {
        let row = try row(line)
        let time = Waymark.Time(nanoseconds: time)
        switch kind {
        case .odometry:
            let reset = try row.number("reset")
            guard let number = Int(exactly: reset ?? 0) else { throw Problem("reset is no whole number") }
            return AidInterface.OfferOdometry(
                source: source, time: time,
                position: AidInterface.Vector(x: try row["x_m"], y: try row["y_m"], z: try row["z_m"]),
                orientation: AidInterface.Quaternion(
                    x: try row["qx"], y: try row["qy"], z: try row["qz"], w: try row["qw"]),
                reset: reset == nil ? nil : number, tracking: try row.number("tracking"))
        case .position:
            return AidInterface.OfferPosition(
                source: source, time: time, position: try row.location(), horizontalAccuracy: try row["hacc_m"],
                verticalAccuracy: try row.number("vacc_m"))
        case .sighting: return try sighting(row, of: source, at: time)
        case .range:
            return AidInterface.OfferRange(
                source: source, time: time,
                beacon: AidInterface.Geo(
                    latitude: try row["lat_deg"], longitude: try row["lon_deg"], height: try row["alt_m"]),
                range: try row["range_m"], accuracy: try row["sd_m"])
        case .heading:
            return AidInterface.OfferHeading(
                source: source, time: time, heading: try row["heading_deg"], accuracy: try row["sd_deg"])
        case .height:
            return AidInterface.OfferHeight(
                source: source, time: time, height: try row["alt_m"], accuracy: try row["sd_m"])
        }
    }

    private func sighting(
        _ row: Row, of source: String, at time: Waymark.Time
    ) throws(Problem) -> AidInterface.OfferSighting {
        let target = row.text("target")
        guard [nil, "sun", "landmark"].contains(target) else { throw Problem("target is neither landmark nor sun") }
        let isSun = target == "sun"
        return AidInterface.OfferSighting(
            source: source, time: time,
            direction: AidInterface.Vector(x: try row["dx"], y: try row["dy"], z: try row["dz"]),
            point: isSun ? nil : try row.location(), sun: isSun ? true : nil, accuracy: try row["sd_deg"])
    }

    private func row(_ line: String) throws(Problem) -> Row {
        let cells = Self.cells(line)
        guard cells.count == count else {
            throw Problem("\(cells.count) cells where the header has \(count)")
        }
        return Row(cells: cells, columns: columns)
    }

    private static func cells(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension AidTableKind {
    /// The interface's name of this kind.
    package var word: AidInterface.AidKind {
        switch self {
        case .odometry: .odometry
        case .position: .position
        case .sighting: .sighting
        case .range: .range
        case .heading: .heading
        case .height: .height
        }
    }
}

/// Cells of a row, by column name.
private struct Row {
    let cells: [String]
    let columns: [String: Int]

    /// Returns the content of a cell; nil if the cell is empty or the column is missing.
    func text(_ name: String) -> String? { columns[name].map { cells[$0] }.flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String) throws(AidRows.Problem) -> Double? {
        guard let text = text(name) else { return nil }
        guard text.utf8.allSatisfy({ Self.decimal.contains($0) }), let number = Double(text), number.isFinite else {
            throw AidRows.Problem("\(name) is no number: '\(text.prefix(Self.maximumQuoteLength))'")
        }
        return number
    }

    /// Number in a column whose cells must not be empty.
    subscript(name: String) -> Double {
        get throws(AidRows.Problem) {
            guard let number = try number(name) else { throw AidRows.Problem("\(name) is empty") }
            return number
        }
    }

    /// Reads a time that is given in seconds, exact to the nanosecond; nil for an empty cell or a missing column. Unit
    /// of the result: nanoseconds.
    func time(_ name: String) throws(AidRows.Problem) -> Int64? {
        guard let text = text(name) else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1].prefix(9) : ""
        let digits = "\(parts[0])\(fraction)" + String(repeating: "0", count: 9 - fraction.utf8.count)
        guard !parts[0].isEmpty, parts.joined().utf8.allSatisfy({ Self.digits.contains($0) }),
            let magnitude = Int64(digits), magnitude <= Self.latest
        else { throw AidRows.Problem("\(name) is no time in seconds: '\(text.prefix(Self.maximumQuoteLength))'") }
        return isNegative ? -magnitude : magnitude
    }

    /// Returns the location in the row, with a height if the row has one.
    func location() throws(AidRows.Problem) -> AidInterface.Location {
        AidInterface.Location(
            latitude: try self["lat_deg"], longitude: try self["lon_deg"], height: try number("alt_m"))
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let decimal = Set("0123456789.+-eE".utf8)
    /// Maximum number of characters of a cell that a message quotes.
    private static let maximumQuoteLength = 40
    /// Maximum time: 126 years, so that the sum of two times does not overflow. Unit: nanoseconds.
    private static let latest: Int64 = 4_000_000_000_000_000_000
}
