import Geometry
import Model

/// Counts the omitted rows of a table, with the line of the first one.
struct LeftOutRows {
    private struct Rows {
        var count = 0
        var firstLine = 0

        mutating func note(_ line: Int) {
            if count == 0 { firstLine = line }
            count += 1
        }
    }

    private var incomplete = Rows()
    private var outOfRange = Rows()

    /// Counts a row that lacks a cell.
    mutating func note(_ line: Int) { incomplete.note(line) }

    /// Whether all measurements of a row are in range; otherwise counts it as omitted.
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
    /// Three number columns, beginning at an index, as a vector; nil if one of them is unknown.
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

/// `imu.csv`: t_s, specific force in m/s², angular rate in rad/s.
final class InertialTable: FolderTable {
    static let columns = ["ax", "ay", "az", "gx", "gy", "gz"]

    private let reader: CSVReader
    private var leftOut = LeftOutRows()
    private(set) var measurements: [Measurement] = []

    init(path: String) throws(RecordingError) {
        reader = try CSVReader(path: path, times: ["t_s"], numbers: Self.columns)
        try reader.require(["t_s"] + Self.columns)
    }

    func next() throws(RecordingError) -> BootTime? {
        while try reader.next() {
            guard let time = reader.time(0), reader.vector(0) != nil || reader.vector(3) != nil else {
                leftOut.note(reader.line)
                continue
            }
            measurements.removeAll(keepingCapacity: true)
            if let rate = reader.vector(3) {
                measurements.append(.angularRate(AngularRateSample(time: time, rate: rate)))
            }
            if let force = reader.vector(0) {
                measurements.append(.specificForce(SpecificForceSample(time: time, force: force)))
            }
            if leftOut.allows(measurements, reader.line) { return time }
        }
        return nil
    }

    var warnings: [String] { leftOut.warnings(reader, needed: "t_s and three axes of one sensor are needed") }
}

extension InertialTable {
    /// Maximum number of rows that are checked: seconds of any board.
    private static let rows = 1000
    /// Minimum number of rows for a decision.
    private static let minimumRowCount = 50

    /// - Throws: if the specific force of most of the first rows has a magnitude that is typical of g as the unit.
    static func checkUnit(path: String) throws(RecordingError) {
        let table = try InertialTable(path: path)
        var (count, inG) = (0, 0)
        // Rows that cannot be read are reported when the measurements are read.
        while count < rows, (try? table.next()) != nil {
            guard case .specificForce(let sample)? = table.measurements.last else { continue }
            count += 1
            if MeasurementRange.forceInG.contains(sample.force.norm) { inG += 1 }
        }
        guard count >= minimumRowCount, inG * 10 > count * 9 else { return }
        throw .malformed(
            path: path, line: 1,
            problem: "the accelerations are in g: multiply ax, ay and az by 9.80665, for m/s², and angular rates in "
                + "degrees per second by 0.0174533")
    }
}

/// `mag.csv`: t_s and the field in microtesla.
final class MagneticTable: FolderTable {
    static let columns = ["mx", "my", "mz"]

    private let reader: CSVReader
    private var leftOut = LeftOutRows()
    private(set) var measurements: [Measurement] = []

    init(path: String) throws(RecordingError) {
        reader = try CSVReader(path: path, times: ["t_s"], numbers: Self.columns)
        try reader.require(["t_s"] + Self.columns)
    }

    func next() throws(RecordingError) -> BootTime? {
        while try reader.next() {
            guard let time = reader.time(0), let field = reader.vector(0) else {
                leftOut.note(reader.line)
                continue
            }
            measurements = [.magneticField(MagneticSample(time: time, field: field))]
            if leftOut.allows(measurements, reader.line) { return time }
        }
        return nil
    }

    var warnings: [String] { leftOut.warnings(reader, needed: "t_s and three axes are needed") }
}

/// `baro.csv`: t_s and the pressure in hectopascal, as `pressure_hpa` or `hpa`.
final class PressureTable: FolderTable {
    static let columns = ["pressure_hpa", "hpa"]

    private let reader: CSVReader
    private var leftOut = LeftOutRows()
    private(set) var measurements: [Measurement] = []

    init(path: String) throws(RecordingError) {
        reader = try CSVReader(path: path, times: ["t_s"], numbers: Self.columns)
        try reader.require(["t_s", reader.has("hpa") ? "hpa" : "pressure_hpa"])
    }

    func next() throws(RecordingError) -> BootTime? {
        while try reader.next() {
            guard let time = reader.time(0), let pressure = reader.number(0) ?? reader.number(1) else {
                leftOut.note(reader.line)
                continue
            }
            measurements = [.pressure(PressureSample(time: time, pressureHectopascal: pressure))]
            if leftOut.allows(measurements, reader.line) { return time }
        }
        return nil
    }

    var warnings: [String] { leftOut.warnings(reader, needed: "t_s and the pressure are needed") }
}
