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
    /// Warm start for the estimator, set before the first measurement that follows it is returned.
    var warmStart: WarmStart? { get }
    /// Share of the recording that has been read, 0 to 1; nil if it is unknown.
    var fraction: Double? { get }

    /// Passes the plans to `use` if they have changed. The estimator used these plans for all later measurements. Call
    /// this method after each measurement is returned, before feeding that measurement and before calling
    /// `restoreState`.
    func usePlans(_ use: (PlanLibrary) -> Void)

    /// Calls `restore` with the estimator state from which the recording continues. Does so once, and only if there is
    /// such a state. Call this method after each measurement is returned, before feeding that measurement and before
    /// reading `warmStart`.
    ///
    /// The state replaces the effect of all earlier measurements. If `restore` rejects the state, a warning reports
    /// this.
    func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void)
}

extension MeasurementReader {
    /// Nil, because tables of sensors have no warm start.
    public var warmStart: WarmStart? { nil }

    /// Nil, because tables are read side by side.
    public var fraction: Double? { nil }

    /// Does nothing, because tables of sensors have no plans.
    public func usePlans(_ use: (PlanLibrary) -> Void) {}

    /// Does nothing, because tables of sensors have no state.
    public func restoreState(_ restore: (EstimatorState) throws(EstimatorStateProblem) -> Void) {}

    /// Next entry of the given topics. Tables contain only measurements, which are returned for any topics.
    func nextEntry(among topics: [Topic]) throws(RecordingError) -> RecordingReader.Entry? {
        if let recording = self as? RecordingReader { return try recording.nextEntry(among: topics) }
        return try next().map { .measurement($0) }
    }
}

/// Opens a recording of any kind: a folder of sensor tables or an MCAP file.
public enum RecordingSource {
    /// Opens a recording. Throws if the path leads neither to a folder nor to an MCAP file.
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
