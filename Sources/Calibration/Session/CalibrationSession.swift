import Measurements

/// One calibration from its first sample to its result. Pure: the same samples give the same result, live or from a
/// file.
///
/// Samples are raw: as the sources deliver them, before any calibration is applied.
public protocol CalibrationSession: Sendable {
    /// Kind of this calibration.
    var kind: CalibrationKind { get }
    /// Processes the next measurement and ignores kinds it does not need. Cheap enough for the sample path.
    mutating func feed(_ measurement: Measurement)
    /// Current state for the user. Cheap enough to be read ten times a second.
    var progress: CalibrationProgress { get }
    /// Whether further samples would hardly improve the result.
    var isComplete: Bool { get }
    /// Fit and verdict, also of a session that was ended early. May take seconds: not for the reactor's thread.
    func result() -> CalibrationResult
}
