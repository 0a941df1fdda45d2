import Geometry
import Model

/// Table of a folder, read row by row.
protocol FolderTable: AnyObject {
    /// Advances to the next row with a measurement; returns its time of arrival, nil at the end.
    func next() throws(RecordingError) -> BootTime?
    /// Measurements of the current row in reverse order of delivery.
    var measurements: [Measurement] { get }
    var warnings: [String] { get }
}

/// Number of a table's rows that have a flaw, and the line of the first of these rows.
struct FlawedRows {
    private(set) var count = 0
    private(set) var firstLine = 0

    mutating func note(_ line: Int) {
        if count == 0 { firstLine = line }
        count += 1
    }
}

/// Counts the omitted rows of a table.
struct LeftOutRows {
    private var incomplete = FlawedRows()
    private var outOfRange = FlawedRows()

    /// Counts a row that lacks a cell.
    mutating func note(_ line: Int) { incomplete.note(line) }

    /// Returns whether all measurements of a row are in range; if not, counts the row as omitted.
    mutating func allows(_ measurements: [Measurement], _ line: Int) -> Bool {
        let isAllowed = measurements.allSatisfy(\.isInRange)
        if !isAllowed { outOfRange.note(line) }
        return isAllowed
    }

    func warnings(_ reader: CSVReader, needed: String) -> [String] {
        var warnings: [String] = []
        if incomplete.count > 0 {
            warnings.append(
                "\(reader.path):\(incomplete.firstLine): \(incomplete.count) row(s) left out from here on: \(needed)")
        }
        if outOfRange.count > 0 {
            warnings.append(
                "\(reader.path):\(outOfRange.firstLine): \(outOfRange.count) row(s) left out from here on: "
                    + "beyond the range of any sensor or receiver")
        }
        if reader.notFinite > 0 {
            warnings.append("\(reader.path): \(reader.notFinite) cell(s) that are not finite were taken as unknown")
        }
        if reader.endsInsideRow { warnings.append("\(reader.path):\(reader.line): the file is cut short here") }
        return warnings
    }
}

extension CSVReader {
    /// Vector of three consecutive number columns, starting at an index; nil if one of them is unknown.
    func vector(_ index: Int) -> Vector3? {
        guard let x = number(index), let y = number(index + 1), let z = number(index + 2) else { return nil }
        return Vector3(x, y, z)
    }

    func require(_ columns: [String]) throws(RecordingError) {
        for column in columns where !has(column) {
            throw .malformed(path: path, line: 1, problem: "the column \(column) is missing")
        }
    }
}

/// Table whose rows are delivered in the order of the file.
final class RowTable: FolderTable {
    /// Appends the measurements of the current row in reverse order of delivery; none if the row lacks a cell.
    typealias Row = (CSVReader, inout [Measurement]) -> Void

    let reader: CSVReader
    private let needed: String
    private let row: Row
    private var leftOut = LeftOutRows()
    private(set) var measurements: [Measurement] = []

    /// - Parameter needed: cells that each row needs, as the warning about incomplete rows names them.
    init(_ reader: CSVReader, needed: String, row: @escaping Row) {
        self.reader = reader
        self.needed = needed
        self.row = row
    }

    func next() throws(RecordingError) -> BootTime? {
        while try reader.next() {
            measurements.removeAll(keepingCapacity: true)
            row(reader, &measurements)
            guard let arrival = measurements.first?.arrival else {
                leftOut.note(reader.line)
                continue
            }
            if leftOut.allows(measurements, reader.line) { return arrival }
        }
        return nil
    }

    var warnings: [String] { leftOut.warnings(reader, needed: needed + " are needed") }
}

/// Table whose rows are delivered in the order of their arrival.
final class SortedTable: FolderTable {
    /// Maximum number of rows, which suffices for a day of fixes at 10 Hz, or more than an hour of a camera at 60 Hz.
    /// It is limited because sorting requires holding all rows at once.
    private static let maximumRowCount = 1_000_000

    private let table: RowTable
    private var rows: [Measurement] = []
    private var present = -1

    /// - Parameters:
    ///   - table: table with one measurement for each row.
    ///   - plural: word for the rows of the table in messages, in the plural.
    init(_ table: RowTable, _ plural: String) throws(RecordingError) {
        self.table = table
        while try table.next() != nil {
            guard rows.count < Self.maximumRowCount else {
                throw .malformed(
                    path: table.reader.path, line: table.reader.line,
                    problem: "more than \(Self.maximumRowCount) \(plural)")
            }
            rows += table.measurements
        }
        // The sort is stable: rows that arrive together keep their order.
        let order = rows.indices.sorted { (rows[$0].arrival, $0) < (rows[$1].arrival, $1) }
        rows = order.map { rows[$0] }
    }

    func next() throws(RecordingError) -> BootTime? {
        present += 1
        return present < rows.count ? rows[present].arrival : nil
    }

    var measurements: [Measurement] { [rows[present]] }

    var warnings: [String] { table.warnings }
}

// MARK: - Tables of sensors

extension RowTable {
    static let inertialColumns = ["ax", "ay", "az", "gx", "gy", "gz"]
    static let magneticColumns = ["mx", "my", "mz"]
    static let pressureColumns = ["pressure_hpa", "hpa"]

    /// Table `imu.csv` with t_s, specific force in m/s² and angular rate in rad/s.
    static func inertial(path: String) throws(RecordingError) -> RowTable {
        let reader = try CSVReader(path: path, times: ["t_s"], numbers: inertialColumns)
        try reader.require(["t_s"] + inertialColumns)
        return RowTable(reader, needed: "t_s and three axes of one sensor") { reader, row in
            guard let time = reader.time(0) else { return }
            if let rate = reader.vector(3) { row.append(.angularRate(AngularRateSample(time: time, rate: rate))) }
            if let force = reader.vector(0) {
                row.append(.specificForce(SpecificForceSample(time: time, force: force)))
            }
        }
    }

    /// Table `mag.csv` with t_s and the field in microtesla.
    static func magnetic(path: String) throws(RecordingError) -> RowTable {
        let reader = try CSVReader(path: path, times: ["t_s"], numbers: magneticColumns)
        try reader.require(["t_s"] + magneticColumns)
        return RowTable(reader, needed: "t_s and three axes") { reader, row in
            guard let time = reader.time(0), let field = reader.vector(0) else { return }
            row.append(.magneticField(MagneticSample(time: time, field: field)))
        }
    }

    /// Table `baro.csv` with t_s and the pressure in hectopascal, as `pressure_hpa` or `hpa`.
    static func pressure(path: String) throws(RecordingError) -> RowTable {
        let reader = try CSVReader(path: path, times: ["t_s"], numbers: pressureColumns)
        try reader.require(["t_s", reader.has("hpa") ? "hpa" : "pressure_hpa"])
        return RowTable(reader, needed: "t_s and the pressure") { reader, row in
            guard let time = reader.time(0), let pressure = reader.number(0) ?? reader.number(1) else { return }
            row.append(.pressure(PressureSample(time: time, pressureHectopascal: pressure)))
        }
    }

    /// Maximum number of rows whose unit is checked, which is a few seconds of data of any board.
    private static let maximumCheckedRowCount = 1000
    /// Minimum number of rows for a decision.
    private static let minimumCheckedRowCount = 50

    /// - Throws: if the specific force in most of the first rows has a magnitude that is typical of units of g.
    static func checkUnit(path: String) throws(RecordingError) {
        let table = try inertial(path: path)
        var (count, inG) = (0, 0)
        // Unreadable rows are ignored here, because they are reported when the measurements are read.
        while count < maximumCheckedRowCount, (try? table.next()) != nil {
            guard case .specificForce(let sample)? = table.measurements.last else { continue }
            count += 1
            if MeasurementRange.forceInG.contains(sample.force.norm) { inG += 1 }
        }
        guard count >= minimumCheckedRowCount, inG * 10 > count * 9 else { return }
        throw .malformed(
            path: path, line: 1,
            problem: "the accelerations are in g: multiply ax, ay and az by 9.80665, for m/s², and angular rates in "
                + "degrees per second by 0.0174533")
    }
}
