import Model

/// One calibration from its first sample to its result. Pure: fed from sensors or from a file, it comes to the same.
///
/// Samples are raw: as the sources deliver them, before any calibration.
public protocol CalibrationSession: Sendable {
    var kind: CalibrationKind { get }
    /// Takes the next measurement; what it has no use for it leaves. Cheap enough for the path of samples.
    mutating func feed(_ measurement: Measurement)
    /// What to tell the one who calibrates. Cheap enough for ten times a second.
    var progress: CalibrationProgress { get }
    /// Whether more samples would hardly make it better.
    var isComplete: Bool { get }
    /// The fit and its verdict, also of a session that was ended early. May take seconds: not for a reactor's thread.
    func result() -> CalibrationResult
}
