import Linux
import Model

/// Raw samples for a calibration: from one table, a folder of tables, or a recording.
///
/// A folder is read like a `SensorFolder`, but does not need an `imu.csv`: `imu_raw.csv` or `mag.csv` alone is enough,
/// or a single table of another name. A table is read by its columns, in any unit.
public final class SampleReader: MeasurementReader {
    /// Kind of the recording, which determines how reliable its units are.
    public enum Origin: Hashable, Sendable {
        /// An MCAP file written by Waymark, in SI units.
        case recording
        /// Tables of a folder, with the names of tables in a sensor folder.
        case folder
        case table
    }

    /// Kind of the recording that was found at the path.
    public let origin: Origin
    private let source: any MeasurementReader
    /// Largest table, whose progress is used as the reader's progress.
    private let largest: SampleTable?

    private init(_ origin: Origin, _ source: any MeasurementReader, _ largest: SampleTable?) {
        self.origin = origin
        self.source = source
        self.largest = largest
    }

    /// - Parameters:
    ///   - rate: rate of tables without a column of seconds. Unit: Hz.
    ///   - scales: unit scales of tables; not used for recordings.
    /// - Throws: if the path cannot be read, or has no samples.
    public static func open(
        _ path: String, rate: Double? = nil, scales: SampleScales = SampleScales()
    ) throws(RecordingError) -> SampleReader {
        let status = try RecordingSource.status(of: path)
        if status.isDirectory { return try folder(path, rate, scales) }
        guard status.isRegular else {
            throw .notARecording(path: path, reason: "it is neither a folder nor a regular file")
        }
        if try isRecording(path) { return SampleReader(.recording, try RecordingReader(path: path), nil) }
        let table = try SampleTable(path: path, rate: rate, scales: scales)
        return SampleReader(.table, SingleTable(table), table)
    }

    /// Names of the columns of samples, three for each sensor.
    package static let columns = SampleColumns.all

    /// Next measurement in the order of arrival; nil at the end.
    public func next() throws(RecordingError) -> Measurement? { try source.next() }

    /// Flaws of the tables that did not make them useless; complete at the end.
    public var warnings: [String] { source.warnings }

    /// Share that has been read, 0…1; nil if it is unknown.
    public var fraction: Double? { largest?.fraction }

    // MARK: - Kinds

    private static func isRecording(_ path: String) throws(RecordingError) -> Bool {
        do throws(FileError) {
            let start = try File.openForReading(path).read(atMost: MCAP.magic.count)
            return start == MCAP.magic || path.hasSuffix(".mcap")
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }

    /// Names of sample tables in sensor folders, in order of preference.
    private static let inertialNames = ["imu", "imu_raw"]
    private static let magneticNames = ["mag", "mag_raw"]

    private static func folder(
        _ path: String, _ rate: Double?, _ scales: SampleScales
    ) throws(RecordingError) -> SampleReader {
        var tables: [SampleTable] = []
        for names in [inertialNames, magneticNames] {
            guard let found = names.lazy.compactMap({ SensorFolder.find($0, in: path) }).first else { continue }
            tables.append(try SampleTable(path: found, rate: rate, scales: scales))
        }
        guard let first = tables.first else {
            let table = try SampleTable(path: try onlyTable(in: path), rate: rate, scales: scales)
            return SampleReader(.table, SingleTable(table), table)
        }
        var others: [any FolderTable] = []
        if let gnss = SensorFolder.find("gnss", in: path) { others.append(try SortedTable.fixes(path: gnss)) }
        return SampleReader(.folder, try SensorFolder(tables: tables + others), first)
    }

    private static func onlyTable(in path: String) throws(RecordingError) -> String {
        let names: [String]
        do throws(FileError) {
            names = try File.names(in: path).filter { $0.hasSuffix(".csv") || $0.hasSuffix(".csv.gz") }.sorted()
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
        guard let name = names.first, names.count == 1 else {
            let found = names.isEmpty ? "it has no tables" : "its tables have other names"
            throw .notARecording(
                path: path, reason: "\(found): imu.csv, imu_raw.csv or mag.csv is needed, each plain or with .gz")
        }
        let file = "\(path)/\(name)"
        // Opening a FIFO would wait for its writer.
        guard (try? File.status(of: file))?.isRegular == true else {
            throw .notARecording(path: file, reason: "not a regular file")
        }
        return file
    }
}

/// Rows of one table as measurements, without the merging of several tables.
private final class SingleTable: MeasurementReader {
    private let table: SampleTable
    private var pending: [Measurement] = []

    init(_ table: SampleTable) { self.table = table }

    var warnings: [String] { table.warnings }

    func next() throws(RecordingError) -> Measurement? {
        if pending.isEmpty, try table.next() != nil { pending = table.measurements }
        return pending.popLast()
    }
}
