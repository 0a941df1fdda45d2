import Geometry
import Model

/// A table of raw samples of force, rate or field, in any unit, whose rows have a time or a constant rate.
///
/// Cells that are `nan` or `inf` are passed on, because a calibration has to detect them.
final class SampleTable: FolderTable {
    /// Source of the instant of a row.
    private enum Clock {
        case seconds
        /// Row number divided by `rate` (Hz). A counter column is not used, because it restarts or jumps in tables
        /// assembled from parts.
        case row(rate: Double)
    }

    private let reader: CSVReader
    private let columns: SampleColumns
    private let clock: Clock
    private let scales: SampleScales
    private var leftOut = LeftOutRows()
    private var goingBack = FlawedRows()
    private var last: BootTime?
    private var rows = 0
    private(set) var measurements: [Measurement] = []

    /// - Parameter rate: rate of tables without a column of seconds. Unit: Hz.
    init(path: String, rate: Double? = nil, scales: SampleScales = SampleScales()) throws(RecordingError) {
        reader = try CSVReader(path: path, times: ["t_s"], numbers: SampleColumns.all, keepsNotFinite: true)
        columns = try SampleColumns(reader)
        self.scales = scales
        clock = try Self.clock(columns, rate, path)
    }

    private static func clock(
        _ columns: SampleColumns, _ rate: Double?, _ path: String
    ) throws(RecordingError) -> Clock {
        if columns.hasTime { return .seconds }
        guard let rate else {
            throw .malformed(
                path: path, line: 1,
                problem: "the column t_s (seconds) is missing; without it the rate of the samples has to be given")
        }
        return .row(rate: rate)
    }

    /// Share that has been read, 0…1.
    var fraction: Double { reader.fraction }

    var warnings: [String] {
        leftOut.warnings(reader, needed: "a time and three axes of one sensor are needed").filter {
            // The warning about cells taken as unknown is dropped, because these cells are passed on.
            !$0.contains("taken as unknown")
        } + backwards
    }

    /// Warning about rows that go back in time. These rows are passed on; calibration sessions omit them or restart.
    private var backwards: [String] {
        let (count, line) = (goingBack.count, goingBack.firstLine)
        return count == 0
            ? [] : ["\(reader.path):\(line): from here on \(count) row(s) are earlier than the row before"]
    }

    // MARK: - Rows

    func next() throws(RecordingError) -> BootTime? {
        while try reader.next() {
            rows += 1
            measurements.removeAll(keepingCapacity: true)
            if let time = time() { appendMeasurements(at: time) }
            guard let time = measurements.first?.time else {
                leftOut.note(reader.line)
                continue
            }
            if let last, time < last { goingBack.note(reader.line) }
            last = time
            return time
        }
        return nil
    }

    private func appendMeasurements(at time: BootTime) {
        if let field = vector(columns.field, scales.field) {
            measurements.append(.magneticField(MagneticSample(time: time, field: field)))
        }
        if let rate = vector(columns.rate, scales.rate) {
            measurements.append(.angularRate(AngularRateSample(time: time, rate: rate)))
        }
        if let force = vector(columns.force, scales.force) {
            measurements.append(.specificForce(SpecificForceSample(time: time, force: force)))
        }
    }

    /// Maximum magnitude, above counts of 48 bits; squares of larger values and their sums would overflow.
    private static let maximum = 1e15

    private func vector(_ column: Int?, _ scale: Double) -> Vector3? {
        guard let column, let vector = reader.vector(column) else { return nil }
        let scaled = scale == 1 ? vector : scale * vector
        return scaled.norm < Self.maximum || !scaled.isFinite ? scaled : Vector3(.infinity, .infinity, .infinity)
    }

    private func time() -> BootTime? {
        switch clock {
        case .seconds: reader.time(0)
        case .row(let rate): BootTime(seconds: Double(rows - 1) / rate)
        }
    }
}

/// Factors from the units of a table to m/s², rad/s and microtesla, if known.
public struct SampleScales: Hashable, Sendable {
    /// Specific force of one unit of the table. Unit: m/s².
    public var force: Double
    /// Angular rate of one unit of the table. Unit: rad/s.
    public var rate: Double
    /// Magnetic flux density of one unit of the table. Unit: microtesla.
    public var field: Double

    /// Makes the factors; the defaults are for tables in SI units and microtesla.
    public init(force: Double = 1, rate: Double = 1, field: Double = 1) {
        self.force = force
        self.rate = rate
        self.field = field
    }
}
