import Geometry
import Linux
import Model

/// A folder of sensor tables as a sequence of measurements: `imu.csv` and, if present, `mag.csv`, `baro.csv`,
/// `gnss.csv` and the tables of aid measurements (`AidTableKind`), each plain or with `.gz`.
///
/// Rows of all tables are merged by their time of arrival, which is `arrival_s` if a fix has it and `t_s` otherwise. At
/// equal times the order is specific force, angular rate, magnetic field, pressure, fix, aid measurements. Rows of one
/// table keep their order, so that a clock that stepped back reaches the engine as it did live. Only fixes and aid
/// measurements are sorted. Clock ticks are inserted at 1 Hz. A magnetic field in a unit other than microtesla is
/// passed on unchanged.
///
/// A `meta.json` beside the tables may declare the magnetometer calibrated. The first measurement is then a calibration
/// with the time of the first row. It changes no value and states that a hard iron of 1 µT per axis remains. An invalid
/// file is ignored, with a warning.
public final class SensorFolder: MeasurementReader {
    private var sources: [any FolderTable] = []
    private var heads: [(arrival: BootTime, table: Int)] = []
    private var pending: [Measurement] = []
    private var clock = FolderClock()
    private var notes: [String] = []

    /// - Throws: if the folder or its `imu.csv` cannot be read, or a header lacks a column.
    public init(path: String) throws(RecordingError) {
        guard let imu = SensorFolder.find("imu", in: path) else {
            throw .notARecording(path: path, reason: "it has no imu.csv or imu.csv.gz")
        }
        try RowTable.checkUnit(path: imu)
        sources.append(try RowTable.inertial(path: imu))
        if let mag = SensorFolder.find("mag", in: path) {
            sources.append(try RowTable.magnetic(path: mag))
        } else if SensorFolder.find("mag_uncalibrated", in: path) != nil {
            notes.append("\(path): mag_uncalibrated.csv is not read; name it mag.csv to use it as it is")
        }
        if let baro = SensorFolder.find("baro", in: path) { sources.append(try RowTable.pressure(path: baro)) }
        if let gnss = SensorFolder.find("gnss", in: path) { sources.append(try SortedTable.fixes(path: gnss)) }
        for kind in AidTableKind.allCases {
            guard let path = SensorFolder.find(kind.table, in: path) else { continue }
            sources.append(try SortedTable.aids(kind, path: path))
        }
        for index in sources.indices { try advance(index) }
        let meta = FolderMeta(folder: path)
        if let warning = meta.warning { notes.append(warning) }
        guard let start = heads.map(\.arrival).min() else { return }
        pending = meta.calibrations(at: start).map { .calibration($0) }
    }

    /// Merges the given tables; no `meta.json` is read.
    init(tables: [any FolderTable]) throws(RecordingError) {
        sources = tables
        for index in sources.indices { try advance(index) }
    }

    /// Flaws of folder and tables that did not make them useless; complete at the end.
    public var warnings: [String] { notes + sources.flatMap { $0.warnings } }

    /// Next measurement in the order of arrival, with clock ticks in between; nil at the end.
    public func next() throws(RecordingError) -> Measurement? {
        if let measurement = pending.popLast() { return measurement }
        // There are ten tables at most, so a linear search is as fast as any heap.
        guard let first = heads.indices.min(by: { heads[$0] < heads[$1] }) else { return nil }
        if let tick = clock.tick(before: heads[first].arrival) { return .clock(tick) }
        let index = heads.remove(at: first).table
        pending = sources[index].measurements
        try advance(index)
        return pending.popLast()
    }

    private func advance(_ index: Int) throws(RecordingError) {
        if let arrival = try sources[index].next() { heads.append((arrival, index)) }
    }

    /// Columns that are read from each table, by its name without ".csv".
    package static let columns: [(table: String, columns: [String])] =
        [
            ("imu", ["t_s"] + RowTable.inertialColumns), ("mag", ["t_s"] + RowTable.magneticColumns),
            ("baro", ["t_s"] + RowTable.pressureColumns), ("gnss", SortedTable.fixColumns),
        ] + AidTableKind.allCases.map { ($0.table, $0.columns) }

    static func find(_ table: String, in folder: String) -> String? {
        [".csv", ".csv.gz"].map { "\(folder)/\(table)\($0)" }.first { (try? File.status(of: $0))?.isRegular == true }
    }
}

/// Ticks once per second of the recording's own time, so that the engine detects silent sensors.
struct FolderClock {
    /// Maximum number of consecutive ticks; the rest of a pause is skipped, so that a time far in the future does not
    /// cost hours of ticks.
    private static let maximumTicksInARow = 3600
    private static let interval: Int64 = 1_000_000_000
    private var nextTick: BootTime?
    private var ticksInARow = 0

    mutating func tick(before arrival: BootTime) -> BootTime? {
        guard let tick = nextTick else {
            nextTick = FolderClock.next(after: arrival)
            return nil
        }
        guard tick <= arrival, tick.nanoseconds < .max else {
            ticksInARow = 0
            return nil
        }
        ticksInARow += 1
        nextTick = FolderClock.next(after: ticksInARow < FolderClock.maximumTicksInARow ? tick : arrival)
        return tick
    }

    private static func next(after time: BootTime) -> BootTime {
        time.shifted(by: interval)
    }
}
