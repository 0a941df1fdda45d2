import Model

/// Measurements that were taken before, in the order in which they reach the engine.
public protocol MeasurementReader: AnyObject {
    /// Next measurement; nil at the end.
    func next() throws(RecordingError) -> Measurement?
    /// Flaws of the recording that did not make it useless; complete at the end.
    var warnings: [String] { get }
    /// Warm start that the estimator is to begin with; known before the first measurement after it is given.
    var warmStart: WarmStart? { get }
}

extension MeasurementReader {
    /// No warm start: tables of sensors have none.
    public var warmStart: WarmStart? { nil }
}
