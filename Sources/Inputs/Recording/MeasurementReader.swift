import Linux
import Model
import PlanMatching
import Engine

/// Recorded measurements, in the order in which they reach the engine.
public protocol MeasurementReader: AnyObject {
    /// Next measurement; nil at the end.
    func next() throws(RecordingError) -> Measurement?
    /// Flaws of the recording that did not make it useless; complete at the end.
    var warnings: [String] { get }
    /// Warm start for the estimator; known before the first measurement that follows it is returned.
    var warmStart: WarmStart? { get }
    /// Share of the recording that has been read, 0 to 1; nil if it is unknown.
    var fraction: Double? { get }

    /// Calls `use` after each change of plans, with the plans that the estimator used for all later measurements. This
    /// method has to be called after each measurement is returned, before that measurement is fed, and before
    /// `restoreState`.
    func usePlans(_ use: (PlanLibrary) -> Void)

    /// Calls `restore` once with the estimator state from which the recording continues, if there is one. This method
    /// has to be called after each measurement is returned, before that measurement is fed, and before `warmStart` is
    /// read.
    ///
    /// The state replaces the effect of all earlier measurements. If `restore` rejects the state, this is reported as a
    /// warning.
    func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void)
}

extension MeasurementReader {
    /// No warm start: tables of sensors have none.
    public var warmStart: WarmStart? { nil }

    /// Unknown: tables are read side by side.
    public var fraction: Double? { nil }

    /// No plans: tables of sensors have none.
    public func usePlans(_ use: (PlanLibrary) -> Void) {}

    /// No state: tables of sensors have none.
    public func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void) {}

    /// The next entry of some topics. Tables contain only measurements: these are returned whatever the topics are.
    func nextEntry(among topics: [Topic]) throws(RecordingError) -> RecordingReader.Entry? {
        if let recording = self as? RecordingReader { return try recording.nextEntry(among: topics) }
        return try next().map { .measurement($0) }
    }
}

/// Opens a recording of any kind: a folder of sensor tables or an MCAP file.
public enum RecordingSource {
    /// Opens a recording; throws if the path leads to neither kind.
    public static func open(_ path: String) throws(RecordingError) -> any MeasurementReader {
        let status = try status(of: path)
        if status.isDirectory { return try SensorFolder(path: path) }
        guard status.isRegular else {
            throw .notARecording(path: path, reason: "it is neither a folder nor a regular file")
        }
        return try RecordingReader(path: path)
    }

    /// Opens an MCAP file; throws if it is another kind of file.
    static func openFile(_ path: String) throws(RecordingError) -> MCAPReader {
        // Opening a FIFO would wait for its writer.
        guard try status(of: path).isRegular else { throw .notARecording(path: path, reason: "it is no regular file") }
        return try MCAPReader(path: path)
    }

    static func status(of path: String) throws(RecordingError) -> File.Status {
        do throws(FileError) {
            return try File.status(of: path)
        } catch {
            throw .cannotRead(path: path, reason: error.description)
        }
    }
}
