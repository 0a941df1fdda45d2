import Model

/// Measurements that were taken before, in the order in which they reach the engine.
public protocol MeasurementReader: AnyObject {
    /// The next one; nil at the end.
    func next() throws(RecordingError) -> Measurement?
    /// What was wrong with the recording without making it useless; complete at the end.
    var warnings: [String] { get }
    /// What the estimator is to begin with; known before the first measurement after it is given.
    var warmStart: WarmStart? { get }
}

extension MeasurementReader {
    public var warmStart: WarmStart? { nil }
}
