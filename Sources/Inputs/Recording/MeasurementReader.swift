import Linux
import Model
import PlanMatching
import Engine

/// Measurements that were taken before, in the order in which they reach the engine.
public protocol MeasurementReader: AnyObject {
    /// Next measurement; nil at the end.
    func next() throws(RecordingError) -> Measurement?
    /// Flaws of the recording that did not make it useless; complete at the end.
    var warnings: [String] { get }
    /// Warm start that the estimator is to begin with; known before the first measurement after it is given.
    var warmStart: WarmStart? { get }
    /// Share of the recording that has been read, 0 to 1; nil where it is not known.
    var fraction: Double? { get }

    /// Calls a function with the plans that the estimator used from here on, after each change of them; to be called
    /// after each measurement is given and before it is fed, and before `restoreState`.
    func usePlans(_ use: (PlanLibrary) -> Void)

    /// Calls a function once with the state of the estimator with which the recording goes on, if there is one; to be
    /// called after each measurement is given and before it is fed, and before `warmStart` is asked for.
    ///
    /// What was given before belongs to the state, which replaces it. A state that the function refuses becomes a
    /// warning.
    func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void)
}

extension MeasurementReader {
    /// No warm start: tables of sensors have none.
    public var warmStart: WarmStart? { nil }

    /// Not known: tables are read side by side.
    public var fraction: Double? { nil }

    /// No plans: tables of sensors have none.
    public func usePlans(_ use: (PlanLibrary) -> Void) {}

    /// No state: tables of sensors have none.
    public func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void) {}
}

/// Opens whatever kind of recording a path leads to: a folder of sensor tables or an MCAP file.
public enum RecordingSource {
    /// Opens a recording; throws for a path that leads to neither kind.
    public static func open(_ path: String) throws(RecordingError) -> any MeasurementReader {
        let status = try status(of: path)
        if status.isDirectory { return try SensorFolder(path: path) }
        guard status.isRegular else {
            throw .notARecording(path: path, reason: "it is neither a folder nor a regular file")
        }
        return try RecordingReader(path: path)
    }

    /// Opens an MCAP file; throws for anything else.
    static func openFile(_ path: String) throws(RecordingError) -> MCAPReader {
        // Opening a FIFO would wait for its writer.
        guard try status(of: path).isRegular else { throw .notARecording(path: path, reason: "it is no regular file") }
        return try MCAPReader(path: path)
    }

    private static func status(of path: String) throws(RecordingError) -> File.Status {
        do throws(FileError) {
            return try File.status(of: path)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }
}
